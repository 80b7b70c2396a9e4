"""`config.yaml`: sets what the environment leaves open, and is nobody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aworld.command_line._settings_file import apply_settings_file
from aworld.errors import ConfigurationError

ROOT = Path(__file__).resolve().parent.parent.parent
VARIABLES = ("AWORLD_HOME", "AWORLD_MONGODB_URI", "AWORLD_REDIS_URL", "AWORLD_PORT")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "AWORLD_WORKERS"):
        # Set first, so that what the code sets is taken back with the test.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def _write(folder: Path, text: str) -> None:
    (folder / "config.yaml").write_text(text, encoding="utf-8")


def test_it_sets_what_the_environment_leaves_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_PORT", "9000")
    _write(tmp_path, "aworld: {home: /data, port: 8100, redis_url: ''}")
    apply_settings_file(tmp_path)
    found = {name: os.environ.get(name) for name in VARIABLES}
    assert found == {
        "AWORLD_HOME": "/data",
        "AWORLD_MONGODB_URI": None,
        "AWORLD_REDIS_URL": None,
        "AWORLD_PORT": "9000",
    }


@pytest.mark.parametrize("text", ["home: /data", "[1, 2]", "not aworld: x"])
def test_another_programs_file_is_left_alone(tmp_path: Path, text: str) -> None:
    _write(tmp_path, text)
    apply_settings_file(tmp_path)
    assert "AWORLD_HOME" not in os.environ


def test_a_misspelt_setting_is_named_with_those_that_exist(tmp_path: Path) -> None:
    _write(tmp_path, "aworld: {hoem: /data}")
    with pytest.raises(ConfigurationError, match="'hoem' that does not exist; there are home"):
        apply_settings_file(tmp_path)


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    _write(tmp_path, "aworld:\n  home: [")
    with pytest.raises(ConfigurationError, match=r"config\.yaml' is no YAML: (?s:.*)line 2"):
        apply_settings_file(tmp_path)


def test_the_checkouts_own_file_is_accepted() -> None:
    apply_settings_file(ROOT)
    assert os.environ["AWORLD_PORT"] == "8000"
