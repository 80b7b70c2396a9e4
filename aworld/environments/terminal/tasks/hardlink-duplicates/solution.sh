#!/bin/bash
set -euo pipefail
cat > /tmp/link.py <<'EOF'
import hashlib
import os
from collections import defaultdict
from pathlib import Path

groups = defaultdict(list)
for path in sorted(Path("/app/photos").rglob("*")):
    if path.is_file() and path.stat().st_size:
        groups[hashlib.sha256(path.read_bytes()).digest()].append(path)
saved = 0
for first, *copies in groups.values():
    for copy in copies:
        saved += copy.stat().st_size
        copy.unlink()
        os.link(first, copy)
Path("/app/saved.txt").write_text(f"{saved}\n")
EOF
python3 /tmp/link.py
