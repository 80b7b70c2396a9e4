"""`make docs`: the pages that are made from the code: the command line and the HTTP API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

REFERENCE = ROOT / "docs" / "reference"


def main() -> int:
    """Write them; the exit status."""
    REFERENCE.mkdir(parents=True, exist_ok=True)
    (REFERENCE / "command-line.md").write_text(command_line(), encoding="utf-8")
    (REFERENCE / "openapi.json").write_text(openapi(), encoding="utf-8")
    print(f"written: {REFERENCE.relative_to(ROOT)}/command-line.md, openapi.json")
    return 0


def command_line() -> str:
    """Every command's help."""
    from aworld.command_line.main import command_modules

    parts = ["# The command line\n"]
    for name in sorted(command_modules()):
        said = subprocess.run(
            [sys.executable, "-m", "aworld.command_line.main", name, "--help"],
            env={**os.environ, "COLUMNS": "96"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        parts.append(f"## aworld {name}\n```\n{said.rstrip()}\n```\n")
    return "\n".join(parts)


def openapi() -> str:
    """The API's description, as `/api/openapi.json` gives it."""
    with tempfile.TemporaryDirectory(prefix="aworld-docs-") as home:
        os.environ.update(AWORLD_HOME=home, DJANGO_SETTINGS_MODULE="aworld_web.settings")
        import django

        django.setup()
        from aworld_web.api import api

        return json.dumps(api.get_openapi_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
