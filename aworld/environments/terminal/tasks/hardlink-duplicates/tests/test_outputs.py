"""Which names share a file."""

from collections import defaultdict
from pathlib import Path

PHOTOS = Path("/app/photos")


def groups():
    found = defaultdict(set)
    for path in PHOTOS.rglob("*"):
        if path.is_file():
            found[path.stat().st_ino].add(str(path.relative_to(PHOTOS)))
    return sorted(map(sorted, found.values()))


def test_copies_share_a_file():
    assert groups() == [
        ["a/cat.jpg", "b/Cat copy.jpg", "d/line\nbreak"],
        ["b/dog.jpg", "c/dog (3).jpg", "c/dog 2.jpg"],
        ["c/empty"],
        ["c/same size.jpg"],
        ["empty too"],
        ["only.jpg"],
    ]


def test_the_contents_are_what_they_were():
    assert (PHOTOS / "c/dog 2.jpg").read_bytes() == b"dog" * 400
    assert (PHOTOS / "a/cat.jpg").read_bytes() == b"cat" * 400
    assert (PHOTOS / "empty too").read_bytes() == b""


def test_the_bytes_are_counted():
    assert (PHOTOS.parent / "saved.txt").read_text().strip() == "4800"


def main() -> None:
    print("=== short test summary info ===")
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            try:
                test()
            except Exception as error:
                print(f"FAILED test_outputs.py::{name} - {error!r}")
            else:
                print(f"PASSED test_outputs.py::{name}")


if __name__ == "__main__":
    main()
