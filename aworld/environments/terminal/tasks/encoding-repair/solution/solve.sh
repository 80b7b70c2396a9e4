#!/bin/bash
set -euo pipefail
cat > /tmp/repair.py <<'EOF'
from pathlib import Path

for path in Path("/app/texts").glob("*.txt"):
    data = path.read_bytes()
    if data.startswith(b"\xff\xfe"):
        text = data.decode("utf-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        if "Ã" in text:
            text = text.encode("latin-1").decode("utf-8")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    path.write_bytes((text.rstrip("\n") + "\n").encode())
EOF
python3 /tmp/repair.py
cd /app/texts
LC_ALL=C sha256sum *.txt > /tmp/sums
mv /tmp/sums SHA256SUMS
