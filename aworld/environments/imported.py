"""Suites of tasks that somebody brought: folders in `<AWORLD_HOME>/suites`, each in the format of
one kind of environment.

A suite lies in a folder of its name: `suite.json` says what it is, `content/` is what was brought,
unchanged. Tasks are read from it when they are asked for.
"""

from __future__ import annotations

import functools
import io
import lzma
import re
import shutil
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import msgspec

from aworld import config
from aworld.environments.base import EnvironmentKind, Task
from aworld.errors import ConfigurationError

MOST_FILES = 20_000
MOST_BYTES = 512 * 1024 * 1024
"""Of a suite, unpacked."""
MOST_TASKS = 50_000
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
_ABOUT, _CONTENT = "suite.json", "content"
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
"""What reading an archive may raise, by the packer that it was made with."""
_IGNORED = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db"})
_DEEPEST = 4
"""Folders in folders that are looked into for where the tasks begin."""


class Imported(msgspec.Struct, frozen=True):
    """A suite that was brought."""

    name: str
    environment: str
    """Its kind."""
    tasks: int
    title: str = ""
    by: str = ""
    at: int = 0
    """UTC microseconds."""
    below: str = ""
    """Where in the content the tasks begin; "" for its top."""


def imported_suites() -> dict[str, Imported]:
    """All of them by name; what is no suite, or broken, is left out."""
    found: dict[str, Imported] = {}
    for about in sorted(_folder().glob(f"*/{_ABOUT}")):
        try:
            suite = msgspec.json.decode(about.read_bytes(), type=Imported)
        except (OSError, msgspec.MsgspecError):
            continue
        if suite.name == about.parent.name:
            found[suite.name] = suite
    return found


def tasks_of_imported(suite: Imported) -> list[Task]:
    """Its tasks, in the order of its format.

    Raises:
        ConfigurationError: it cannot be read any more, or its kind is not there.
    """
    about = _folder() / suite.name / _ABOUT
    stamp = about.stat().st_mtime_ns if about.is_file() else 0
    return list(_read_again(suite, str(about.parent / _CONTENT / suite.below), stamp))


def import_suite(
    environment: str, name: str, files: Mapping[str, bytes], *, title: str = "", by: str = ""
) -> Imported:
    """Keep a suite: `files` by their paths, or one archive (.zip). A suite of that name that was
    brought before is replaced; nothing is kept where it cannot be read.

    Raises:
        ConfigurationError: the name is taken or no name, the files are none of the format, or
            there is too much of them; the text says which.
    """
    from aworld.environments.registry import kind

    known = kind(environment)
    _check_name(name, environment)
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder))
    try:
        _lay_out(draft / _CONTENT, files)
        place, tasks = _first_reading(known, draft / _CONTENT, name)
        suite = Imported(
            name=name,
            environment=environment,
            tasks=len(tasks),
            title=title.strip() or f"{len(tasks)} tasks, imported",
            by=by,
            at=time.time_ns() // 1000,
            below=place.relative_to(draft / _CONTENT).as_posix().removeprefix("."),
        )
        (draft / _ABOUT).write_bytes(msgspec.json.encode(suite))
        draft.chmod(0o755)
        shutil.rmtree(folder / name, ignore_errors=True)
        draft.replace(folder / name)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return suite


def remove_suite(name: str) -> None:
    """Remove a suite that was brought; runs of its tasks stay.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name not in imported_suites():
        raise ConfigurationError(f"No suite {name!r} was imported. What ships cannot be removed.")
    shutil.rmtree(_folder() / name)


def _folder() -> Path:
    return config.load().home / "suites"


@functools.lru_cache(maxsize=32)
def _read_again(suite: Imported, place: str, stamp: int) -> tuple[Task, ...]:
    from aworld.environments.registry import kind

    return tuple(_named(kind(suite.environment), Path(place), suite.name))


def _named(known: EnvironmentKind, place: Path, suite: str) -> list[Task]:
    tasks = [msgspec.structs.replace(task, suite=suite) for task in known.read(place)]
    if len(tasks) > MOST_TASKS:
        raise ConfigurationError(f"{suite!r} has {len(tasks)} tasks; up to {MOST_TASKS} are kept.")
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise ConfigurationError(f"{suite!r} has two tasks {task.id!r}. Rename one.")
        seen.add(task.id)
    return tasks


def _check_name(name: str, environment: str) -> None:
    from aworld.environments.registry import suites

    if not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"{name!r} is no name for a suite. Use 1 to 80 of a-z, 0-9, '.', '_' and '-', a letter "
            "or digit first."
        )
    brought = imported_suites().get(name)
    if brought is None and name in {suite for _, suite, _ in suites()}:
        raise ConfigurationError(f"A suite {name!r} ships already. Choose another name.")
    if brought is not None and brought.environment != environment:
        raise ConfigurationError(
            f"A suite {name!r} was imported for {brought.environment!r} already. Choose another "
            "name, or remove that one."
        )


def _first_reading(known: EnvironmentKind, top: Path, suite: str) -> tuple[Path, list[Task]]:
    """Where the tasks begin, and the tasks. An archive often has one folder with all in it."""
    first: ConfigurationError | None = None
    for place in _places(top):
        try:
            tasks = _named(known, place, suite)
        except ConfigurationError as error:
            first = first or error
            continue
        if tasks:
            return place, tasks
    said = str(first).replace(f"{top}/", "").replace(str(top), "the import") if first else ""
    raise ConfigurationError(
        f"No task of {known.title} can be read there: {said or 'there is none'}"
    )


def _places(top: Path) -> Iterator[Path]:
    """The only file or folder of the content first, as long as there is but one; then the top."""
    inner = [top]
    while inner[-1].is_dir() and len(inner) <= _DEEPEST:
        children = [child for child in inner[-1].iterdir() if child.name not in _IGNORED]
        if len(children) != 1:
            break
        inner.append(children[0])
    yield from reversed(inner)


def _lay_out(top: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, or unpack the only one where it is an archive."""
    if len(files) == 1:
        ((name, data),) = files.items()
        if name.lower().endswith(".zip"):
            return _unpack(top, name, data)
    if not files:
        raise ConfigurationError("There is no file in it. Choose a folder, a file or a .zip.")
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        raise ConfigurationError(_too_much("The import"))
    for name, data in files.items():
        _write(top, name, data)


def _unpack(top: Path, name: str, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            unpacked = sum(member.file_size for member in members)
            if len(members) > MOST_FILES or unpacked > MOST_BYTES:
                raise ConfigurationError(_too_much(repr(name)))
            for member in members:
                if (member.external_attr >> 16) & 0o170000 not in (0, 0o100000):
                    raise ConfigurationError(
                        f"{name!r} has a link, {member.filename!r}. Put the file itself there."
                    )
                path = _write(top, member.filename, archive.read(member))
                if path is not None and (member.external_attr >> 16) & 0o111:
                    path.chmod(0o755)
    except _DAMAGED as error:
        raise ConfigurationError(f"{name!r} cannot be unpacked: {error}.") from error


def _write(top: Path, name: str, data: bytes) -> Path | None:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0] == "/" or ".." in parts or "\0" in name or ":" in parts[0]:
        raise ConfigurationError(f"The path {name!r} leads out of the suite. Leave it out.")
    if _IGNORED & set(parts):
        return None
    path = top.joinpath(*parts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise ConfigurationError(f"{name!r} cannot be kept: {error.strerror or error}.") from error
    return path


def _too_much(what: str) -> str:
    return (
        f"{what} is too much: up to {MOST_FILES} files and {MOST_BYTES // 2**20} MB unpacked are "
        "taken. Split it."
    )
