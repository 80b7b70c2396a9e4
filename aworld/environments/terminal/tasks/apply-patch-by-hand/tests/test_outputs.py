"""The files after the patch."""

from pathlib import Path

SRC = Path("/app/src")


def test_hunks_that_moved_are_applied():
    wanted = "zero\nnew top\none\nTWO\nand a half\nthree\nfour\n"
    assert (SRC / "a.txt").read_text() == wanted


def test_line_ends_stay():
    assert (SRC / "win.txt").read_bytes() == b"red\r\nGREEN\r\nblue\r\n"


def test_files_are_made_and_deleted():
    assert (SRC / "new/made.txt").read_text() == "fresh\nfile\n"
    assert not (SRC / "gone.txt").exists()


def test_a_hunk_that_fits_nowhere_is_kept_and_the_others_applied():
    assert (SRC / "b.txt").read_text() == "x\ny\nchanged meanwhile\nz\nlast\nLINE\n"
    assert (SRC / "b.txt.rej").read_text() == "@@ -2,2 +2,2 @@\n y\n-z\n+Z\n"
    assert [path.name for path in SRC.rglob("*.rej")] == ["b.txt.rej"]


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
