"""Metrics on pictures: size, structure, brightness, contrast, saturation, sharpness."""

from __future__ import annotations

import os
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image

from aworld.environments.desktop.metrics.registry import metric

Rules = dict[str, Any]
Path = str | None
Plane = NDArray[numpy.float64]
"""One channel, `(height, width)`."""
_WINDOW = 7
_LEAST_ALIKE = 0.9
_LARGEST_ERROR = 0.03


def _picture(path: str) -> Image.Image:
    """A picture, read whole."""
    with Image.open(path) as image:
        image.load()
        return image


def structural_similarity(first: Plane, second: Plane) -> float:
    """The mean SSIM of two planes of values 0 to 255, with a flat window of 7 by 7 pixels, as
    scikit-image computes it by default."""
    area = _WINDOW * _WINDOW
    mean1, mean2 = _means(first), _means(second)
    sample = area / (area - 1)
    variance1 = sample * (_means(first * first) - mean1 * mean1)
    variance2 = sample * (_means(second * second) - mean2 * mean2)
    covariance = sample * (_means(first * second) - mean1 * mean2)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    upper = (2 * mean1 * mean2 + c1) * (2 * covariance + c2)
    lower = (mean1**2 + mean2**2 + c1) * (variance1 + variance2 + c2)
    return float((upper / lower).mean())


