"""The merged log, written by hand."""

from pathlib import Path

EXPECTED = [
    "2027-03-28T00:59:58.000Z db slow query",
    "2027-03-28T00:59:58.250Z web GET /",
    "2027-03-28T00:59:59.000Z db select",
    "  from orders",
    "  where x",
    "2027-03-28T00:59:59.000Z queue start",
    "2027-03-28T01:00:00.000Z web GET /late",
    "2027-03-28T01:00:00.125Z queue push 1",
    "2027-03-28T01:00:00.125Z queue push 2",
    "2027-03-28T01:00:00.125Z web POST /order",
    "\tbody: 12 bytes",
    "2027-03-28T01:00:01.000Z db commit",
]
found = Path("/app/merged.log").read_text().splitlines()
for right, line in zip(EXPECTED, found):
    assert line == right, f"{line!r} should be {right!r}"
assert len(found) == len(EXPECTED), f"there are {len(found)} lines, not {len(EXPECTED)}"
print("The log is merged.")
