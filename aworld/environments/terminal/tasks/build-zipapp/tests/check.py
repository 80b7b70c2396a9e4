"""Looks into both builds, and at what the program said."""

import zipfile
from pathlib import Path

got = Path("/collected")
first, second = (got / "first.pyz").read_bytes(), (got / "second.pyz").read_bytes()
assert first.startswith(b"#!/usr/bin/env python3\n"), "the first line is not right"
assert first == second, "two builds differ"
with zipfile.ZipFile(got / "first.pyz") as archive:
    infos = archive.infolist()
    version = archive.read("counter/_version.py").decode().strip()
names = [info.filename for info in infos]
assert names == sorted(names), "the names are not in order"
assert not [n for n in names if "test_" in n or n.endswith(".pyc")], f"too much in it: {names}"
assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}, "the times are not right"
assert version == 'VERSION = "2.4.1"', f"the version's file holds {version!r}"
said = (got / "said").read_text()
assert said == "5 words (count 2.4.1)\n", f"the program said {said!r}"
print("The program is built.")
