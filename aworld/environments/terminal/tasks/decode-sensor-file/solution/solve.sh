#!/bin/bash
set -euo pipefail
cat > /tmp/decode.py <<'EOF'
import json
import struct
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path

data = Path("/app/readings.bin").read_bytes()
start = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=struct.unpack(">I", data[5:9])[0])
place, readings, skipped = 9, [], {"checksum": 0, "kind": 0, "cut": 0}

def at(seconds):
    return (start + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

while place < len(data):
    length = struct.unpack(">H", data[place + 1 : place + 3])[0] if place + 3 <= len(data) else 0
    end = place + 3 + length
    if end + 4 > len(data):
        skipped["cut"] += 1
        break
    kind, body = data[place], data[place + 3 : end]
    right = struct.unpack(">I", data[end : end + 4])[0] == zlib.crc32(data[place:end])
    place = end + 4
    if not right:
        skipped["checksum"] += 1
    elif kind == 1:
        seconds, tenths = struct.unpack(">Hh", body[:4])
        room = body[4:].decode("utf-8")
        readings.append(
            {"at": at(seconds), "kind": "temperature", "celsius": tenths / 10, "room": room}
        )
    elif kind == 2:
        seconds, hpa, battery = struct.unpack(">HIB", body)
        battery = None if battery == 255 else battery
        readings.append({"at": at(seconds), "kind": "pressure", "hpa": hpa, "battery": battery})
    else:
        skipped["kind"] += 1
Path("/app/readings.json").write_text(json.dumps(readings, ensure_ascii=False))
Path("/app/skipped.json").write_text(json.dumps(skipped))
EOF
python3 /tmp/decode.py
