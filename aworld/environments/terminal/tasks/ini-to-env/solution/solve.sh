#!/bin/bash
set -euo pipefail
cat > /tmp/ini.py <<'EOF'
import re
from pathlib import Path

def name(text):
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").upper()

section, settings = "", {}
for line in Path("/app/service.ini").read_text().splitlines():
    line = line.strip()
    if not line or line[0] in ";#":
        continue
    if line[0] == "[":
        section = line.strip("[]")
        continue
    key, _, value = line.partition("=")
    value = value.strip()
    quoted = re.fullmatch(r'"(.*)"', value)
    value = quoted[1] if quoted else re.sub(r"\s+;.*$", "", value)
    settings[name(f"{section} {key}")] = value
lines = ["%s='%s'\n" % (key, value.replace("'", "'\\''")) for key, value in settings.items()]
Path("/app/service.env").write_text("".join(lines))
EOF
python3 /tmp/ini.py
