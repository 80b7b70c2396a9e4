"""Names of colours: what a person would call `#C00000`."""

from __future__ import annotations

import colorsys
from typing import Final

_NAMED: Final = {
    "black": (0, 0, 0), "white": (255, 255, 255), "grey": (128, 128, 128),
    "light grey": (211, 211, 211), "dark grey": (80, 80, 80), "red": (255, 0, 0),
    "dark red": (150, 0, 0), "orange": (255, 165, 0), "yellow": (255, 255, 0),
    "light yellow": (255, 242, 204), "green": (0, 176, 80), "bright green": (0, 255, 0),
    "dark green": (0, 97, 0), "light green": (198, 239, 206), "olive": (128, 128, 0),
    "cyan": (0, 255, 255), "teal": (0, 128, 128), "blue": (0, 0, 255),
    "light blue": (173, 216, 230), "sky blue": (0, 176, 240), "steel blue": (68, 114, 196),
    "dark blue": (0, 32, 96), "purple": (112, 48, 160), "violet": (180, 110, 230),
    "magenta": (255, 0, 255), "pink": (255, 192, 203), "brown": (139, 69, 19),
    "lime green": (146, 208, 80), "medium blue": (0, 112, 192), "tan": (210, 180, 140),
    "light orange": (252, 228, 214),
}  # fmt: skip


def name_of(colour: str) -> str:
    """The nearest name of `#RRGGBB`."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))

    def distance(name: str) -> float:
        other = _NAMED[name]
        # What the eye tells apart: green counts most (compuphase.com/cmetric.htm).
        mean = (red + other[0]) / 2
        return (
            (2 + mean / 256) * (red - other[0]) ** 2
            + 4 * (green - other[1]) ** 2
            + (2 + (255 - mean) / 256) * (blue - other[2]) ** 2
        )

    # What has no hue to speak of is a grey, however near a pale colour may be.
    grey = max(red, green, blue) - min(red, green, blue) < 12
    names = [name for name in _NAMED if not grey or len(set(_NAMED[name])) == 1]
    return min(names, key=distance)


def tinted(colour: str, tint: float) -> str:
    """A theme's colour made lighter (0 to 1) or darker (0 to -1), as Excel does."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    parts = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, light)), saturation)
    return "#" + "".join(f"{round(part * 255):02X}" for part in parts)
