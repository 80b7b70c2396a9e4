"""Sound files: duration, rate and tags. What is said in them is another service's work."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from aworld.tools.documents.formats.raster import for_a_model
from aworld.tools.documents.model import DocumentError, Opened, Produced, Wanted, one_line

_TAGS = ("title", "artist", "album", "albumartist", "composer", "genre", "year", "track", "disc",
         "comment")  # fmt: skip
_LONGEST = 500


class Sound(Opened):
    """What the file says of itself."""

    kind = "sound"
    title = "sound"

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__()
        from tinytag import TinyTag, TinyTagException

        try:
            self._tags: Any = TinyTag.get(name, file_obj=io.BytesIO(data), image=True)
        except (TinyTagException, ValueError, KeyError, IndexError, OSError) as error:
            raise DocumentError(
                f"{name!r} is a sound file that cannot be read: {error or type(error).__name__}. "
                "It may be damaged or cut off."
            ) from None
        tags = self._tags
        self.facts = {
            "Duration": _clock(tags.duration),
            "Bit rate": f"{tags.bitrate:.0f} kbit/s" if tags.bitrate else "",
            "Sample rate": f"{tags.samplerate} Hz" if tags.samplerate else "",
            "Channels": str(tags.channels or ""),
            "Bits a sample": str(tags.bitdepth or ""),
        }
        for tag in _TAGS:
            value = getattr(tags, tag, None)
            self.facts[tag.capitalize()] = one_line(str(value or ""))[:_LONGEST]
        for tag, values in list(tags.other.items())[:20]:
            self.facts[tag.capitalize()] = one_line(", ".join(map(str, values)))[:_LONGEST]

    def lines(self, part: int) -> Iterator[str]:
        """None."""
        return iter(())

    def embedded(self) -> Iterator[Produced]:
        """The cover."""
        cover = self._tags.images.any
        if cover is not None:
            suffix = (cover.mime_type or "image/jpeg").rpartition("/")[2]
            yield for_a_model(Produced(f"cover.{suffix}", "image/*", cover.data))


def _clock(seconds: float | None) -> str:
    """`83.2 s (1:23)`."""
    if seconds is None:
        return ""
    hours, rest = divmod(int(seconds), 3600)
    clock = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    return f"{seconds:.1f} s ({clock})"


def open_document(data: bytes, wanted: Wanted) -> Sound:
    """Read the headers."""
    return Sound(data, wanted.name)
