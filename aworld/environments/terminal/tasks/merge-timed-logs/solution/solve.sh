#!/bin/bash
set -euo pipefail
cat > /tmp/merge.py <<'EOF'
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

START = datetime(1970, 1, 1, tzinfo=timezone.utc)

def split(name, line):
    if name == "web":
        at, _, text = line.partition(" ")
        return datetime.fromisoformat(at), text
    if name == "db":
        at, text = re.match(r"\[(.*?)\] (.*)", line).groups()
        return datetime.strptime(at, "%d/%b/%Y %H:%M:%S").replace(tzinfo=timezone.utc), text
    at, _, text = line.partition(" ")
    whole, _, part = at.partition(".")
    return START + timedelta(seconds=int(whole), milliseconds=int((part + "000")[:3])), text

entries = []
for path in sorted(Path("/app/logs").glob("*.log")):
    for line in path.read_text().splitlines():
        if line[:1] in " \t":
            entries[-1][3].append(line)
        else:
            at, text = split(path.stem, line)
            entries.append((at, path.stem, text, []))
entries.sort(key=lambda entry: entry[:2])
with open("/app/merged.log", "w") as file:
    for at, name, text, more in entries:
        shown = at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
        file.write("\n".join([f"{shown}Z {name} {text}", *more]) + "\n")
EOF
python3 /tmp/merge.py
