#!/bin/bash
set -euo pipefail
cat > /app/build.sh <<'EOF'
#!/bin/bash
set -euo pipefail
cd /app
python3 - <<'PYTHON'
import zipfile
from pathlib import Path

files = {
    str(path.relative_to("src")): path.read_bytes()
    for path in Path("src").rglob("*.py")
    if not path.name.startswith("test_")
}
version = Path("VERSION").read_text().strip()
files["counter/_version.py"] = f'VERSION = "{version}"\n'.encode()
files["__main__.py"] = b"from counter.main import run\n\nrun()\n"
with open("count.pyz", "wb") as target:
    target.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])
PYTHON
EOF
bash /app/build.sh
