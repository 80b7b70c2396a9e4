"""Adds to the wheel what `aworld up` needs and Python packages cannot hold: `aworld_web/_site/`.

`apps` and `templates` are poor names at the top of site-packages, so they travel inside
`aworld_web/_site/`, beside the built front end; `aworld up` alone puts that folder on the path.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
FRONT_END = Path("frontend", "dist")
SITE = ("apps", "templates", str(FRONT_END), "examples/recorded")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".aworld-stamp", "*.map")


class BuildWithSite(build_py):
    """build_py, and then the site folder."""

    def run(self) -> None:
        """Copy the packages, then the site. Raises SystemExit without a built front end."""
        super().run()
        # An editable install finds all of it in the checkout.
        if self.editable_mode:
            return
        if not (ROOT / FRONT_END / ".vite" / "manifest.json").is_file():
            raise SystemExit(
                "The front end is not built, and without it the wheel would have no page: "
                "run make wheel, or npm ci && npm run build in the folder 'frontend', first."
            )
        target = Path(self.build_lib, "aworld_web", "_site")
        shutil.rmtree(target, ignore_errors=True)
        for name in SITE:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, target / name, ignore=LEFT_OUT)
        shutil.copy(ROOT / "manage.py", target)


setup(cmdclass={"build_py": BuildWithSite})
