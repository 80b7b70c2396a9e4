"""The files with their modes."""

import hashlib
import stat
from pathlib import Path

EXPECTED = {
    "site/bin/run.sh": 0o755,
    "site/data/numbers": 0o640,
    "site/index.html": 0o644,
    "site/private/key": 0o600,
}
out = Path("/app/out")
found = {str(p.relative_to(out)): p for p in out.rglob("*") if p.is_file()}
assert sorted(found) == sorted(EXPECTED), f"out holds {sorted(found)}"
modes = {name: stat.S_IMODE(path.stat().st_mode) for name, path in found.items()}
assert modes == EXPECTED, f"the permissions are {modes}"
everything = b"".join(found[name].read_bytes() for name in sorted(found))
digest = hashlib.sha256(everything).hexdigest()
right = "f585e622d2a6e8fcafc068029151a406344823ce63bd05405287387d67f9d1ef"
assert digest == right, "a file's contents are not right"
unused = Path("/app/unused.txt").read_text().split()
assert unused == ["b.bin", "z.bin"], f"unused.txt names {unused}"
print("The archive is whole.")
