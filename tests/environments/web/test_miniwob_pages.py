"""Where MiniWoB's pages come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from aworld.environments.web.kind import KIND
from aworld.environments.web.miniwob import pages
from aworld.environments.web.miniwob.oracles import SOLUTIONS
from aworld.errors import ConfigurationError
from tests.environments.web.test_miniwob import TEN, lacking


@pytest.mark.skipif(bool(lacking()), reason=lacking())
def test_every_page_of_the_release_is_a_task() -> None:
    names = {
        name.removeprefix("miniwob/").removesuffix(".html")
        for name in pages.load_pages()
        if name.startswith("miniwob/") and name.endswith(".html")
    }
    assert {task.id for task in KIND.tasks("miniwob")} == names and len(names) == 130
    assert set(TEN) == set(SOLUTIONS)


def test_pages_that_were_changed_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "html"
    folder.mkdir()
    (folder / "core.js").write_text("WOB_RAW_REWARD_GLOBAL = 1", encoding="utf-8")
    monkeypatch.setattr(pages, "_installed", lambda: folder)
    with pytest.raises(ConfigurationError, match="a file was changed"):
        pages.load_pages.__wrapped__()


def test_without_pages_it_is_said_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_installed", lambda: None)
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    with pytest.raises(ConfigurationError, match="pip install --no-deps miniwob==1.1.0"):
        pages.load_pages.__wrapped__()
