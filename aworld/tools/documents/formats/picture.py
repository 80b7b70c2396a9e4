"""Pictures: size, EXIF, main colours, text in them where tesseract is installed, and themselves."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aworld.tools.documents.colours import name_of
from aworld.tools.documents.formats.raster import for_a_model, load
from aworld.tools.documents.model import DocumentError, Opened, Produced, Wanted, one_line

if TYPE_CHECKING:
    from PIL.Image import Image

OCR_SECONDS = 20.0
_MAIN_COLOURS = 6
_LONGEST_TAG = 200
_UNTOLD = {"MakerNote", "UserComment", "PrintImageMatching", "ComponentsConfiguration"}


class Picture(Opened):
    """One picture."""

    kind = "picture"
    title = "picture"

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__()
        self._original = Produced(name, "image/*", data)
        picture = load(data, name)
        frames = getattr(picture, "n_frames", 1)
        self.facts = {
            "Format": str(picture.format),
            "Size": f"{picture.width} x {picture.height} pixels",
            "Mode": picture.mode,
            "Frames": str(frames) if frames > 1 else "",
            "Resolution": _resolution(picture.info.get("dpi")),
            **_exif(picture),
            **_texts(picture),
        }
        try:
            self.facts["Main colours"] = _main_colours(picture)
        except (OSError, SyntaxError, ValueError) as error:
            raise DocumentError(
                f"{name!r} is a damaged or cut off {picture.format} picture: {error}."
            ) from None
        self._text = self._recognised()

    def lines(self, part: int) -> Iterator[str]:
        """The text in the picture."""
        return iter(self._text)

    def pictures(self, part: int) -> list[Produced]:
        """The picture itself."""
        return [for_a_model(self._original)]

    def _recognised(self) -> list[str]:
        program = shutil.which("tesseract")
        if program is None:
            self.notes.append(
                "text in the picture is not recognised, for tesseract is not installed "
                "('apt install tesseract-ocr'). A model that can see reads the attached picture."
            )
            return []
        shown = for_a_model(self._original)
        try:
            done = subprocess.run(
                [program, "stdin", "stdout"],
                input=shown.data,
                capture_output=True,
                timeout=OCR_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self.notes.append(f"text was not recognised within {OCR_SECONDS:g} s.")
            return []
        if done.returncode != 0:
            said = one_line(done.stderr.decode("utf-8", "replace"))[:200]
            self.notes.append(f"tesseract could not read the picture: {said}.")
            return []
        lines = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line]
        self.facts["Text"] = f"recognised by tesseract, lines: {len(lines)}"
        return lines


def _main_colours(picture: Image) -> str:
    """`white #FFFFFF 80 %, red #FF0000 20 %`, of a small copy."""
    picture.draft("RGB", (256, 256))
    small = picture.convert("RGBA")
    small.thumbnail((128, 128))
    counted = small.convert("RGB").quantize(_MAIN_COLOURS).convert("RGB").getcolors() or []
    pixels = small.width * small.height
    # Shades that have the same name count together; the commonest is shown.
    shades: dict[str, str] = {}
    totals: Counter[str] = Counter()
    for count, colour in sorted(counted, reverse=True):
        if isinstance(colour, tuple):
            shade = "#" + "".join(f"{part:02X}" for part in colour[:3])
            shades.setdefault(name_of(shade), shade)
            totals[name_of(shade)] += count
    shares = [(name, round(100 * total / pixels)) for name, total in totals.most_common()]
    return ", ".join(f"{name} {shades[name]} {share} %" for name, share in shares if share)


def _exif(picture: Image) -> dict[str, str]:
    from PIL import ExifTags

    found: dict[str, str] = {}
    try:
        exif = picture.getexif()
        tags = {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
        place = exif.get_ifd(ExifTags.IFD.GPSInfo)
    except (ValueError, TypeError, KeyError, OSError, SyntaxError):
        return found
    for number, value in tags.items():
        name = ExifTags.TAGS.get(number, "")
        if name and name not in _UNTOLD and not isinstance(value, bytes | dict):
            found[f"EXIF {name}"] = one_line(str(value).strip("\0 "))[:_LONGEST_TAG]
    found.pop("EXIF ExifOffset", None)
    found.pop("EXIF GPSInfo", None)
    latitude, longitude = _degrees(place, 2, 1, "S"), _degrees(place, 4, 3, "W")
    if latitude is not None and longitude is not None:
        found["EXIF place"] = f"{latitude:.6f}, {longitude:.6f} (latitude, longitude)"
    return found


def _degrees(place: dict[int, Any], value: int, reference: int, negative: str) -> float | None:
    try:
        degrees, minutes, seconds = (float(part) for part in place[value])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    found = degrees + minutes / 60 + seconds / 3600
    return -found if place.get(reference) == negative else found


def _texts(picture: Image) -> dict[str, str]:
    """Comments that PNG and GIF files carry."""
    return {
        f"Text {key!r}": one_line(value)[:_LONGEST_TAG]
        for key, value in list(picture.info.items())[:20]
        if isinstance(value, str) and isinstance(key, str) and "xmp" not in key.lower()
    }


def _resolution(dpi: Any) -> str:
    try:
        return f"{float(dpi[0]):g} x {float(dpi[1]):g} dpi" if dpi else ""
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        return ""


def open_document(data: bytes, wanted: Wanted) -> Picture:
    """Look at all of it."""
    return Picture(data, wanted.name)
