"""The totals, added up by hand."""

from pathlib import Path

EXPECTED = [
    "country,orders,total",
    "Chile,4,33.00",
    "Kenya,3,3.31",
    "Peru,1,1200.00",
    "?,1,55.00",
]
found = Path("/app/totals.csv").read_text(encoding="utf-8").split()
assert found == EXPECTED, f"totals.csv holds {found!r}"
print("The totals are right.")
