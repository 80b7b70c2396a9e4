#!/bin/bash
set -euo pipefail
cd /app
cat > /tmp/merge.py <<'EOF'
import json
from pathlib import Path

def merge(old, new):
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return new
    result = dict(old)
    for key, value in new.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result

first, *later = sorted(Path("layers").glob("*.json"))
settings = json.loads(first.read_text())
for layer in later:
    settings = merge(settings, json.loads(layer.read_text()))
text = json.dumps(settings, sort_keys=True, indent=2, ensure_ascii=False)
Path("settings.json").write_text(text + "\n", encoding="utf-8")
EOF
python3 /tmp/merge.py
