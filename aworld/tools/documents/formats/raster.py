"""Pictures for a model that can see: small enough, and of a kind that models take."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from aworld.tools.documents.model import DocumentError, Produced

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 50_000_000
_MOST_SIDE = 1568
"""Models scale down what is larger."""
_MOST_BYTES = 1_500_000
_TAKEN = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}


def load(data: bytes, name: str) -> Image:
    """A picture whose pixels have not been read yet.

    Raises:
        DocumentError: it cannot be read, or has too many pixels.
    """
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None
    try:
        picture = Image.open(io.BytesIO(data))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        kind = "HEIC or AVIF picture" if data[4:8] == b"ftyp" else "picture"
        raise DocumentError(f"{name!r} is a {kind} that cannot be read: {error}.") from None
    if picture.width * picture.height > MOST_PIXELS:
        raise DocumentError(
            f"{name!r} has {picture.width} x {picture.height} pixels; up to {MOST_PIXELS} are read."
        )
    return picture


def for_a_model(original: Produced) -> Produced:
    """The picture as it is, where a model can take it, else smaller or as PNG or JPEG."""
    picture = load(original.data, original.name)
    media_type = _TAKEN.get(picture.format or "")
    fits = max(picture.size) <= _MOST_SIDE and len(original.data) <= _MOST_BYTES
    if media_type is not None and fits:
        return Produced(original.name, media_type, original.data)
    picture.draft("RGB", (_MOST_SIDE, _MOST_SIDE))
    has_alpha = "A" in picture.getbands() or "transparency" in picture.info
    shown = picture.convert("RGBA" if has_alpha else "RGB")
    shown.thumbnail((_MOST_SIDE, _MOST_SIDE))
    stem = original.name.rpartition(".")[0] or original.name
    out = io.BytesIO()
    shown.save(out, "PNG", optimize=False)
    if out.tell() <= _MOST_BYTES:
        return Produced(f"{stem}.png", "image/png", out.getvalue())
    out = io.BytesIO()
    shown.convert("RGB").save(out, "JPEG", quality=85)
    return Produced(f"{stem}.jpg", "image/jpeg", out.getvalue())
