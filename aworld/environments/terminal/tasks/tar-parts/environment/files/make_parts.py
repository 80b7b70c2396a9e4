"""Makes the parts; removed afterwards."""

import hashlib
import io
import random
import tarfile
from pathlib import Path

random.seed(11)
files = {
    "site/index.html": (0o644, b"<h1>hello</h1>" * 40),
    "site/bin/run.sh": (0o755, b"#!/bin/sh\necho run\n"),
    "site/private/key": (0o600, random.randbytes(3000)),
    "site/data/numbers": (0o640, random.randbytes(5000)),
}
packed = io.BytesIO()
with tarfile.open(fileobj=packed, mode="w:gz") as archive:
    for name, (mode, data) in files.items():
        head = tarfile.TarInfo(name)
        head.size, head.mode = len(data), mode
        archive.addfile(head, io.BytesIO(data))
data = packed.getvalue()
size = len(data) // 6 + 1
parts = [data[n : n + size] for n in range(0, len(data), size)]
folder = Path("parts")
folder.mkdir()
sums = [hashlib.sha256(part).hexdigest() for part in parts]
(folder / "MANIFEST").write_text("\n".join(sums) + "\n")
names = ["q", "c", "x", "a", "m", "f"]
for name, part in zip(names, parts):
    (folder / f"{name}.bin").write_bytes(part)
(folder / "z.bin").write_bytes(parts[1])
(folder / "b.bin").write_bytes(random.randbytes(size))
