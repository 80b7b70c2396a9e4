"""The data folder made ready: migrations run, first definitions and the recorded run put in.

`python -m aworld_web.processes.prepare` does it; nothing happens where it was done for the same
code and the same database.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from aworld import config
from aworld_web.processes.site import put_on_path, site_folder

__all__ = ["is_prepared", "main"]

STAMP = "prepared"
_READ = {".py", ".json", ".jsonl", ".yaml", ".zip"}


def is_prepared(home: Path) -> bool:
    """Whether this code has prepared this folder's database."""
    try:
        done = (home / STAMP).read_text(encoding="utf-8") == _fingerprint()
    except OSError:
        return False
    return done and (bool(config.load().mongodb_uri) or (home / "web.sqlite3").is_file())


def _fingerprint() -> str:
    """Of everything that migrations and first definitions are made from, and of where they go."""
    digest = hashlib.sha256(config.load().mongodb_uri.encode())
    package = Path(__file__).resolve().parent.parent
    files = [*(site_folder() / "apps").rglob("*"), *package.glob("*.py")]
    files += (package / "mongo_migrations").rglob("*.py")
    for file in sorted(files):
        if file.suffix in _READ:
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def main() -> int:
    """Prepare the data folder named by AWORLD_HOME; the exit status."""
    home = config.load().home
    home.mkdir(parents=True, exist_ok=True)
    if is_prepared(home):
        return 0
    put_on_path()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "aworld_web.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("aworld_seed")
    (home / STAMP).write_text(_fingerprint(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
