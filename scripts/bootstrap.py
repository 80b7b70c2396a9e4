"""What `make` calls first: finds a Python that will do, then brings the checkout up to date.

    python3 scripts/bootstrap.py setup | demo | test

Runs on whatever `python3` is, however old, so this file keeps to syntax that all of them read;
the work is in the modules beside it.
"""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEWEST_TRIED = (3, 14)


def newer_python() -> "str | None":
    """Path of a Python on this machine that is new enough, or None."""
    for minor in range(NEWEST_TRIED[1], OLDEST[1] - 1, -1):
        path = shutil.which(f"python3.{minor}")
        # A version manager's shim may be there for a Python that is not.
        if path and subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def main() -> int:
    """Exit status 0 where the checkout is ready for what was asked."""
    if sys.version_info[:2] < OLDEST:
        other = newer_python()
        if other:
            os.execv(other, [other] + sys.argv)
        have = ".".join(map(str, sys.version_info[:2]))
        sys.stderr.write(
            f"AWorld needs Python 3.11 or newer; {sys.executable} is {have}. Install one (Debian, "
            "Ubuntu: apt-get install python3 python3-venv; macOS: brew install python) and name "
            f"it: make PYTHON=python3.12 {' '.join(sys.argv[1:])}\n"
        )
        return 2
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, root)
    from scripts.setup_plan import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
