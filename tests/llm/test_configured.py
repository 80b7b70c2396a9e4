"""`models:` in config.yaml: who may be asked, and who stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.agents.catalogue import find_model
from aworld.errors import ConfigurationError
from aworld.llm.configured import VARIABLE, configured_models

TEXT = """
models:
  writer: {provider: deepseek, model: deepseek-chat, fallbacks: [spare, local]}
  spare: {provider: ollama, model: qwen3, fallbacks: [writer]}
"""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path / "no-home"))
    monkeypatch.delenv("AWORLD_MONGODB_URI", raising=False)


def write(folder: Path, text: str) -> Path:
    file = folder / "config.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_connection_comes_with_its_fallbacks_but_not_with_theirs(tmp_path: Path) -> None:
    write(tmp_path, TEXT)
    assert find_model("writer", folder=tmp_path) == {
        "name": "writer",
        "provider": "deepseek",
        "model": "deepseek-chat",
        "fallbacks": [
            {"name": "spare", "provider": "ollama", "model": "qwen3"},
            {"name": "local", "provider": "local", "model": "local"},
        ],
    }


def test_a_change_of_the_file_counts_at_the_next_look(tmp_path: Path) -> None:
    write(tmp_path, "models: {m: {provider: vllm, model: old}}")
    before = find_model("m", folder=tmp_path)["model"]
    write(tmp_path, "models: {m: {provider: vllm, model: new}}")
    assert (before, find_model("m", folder=tmp_path)["model"]) == ("old", "new")


def test_processes_elsewhere_find_the_file_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setenv(VARIABLE, str(write(tmp_path, TEXT)))
    assert set(configured_models(tmp_path / "elsewhere")) == {"writer", "spare"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("models: {m: {fallbacks: [m]}}", "cannot fall back on itself"),
        ("models: {m: {fallbacks: [n, n]}}", "Name each once"),
        ("models: {m: {fallbacks: n}}", "must be a list of names"),
        ("models: {m: {fallbacks: [n]}}", "falls back on 'n', which does not exist"),
        ("models: [m]", "must map each name"),
        ("models: {m: [", "cannot be read"),
    ],
)
def test_what_cannot_work_is_said(tmp_path: Path, text: str, why: str) -> None:
    write(tmp_path, text)
    with pytest.raises(ConfigurationError, match=why):
        find_model("m", folder=tmp_path)
