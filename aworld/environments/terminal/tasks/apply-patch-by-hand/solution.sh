#!/bin/bash
set -euo pipefail
cat > /tmp/apply.py <<'EOF'
import re
from pathlib import Path

app = Path("/app")
lines = (app / "fix.patch").read_text().split("\n")[:-1]
files = []
for line in lines:
    if line.startswith("--- "):
        files.append([line[4:], "", []])
    elif line.startswith("+++ ") and files and not files[-1][2]:
        files[-1][1] = line[4:]
    elif line.startswith("@@"):
        files[-1][2].append([line])
    else:
        files[-1][2][-1].append(line)
for old, new, hunks in files:
    if new == "/dev/null":
        (app / old.partition("/")[2]).unlink()
        continue
    path = app / new.partition("/")[2]
    path.parent.mkdir(parents=True, exist_ok=True)
    data = path.read_bytes() if path.exists() else b""
    end = "\r\n" if b"\r\n" in data else "\n"
    text = data.decode().split(end)[:-1] if data else []
    rejected, shift = [], 0
    for hunk in hunks:
        before = [line[1:] for line in hunk[1:] if line[0] in " -"]
        after = [line[1:] for line in hunk[1:] if line[0] in " +"]
        said = int(re.match(r"@@ -(\d+)", hunk[0])[1]) - 1 + shift
        places = [n for n in range(len(text) + 1) if text[n : n + len(before)] == before]
        if not places:
            rejected += hunk
            continue
        place = min(places, key=lambda n: abs(n - said))
        text[place : place + len(before)] = after
        shift += len(after) - len(before)
    path.write_bytes((end.join(text) + end).encode())
    if rejected:
        Path(f"{path}.rej").write_text("\n".join(rejected) + "\n")
EOF
python3 /tmp/apply.py
