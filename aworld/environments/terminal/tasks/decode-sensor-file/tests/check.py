"""The readings that the file was made from."""

import json
from pathlib import Path

EXPECTED = [
    {"at": "2027-01-15T08:00:00Z", "kind": "temperature", "celsius": -12.5, "room": "kitchen"},
    {"at": "2027-01-15T08:01:00Z", "kind": "pressure", "hpa": 1013, "battery": 3},
    {"at": "2027-01-16T02:12:15Z", "kind": "temperature", "celsius": 40.1, "room": "büro"},
    {"at": "2027-01-15T08:01:30Z", "kind": "pressure", "hpa": 998, "battery": None},
]
found = json.loads(Path("/app/readings.json").read_text(encoding="utf-8"))
assert found == EXPECTED, f"readings.json holds {found}"
skipped = json.loads(Path("/app/skipped.json").read_text())
assert skipped == {"checksum": 1, "kind": 1, "cut": 1}, f"skipped.json holds {skipped}"
print("The readings are right.")
