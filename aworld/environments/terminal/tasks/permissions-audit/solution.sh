#!/bin/bash
set -euo pipefail
cat > /tmp/fix.py <<'EOF'
import os
import stat
from pathlib import Path

deploy = Path("/app/deploy")
changed = []
for path in sorted([deploy, *deploy.rglob("*")]):
    if path.is_symlink():
        continue
    parents = path.relative_to(deploy).parts[:-1]
    secret = "secrets" in parents
    if path.is_dir():
        mode = 0o700 if path.name == "secrets" else 0o1733 if path.name == "spool" else 0o750
    else:
        mode = 0o750 if path.read_bytes()[:2] == b"#!" else 0o640
        if secret or path.suffix in (".key", ".pem"):
            mode = 0o600
    if stat.S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
        changed.append(str(path.relative_to(deploy)))
Path("/app/changed.txt").write_text("".join(f"{name}\n" for name in sorted(changed)))
EOF
python3 /tmp/fix.py
