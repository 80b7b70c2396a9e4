"""`aworld score`: JSON lines in, verdicts out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def _score(*arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aworld.command_line.main", "score", *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False)


def test_each_line_gets_its_verdict_and_the_end_the_count() -> None:
    lines = '{"answer": "$17.00", "truth": "17"}\n\n{"answer": "17 kg", "truth": 17}\n'
    done = _score("gaia", lines=lines)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["correct"], second["correct"]) == (True, False)
    assert second["near_miss"] == "Nearly right: a unit or other words around the number."
    assert (done.returncode, done.stderr) == (0, "1 of 2 correct, 1 nearly\n")


def test_a_bad_line_is_named_the_others_are_scored_and_the_status_is_not_0(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(
        b'{"answer": "1", "truth": "1"}\n{"answer": "1"\n{"answer": "1"}\n'
        b'{"answer": "1", "truth": null}\n\xff\n{"answer": null, "truth": "1"}\n'
    )
    done = _score("gaia", str(file))
    assert done.returncode == 1
    assert [json.loads(line).get("line") for line in done.stdout.splitlines()] == [
        *(None, 2, 3, 4, 5, None)
    ]
    said = done.stderr.splitlines()
    assert [line.split(": ")[1] for line in said[:-1]] == ["line 2", "line 3", "line 4", "line 5"]
    assert said[-1] == "1 of 2 correct; 4 lines could not be scored"


def test_options_are_given_by_name_and_wrong_ones_refused_before_reading() -> None:
    line = '{"answer": "{\\"a\\": 1.004, \\"b\\": 2}", "truth": {"a": 1}}\n'
    options = ("--option", "mode=subset", "--option", "tolerance=0.01")
    assert json.loads(_score("json", *options, lines=line).stdout)["correct"] is True
    wrong = _score("json", "--option", "mode=fuzzy", lines=line)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "Invalid enum value 'fuzzy'" in wrong.stderr
    assert "Write --option name=value" in _score("json", "--option", "mode", lines=line).stderr


def test_a_file_or_scorer_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    missing = _score("gaia", str(tmp_path / "none.jsonl"))
    assert missing.returncode == 1
    assert "cannot be read: No such file or directory" in missing.stderr
    assert "There is no scorer 'judge'" in _score("judge").stderr


def test_a_reader_that_has_enough_ends_it_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text('{"answer": "1", "truth": "1"}\n' * 5_000, encoding="utf-8")
    command = [sys.executable, "-m", "aworld.command_line.main", "score", "gaia", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert json.loads(process.stdout.readline())["correct"] is True
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
