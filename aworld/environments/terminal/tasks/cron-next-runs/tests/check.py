"""The times, worked out by hand."""

from pathlib import Path

EXPECTED = [
    "2 2027-02-28T23:45 poll",
    "3 2027-03-01T03:00 backup --all",
    "4 2027-03-28T23:30 month_end",
    "5 2027-03-01T08:05 office",
    "6 2027-04-01T00:00 quarter",
    "7 2028-02-06T12:00 winter sundays",
    "8 invalid",
    "9 invalid",
    "10 never never",
    "11 invalid",
    "12 2027-03-01T00:00 short_form",
    "13 2027-03-01T06:15 names",
]
found = Path("/app/next.txt").read_text().splitlines()
for right, line in zip(EXPECTED, found):
    assert line == right, f"{line!r} should be {right!r}"
assert len(found) == len(EXPECTED), f"there are {len(found)} lines, not {len(EXPECTED)}"
print("All times are right.")
