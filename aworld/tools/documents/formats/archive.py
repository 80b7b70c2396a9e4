"""ZIP archives: listed, read member by member, unpacked only where that is safe."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from aworld.tools.documents.kinds import kind_of
from aworld.tools.documents.model import (
    MOST_BYTES,
    DocumentError,
    Opened,
    Produced,
    Wanted,
    label_of,
)
from aworld.tools.documents.zip_guard import open_zip, problem_of

_MOST_LISTED = 300


class Archive(Opened):
    """The members that are files. None is read unless it is named."""

    kind = "zip"
    title = "ZIP archive"
    unit = "member"

    def __init__(self, archive: zipfile.ZipFile, wanted: Wanted) -> None:
        super().__init__()
        self._archive = archive
        self._wanted = wanted
        self._members = [member for member in archive.infolist() if not member.is_dir()]
        self.labels = [member.filename for member in self._members]
        self.facts["Unpacked"] = f"{sum(member.file_size for member in self._members)} bytes"
        self._inner: Opened | None = None

    def summary(self) -> list[str]:
        """Names and sizes."""
        rows = []
        for member in self._members[:_MOST_LISTED]:
            problem = problem_of(member)
            rows.append(
                f"- {member.filename} ({member.file_size} bytes)"
                + (f" [not unpacked: {problem}]" if problem else "")
            )
        if len(self._members) > _MOST_LISTED:
            rows.append(f"… cut: {_MOST_LISTED} of {len(self._members)} members are listed.")
        return rows

    def shown_by_default(self) -> range:
        """None: the summary lists them."""
        return range(0)

    def lines(self, part: int) -> Iterator[str]:
        """A member's text, read as its own kind. Archives inside are not opened."""
        from aworld.tools.documents.formats import open_document as open_inside

        member = self._members[part]
        try:
            data = self._bytes(member)
            kind = kind_of(data, member.filename)
            if kind == "zip":
                raise DocumentError("an archive inside an archive. Extract it first.")
            inner = open_inside(kind, data, Wanted(name=member.filename))
        except DocumentError as error:
            yield f"(not read: {error})"
            return
        self._inner = inner
        yield from (f"{fact}: {value}" for fact, value in inner.facts.items() if value)
        for number in range(len(inner.labels)):
            if inner.unit:
                yield f"[{label_of(inner, number)}]"
            yield from inner.lines(number)
            yield from inner.appendix()

    def pictures(self, part: int) -> list[Produced]:
        """Those of the member that was read last."""
        inner, self._inner = self._inner, None
        return inner.pictures(0) if inner is not None else []

    def embedded(self) -> Iterator[Produced]:
        """Members that may be unpacked; a note for each that may not."""
        for member in self._members:
            problem = problem_of(member)
            if problem:
                self.notes.append(f"{member.filename!r} was not unpacked: {problem}.")
                continue
            if self._wanted.pages and member.filename != self._wanted.pages:
                continue
            name = member.filename.replace("\\", "/")
            yield Produced(name, "application/octet-stream", self._bytes(member))

    def _bytes(self, member: zipfile.ZipInfo) -> bytes:
        if member.file_size > MOST_BYTES:
            raise DocumentError(
                f"{member.filename!r} has {member.file_size} bytes; up to {MOST_BYTES} are "
                "unpacked."
            )
        if member.flag_bits & 1:
            raise DocumentError(f"{member.filename!r} is encrypted with a password.")
        try:
            return self._archive.read(member)
        except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, ValueError) as error:
            raise DocumentError(f"{member.filename!r} cannot be unpacked: {error}.") from None


def open_document(data: bytes, wanted: Wanted) -> Archive:
    """Read the directory."""
    return Archive(open_zip(data, wanted.name), wanted)
