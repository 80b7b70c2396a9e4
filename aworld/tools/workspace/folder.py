"""Opens files below a folder, and only there.

Code in the sandbox shares the folder and may put links into it at any moment, so a path is not
checked and then opened: each part is opened inside the one before it, and no link is followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from aworld.errors import ToolError
from aworld.tools.failures import ToolRefused

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
# Opening a named pipe would wait for ever without O_NONBLOCK.
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_DEEPEST = 32


class Folder:
    """The workspace."""

    def __init__(self, root: str) -> None:
        """Raises ToolRefused where the run has no workspace."""
        if not root:
            raise ToolRefused("This run has no workspace, so there are no files.")
        self._root = Path(root)
        if os.open not in os.supports_dir_fd:
            raise ToolRefused("File tools need a system that can open files relative to a folder.")
        try:
            self._root.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise ToolRefused(f"The workspace {root!r} is a file, not a folder.") from None

    def parts(self, path: str) -> tuple[str, ...]:
        """The names on the way to a path; () is the workspace itself.

        Raises:
            ToolRefused: it leads out of the workspace.
        """
        if "\0" in path or any("\ud800" <= letter <= "\udfff" for letter in path):
            raise ToolRefused("A path may not contain a zero byte or half a character.")
        pure = PurePosixPath(path)
        if pure.is_absolute():
            # The sandbox shows the workspace under this name.
            try:
                pure = pure.relative_to("/workspace")
            except ValueError:
                raise self._outside(path) from None
        if ".." in pure.parts:
            raise self._outside(path)
        if len(pure.parts) > _DEEPEST:
            raise ToolRefused(f"The path {path!r} is too deep.")
        return tuple(part for part in pure.parts if part != ".")

    @contextlib.contextmanager
    def folder(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        """A descriptor of a folder below the workspace."""
        descriptor = os.open(self._root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
        try:
            for number, part in enumerate(parts, 1):
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, 0o755, dir_fd=descriptor)
                with named("/".join(parts[:number])):
                    inner = os.open(part, _FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor
        finally:
            os.close(descriptor)

    def open(self, path: str, flags: int, *, make: bool = False) -> int:
        """A descriptor of a file; the caller closes it. `make` makes missing folders.

        Raises:
            ToolError: it is not there, or no plain file.
            ToolRefused: it is outside, or a link.
        """
        parts = self.parts(path)
        if not parts:
            raise ToolError(f"{path!r} is the workspace itself, not a file in it.")
        with self.folder(parts[:-1], make=make) as folder, named(path):
            descriptor = os.open(parts[-1], flags | _FILE, 0o644, dir_fd=folder)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ToolError(f"{path!r} is not a plain file.")
        return descriptor

    def _outside(self, path: str) -> ToolRefused:
        return ToolRefused(
            f"The path {path!r} leads out of the workspace. Use a path inside it, like 'notes.txt'."
        )


@contextlib.contextmanager
def named(path: str) -> Iterator[None]:
    """Turns the system's errors into sentences about `path`."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError(f"There is no {path!r} in the workspace.") from None
    except IsADirectoryError:
        raise ToolError(f"{path!r} is a folder.") from None
    except OSError as error:
        # A link where a folder was wanted is "not a directory" to Linux, "a loop" to others.
        if error.errno == errno.ELOOP:
            raise ToolRefused(f"{path!r} is a link; links are not followed.") from None
        raise ToolError(f"{path!r} cannot be opened: {error.strerror}.") from None