def _means(plane: Plane) -> Plane:
    """The mean of each window that lies wholly within, by a table of sums."""
    sums = numpy.pad(plane, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    n = _WINDOW
    total = sums[n:, n:] - sums[:-n, n:] - sums[n:, :-n] + sums[:-n, :-n]
    means: Plane = total / (n * n)
    return means


def _alike(first: Image.Image, second: Image.Image, least: float = _LEAST_ALIKE) -> bool:
    """Whether pictures of one size have the same structure."""
    if first.size != second.size or min(first.size) < _WINDOW:
        return False
    planes = [numpy.asarray(one.convert("RGB"), dtype=numpy.float64) for one in (first, second)]
    channels = [structural_similarity(planes[0][..., c], planes[1][..., c]) for c in range(3)]
    return float(numpy.mean(channels)) >= least


def _near(first: Image.Image, second: Image.Image, most: float = _LARGEST_ERROR) -> bool:
    """Whether the mean square error of values 0 to 1 is small; the first is made to fit."""
    if first.size != second.size:
        first = first.resize(second.size, Image.Resampling.LANCZOS)
    planes = [numpy.asarray(one.convert("RGB"), dtype=numpy.float64) for one in (first, second)]
    return float((((planes[0] - planes[1]) / 255) ** 2).mean()) < most


def _brightness(image: Image.Image) -> float:
    return float(numpy.asarray(image.convert("L"), dtype=numpy.float64).mean())


def _saturation(image: Image.Image) -> float:
    return float(numpy.asarray(image.convert("HSV"), dtype=numpy.float64)[..., 1].mean())


def _evenly_bright(image: Image.Image, brightness: float = 128.0) -> Image.Image:
    factor = brightness / max(_brightness(image), 1e-9)
    return image.convert("RGB").point([min(255, int(v % 256 * factor)) for v in range(768)])


@metric
def check_structure_sim(src_path: Path, tgt_path: Path) -> float:
    """The same size and structure."""
    if src_path is None or tgt_path is None:
        return 0.0
    return float(_alike(_picture(src_path), _picture(tgt_path)))


@metric
def check_structure_sim_resized(src_path: Path, tgt_path: Path) -> float:
    """The same structure once what is not transparent has the other's size."""
    if src_path is None or tgt_path is None:
        return 0.0
    source, target = _picture(src_path), _picture(tgt_path)
    if source.mode in ("RGBA", "LA") or "transparency" in source.info:
        source = source.convert("RGBA")
        box = source.getchannel("A").getbbox()
        if box is None:
            return 0.0
        source = source.crop(box).convert("RGB")
    return float(_alike(source.resize(target.size), target))


@metric
def check_file_exists_and_structure_sim(src_path: Path, tgt_path: Path) -> float:
    """The file is there, with the other's size and structure."""
    return check_structure_sim(src_path, tgt_path)


@metric
def check_image_mirror(src_path: Path, tgt_path: Path) -> float:
    """One is the mirror image of the other."""
    if src_path is None or tgt_path is None:
        return 0.0
    mirrored = _picture(src_path).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return float(_alike(mirrored, _picture(tgt_path), 0.99))


@metric
def check_brightness_decrease_and_structure_sim(
    src_path: Path, tgt_path: Path, threshold: float = _LARGEST_ERROR
) -> float:
    """Darker than the other, and the same once both are equally bright."""
    if src_path is None or tgt_path is None:
        return 0.0
    source, target = _picture(src_path), _picture(tgt_path)
    same = _near(_evenly_bright(source), _evenly_bright(target), threshold)
    return float(_brightness(source) < _brightness(target) and same)


@metric
def check_contrast_increase_and_structure_sim(src_path: Path, tgt_path: Path) -> float:
    """More contrast than the other, with the same structure."""
    if src_path is None or tgt_path is None:
        return 0.0
    source, target = _picture(src_path), _picture(tgt_path)
    spread = [float(numpy.asarray(i, dtype=numpy.float64).std()) for i in (source, target)]
    return float(spread[0] > spread[1] and _alike(source, target, 0.65))


@metric
def check_saturation_increase_and_structure_sim(src_path: Path, tgt_path: Path) -> float:
    """More saturated than the other, with the same hues and brightness."""
    if src_path is None or tgt_path is None:
        return 0.0
    source, target = _picture(src_path), _picture(tgt_path)
    if not _saturation(target) < _saturation(source):
        return 0.0
    bands = [image.convert("HSV").split() for image in (source, target)]
    return float(all(_alike(bands[0][band], bands[1][band]) for band in (0, 2)))


@metric
def check_image_size(src_path: Path, rule: Rules) -> float:
    """`width` and `height` in pixels, where given; `ignore_transparent`: of what is seen."""
    if src_path is None:
        return 0.0
    image = _picture(src_path)
    size = image.size
    clear = image.mode in ("RGBA", "LA") and rule.get("ignore_transparent", False)
    if clear or "transparency" in image.info:
        box = image.convert("RGBA").getchannel("A").getbbox() or (0, 0, 0, 0)
        size = (box[2] - box[0], box[3] - box[1])
    wanted = (rule.get("width"), rule.get("height"))
    return float(all(w is None or w == s for w, s in zip(wanted, size, strict=True)))


@metric
def check_image_file_size(src_path: Path, rule: Rules) -> float:
    """The file has fewer bytes than `max_size`."""
    return float(src_path is not None and os.path.getsize(src_path) < rule["max_size"])


@metric
def check_sharper(src_path: str, tgt_path: str) -> float:
    """Sharper than the other: its second differences vary more."""
    return float(_sharpness(src_path) > _sharpness(tgt_path))


def _sharpness(path: str) -> float:
    plane = numpy.asarray(_picture(path).convert("L"), dtype=numpy.float64)
    # Borders are mirrored without repeating the edge, as OpenCV's Laplacian does.
    wide = numpy.pad(plane, 1, mode="reflect")
    around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return float((around - 4 * plane).var())


@metric
def compare_images(image1_path: Path, image2_path: Path, **options: Any) -> float:
    """How alike two pictures are in grey, at the smaller size; above `reference_base_result` where
    that is given."""
    if not image1_path or not image2_path:
        return 0.0
    images = [_picture(path).convert("L") for path in (image1_path, image2_path)]
    size = min(image.size for image in images)
    planes = [
        numpy.asarray(image.resize(size, Image.Resampling.LANCZOS), dtype=numpy.float64)
        for image in images
    ]
    similarity = structural_similarity(planes[0], planes[1])
    base = options.get("reference_base_result")
    if base is None:
        return similarity
    return (similarity - base) / (1 - base) if similarity >= base + 0.01 else 0.0


@metric
def compare_image_list(first: str | list[str] | None, second: str | list[str]) -> float:
    """The same pictures, pixel by pixel, in order."""
    if first is None:
        return 0.0
    lists = [[one] if isinstance(one, str) else one for one in (first, second)]
    if len(lists[0]) != len(lists[1]):
        return 0.0
    for path, other in zip(lists[0], lists[1], strict=True):
        if not path or not other or _picture(path).tobytes() != _picture(other).tobytes():
            return 0.0
    return 1.0
