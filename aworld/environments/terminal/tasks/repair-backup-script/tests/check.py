"""Looks at what the script did to files that nobody saw before."""

from pathlib import Path

got = Path("/collected")


def tree(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


wanted = [".deep/er/x.conf", "one two/three  four.conf", "plain.conf", "star*.conf"]
assert tree(got / "first") == wanted, f"copied: {tree(got / 'first')}"
assert (got / "first/one two/three  four.conf").read_text() == "3\n", "a copy differs"
assert (got / "first.out").read_text() == "4\n", "the number is not right"
assert (got / "first.code").read_text() == "0\n", "it did not exit with 0"
assert (got / "missing.code").read_text() == "2\n", "a missing source must exit with 2"
errors = (got / "missing.err").read_text().splitlines()
assert len(errors) == 1, f"a missing source must give one line, not {errors!r}"
inner = tree(got / "inner")
assert inner == ["a.conf", "out/a.conf"], f"a target inside the source gave {inner}"
assert (got / "inner.out").read_text() == "1\n", "the number is not right the second time"
print("The script works.")
