"""Compares the texts after redaction."""

from pathlib import Path

for name in ("one", "two"):
    found = (Path("/collected") / name).read_bytes()
    right = Path(f"/tests/expected/{name}").read_bytes()
    for number, (line, wanted) in enumerate(zip(found.split(b"\n"), right.split(b"\n")), 1):
        assert line == wanted, f"text {name}, line {number}: {line!r} should be {wanted!r}"
    assert found == right, f"text {name} has another length"
print("Both texts are right.")
