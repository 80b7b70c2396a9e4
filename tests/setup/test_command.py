"""The `aworld` command itself: finding commands, help with an example, errors in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from aworld.command_line.main import command_modules, main


def test_every_command_has_help_with_an_example_and_answers_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in command_modules():
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        told = capsys.readouterr().out
        assert ended.value.code == 0
        assert f"example:\n  aworld {name}" in told, name
        assert "--json" in told, name


def test_help_lists_the_commands_that_the_web_application_adds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert {"up", "worker", "doctor", "setup-training", "run"} <= set(told.split())


def test_an_unknown_command_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dance"])
    assert ended.value.code == 2
    assert "'dance'" in capsys.readouterr().err


def test_an_error_is_told_in_json_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["up", "--port", "99999", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["kind"] == "ConfigurationError"
    assert told.err.startswith("aworld: Port 99999 does not exist")


def test_one_command_imports_no_other() -> None:
    program = (
        "import sys; sys.argv = ['aworld', 'doctor', '--help']\n"
        "from aworld.command_line.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('aworld_web.command_line.')])\n"
        "print([m for m in ('django', 'celery', 'openai', 'aiohttp') if m in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert said[-2:] == ["['aworld_web.command_line.doctor']", "[]"]
