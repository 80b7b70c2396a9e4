"""Looks at the folders after each rotation."""

import gzip
from pathlib import Path

got = Path("/collected")


def logs(name):
    found = {}
    for path in sorted((got / name).iterdir()):
        data = path.read_bytes()
        found[path.name] = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return found


expected = {
    "four": {"app log": "", "app log.1.gz": "4", "app log.2.gz": "3", "app log.3.gz": "2"},
    "gap": {"a": "", "a.1.gz": "new", "a.2.gz": "one", "a.3.gz": "three"},
    "less": {"b": "", "b.1.gz": "new"},
    "nothing": {"c": "", "c.1.gz": "old"},
    "wrong": {"d": "text"},
}
for name, wanted in expected.items():
    assert logs(name) == wanted, f"{name}: {logs(name)}"
codes = (got / "codes").read_text().split()
assert codes == ["0", "0", "2", "2", "2"], f"the exit codes are {codes}"
same = (got / "same").read_text().split()
assert same[:2] == same[2:], "the log is another file after it was rotated"
print("The logs are rotated.")
