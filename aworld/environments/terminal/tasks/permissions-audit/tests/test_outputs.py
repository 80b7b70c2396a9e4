"""The permissions."""

import stat
from pathlib import Path

APP = Path("/app")
EXPECTED = {
    "deploy": 0o750,
    "deploy/etc": 0o750,
    "deploy/etc/app.conf": 0o640,
    "deploy/etc/site.pem": 0o600,
    "deploy/notes.md": 0o640,
    "deploy/run": 0o750,
    "deploy/secrets": 0o700,
    "deploy/secrets/deep": 0o750,
    "deploy/secrets/deep/er.txt": 0o600,
    "deploy/secrets/token": 0o600,
    "deploy/tools": 0o750,
    "deploy/tools/tool.py": 0o750,
    "deploy/var": 0o750,
    "deploy/var/spool": 0o1733,
    "deploy/var/spool/in.dat": 0o640,
}


def mode(name):
    return stat.S_IMODE((APP / name).lstat().st_mode)


def test_every_rule_holds():
    found = {name: oct(mode(name)) for name in EXPECTED}
    assert found == {name: oct(wanted) for name, wanted in EXPECTED.items()}


def test_what_a_link_points_at_is_left_alone():
    assert mode("outside.txt") == 0o666
    assert (APP / "deploy/link").is_symlink()


def test_the_changes_are_listed():
    assert (APP / "changed.txt").read_text().splitlines() == [
        "etc/app.conf",
        "etc/site.pem",
        "run",
        "secrets",
        "secrets/deep/er.txt",
        "secrets/token",
        "tools/tool.py",
        "var/spool",
        "var/spool/in.dat",
    ]


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
