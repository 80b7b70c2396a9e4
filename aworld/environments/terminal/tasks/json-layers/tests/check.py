"""Compares with the merged settings, written down by hand."""

import json
from pathlib import Path

EXPECTED = {
    "features": [],
    "limits": {"daily": 5000, "rate": 0},
    "owner": {"team": "web"},
    "région": "Île-de-France",
    "service": {
        "name": "shop",
        "port": 9090,
        "tls": {
            "cert": {"file": "local.pem", "mode": "0600"},
            "ciphers": ["c"],
            "enabled": True,
        },
    },
}
text = Path("/app/settings.json").read_text(encoding="utf-8")
assert json.loads(text) == EXPECTED, "the merged settings are not right"
form = json.dumps(EXPECTED, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
assert text == form, "the settings are right, but not written as asked"
print("The settings are right.")
