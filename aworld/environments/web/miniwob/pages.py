"""Where the pages of MiniWoB++ are: in the wheel `miniwob`, whose own dependencies are not wanted.

Either it is installed, or it lies in AWORLD_HOME, where `fetch_pages` puts it. Both are compared
with a hash, so that a result means the same everywhere.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from aworld import config
from aworld.errors import ConfigurationError

VERSION = "1.1.0"
WHEEL = f"miniwob-{VERSION}-py3-none-any.whl"
WHEEL_SHA256 = "297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9"
PAGES_SHA256 = "78750c8c01ed774291132efc198e119a274666c8b8e5b891946b4ebc2b846a4f"
"""Of all files below `html/`: their names and hashes, sorted."""
_INSIDE = "miniwob/html/"
_DOWNLOAD_S = 300
CURE = f"Install it: pip install --no-deps miniwob=={VERSION}"


@functools.cache
def load_pages() -> Mapping[str, bytes]:
    """All files of MiniWoB by their path, `miniwob/click-button.html` (about 5 MB).

    Raises:
        ConfigurationError: they are not on this machine, or not those of the release.
    """
    files = dict(_files())
    if not files:
        raise ConfigurationError(f"The pages of MiniWoB {VERSION} are not installed. {CURE}.")
    if digest_of(files) != PAGES_SHA256:
        raise ConfigurationError(
            f"The pages of MiniWoB on this machine are not those of {VERSION}: a file was changed. "
            f"{CURE} --force-reinstall."
        )
    return files


def fetch_pages() -> Path:
    """Download the wheel into AWORLD_HOME; its path.

    Raises:
        ConfigurationError: it could not be downloaded, or is not what was expected.
    """
    folder = config.load().home / "miniwob"
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--dest"]
    try:
        subprocess.run(
            [*command, str(folder), f"miniwob=={VERSION}"],
            check=True,
            capture_output=True,
            text=True,
            timeout=_DOWNLOAD_S,
        )
    except (subprocess.SubprocessError, OSError) as error:
        said = getattr(error, "stderr", "") or str(error)
        raise ConfigurationError(
            f"MiniWoB {VERSION} could not be downloaded: {said.strip()[-300:]}"
        ) from error
    wheel = folder / WHEEL
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != WHEEL_SHA256:
        wheel.unlink()
        raise ConfigurationError(f"The download of {WHEEL} has the hash {found}, a wrong one.")
    load_pages.cache_clear()
    return wheel


def digest_of(files: Mapping[str, bytes]) -> str:
    """One hash over all files."""
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return total.hexdigest()


def _files() -> Iterator[tuple[str, bytes]]:
    folder = _installed()
    if folder is not None:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield path.relative_to(folder).as_posix(), path.read_bytes()
        return
    wheel = config.load().home / "miniwob" / WHEEL
    if wheel.is_file():
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.startswith(_INSIDE) and not name.endswith("/"):
                    yield name.removeprefix(_INSIDE), archive.read(name)


def _installed() -> Path | None:
    """The folder of the installed wheel, found without importing it."""
    try:
        distribution = importlib.metadata.distribution("miniwob")
    except importlib.metadata.PackageNotFoundError:
        return None
    folder = Path(str(distribution.locate_file(_INSIDE)))
    return folder if distribution.version == VERSION and folder.is_dir() else None
