"""Counts again, with a parser of its own."""

import re
from collections import Counter
from pathlib import Path

LINE = re.compile(r'(\S+) .*?\[[^:]+:(\d\d):.*?\] ".*?" (\d{3}) ')
counts = Counter()
for line in Path("/app/access.log").read_text().splitlines():
    client, hour, status = LINE.match(line).groups()
    counts[client] += hour == "09" and status[0] == "5"
rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:3]
expected = ["client,errors", *(f"{client},{count}" for client, count in rows)]
found = Path("/app/errors.csv").read_text().split("\n")
assert found == [*expected, ""], f"errors.csv holds {found!r}"
print("The three clients are right.")
