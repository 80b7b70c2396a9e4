"""Compares with the texts."""

import hashlib
from pathlib import Path

EXPECTED = {
    "cities.txt": "Zürich, Genève\n",
    "fine.txt": "already fine: 日本語\n",
    "greetings.txt": "Καλημέρα\nдоброе утро\n",
    "mac.txt": "first\nsecond\n",
    "menu.txt": "Crème brûlée, 5 £\nSmørrebrød\n",
    "notes.txt": "naïve café\nend\n",
}
folder = Path("/app/texts")
for name, text in EXPECTED.items():
    found = (folder / name).read_bytes()
    assert found == text.encode(), f"{name} holds {found!r}"
sums = [f"{hashlib.sha256(EXPECTED[n].encode()).hexdigest()}  {n}" for n in sorted(EXPECTED)]
assert (folder / "SHA256SUMS").read_text().splitlines() == sums, "SHA256SUMS is not right"
assert sorted(p.name for p in folder.iterdir()) == ["SHA256SUMS", *sorted(EXPECTED)]
print("All texts are repaired.")
