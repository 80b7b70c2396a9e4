#!/bin/bash
set -euo pipefail
cat > /tmp/index.py <<'EOF'
import re
import unicodedata
from pathlib import Path

def folded(text):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).replace("’", "'")

app = Path("/app")
stop = {folded(word) for word in (app / "stop.txt").read_text().split()}
places = {}
for number, line in enumerate((app / "book.txt").read_text(encoding="utf-8").splitlines(), 1):
    for word in re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", folded(line)):
        letters = sum(c.isalpha() for c in word)
        if letters > 2 and word not in stop:
            found = places.setdefault(word, [])
            if number not in found:
                found.append(number)
lines = []
for word in sorted(places):
    numbers = places[word]
    if len(numbers) < 2:
        continue
    runs = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{r[0]}-{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs]
    lines.append(f"{word}: {', '.join(shown)}\n")
(app / "index.txt").write_text("".join(lines), encoding="utf-8")
EOF
python3 /tmp/index.py
