"""Mathematics by math-verify, in a process that can be stopped."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aworld.errors import ConfigurationError
from aworld.scorers.processes.pool import ComparisonFailed, ComparisonUnavailable, ProcessPool
from aworld.scorers.registry import score


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        (r"\boxed{070}", "70"),
        (r"so it is \boxed{\frac{1}{2}}", "0.5"),
        (r"FINAL ANSWER: $\frac12$", "1/2"),
        ("50%", r"\frac12"),
        (r"\sqrt{12}", r"2\sqrt3"),
        ("2*sqrt(3)", r"2\sqrt3"),
        ("x=5", "5"),
        (r"\{2,1\}", r"\{1,2\}"),
        ("1,000", "1000"),
        ("x^2+2x+1", "(x+1)^2"),
        ("3 cm", r"3 \text{ cm}"),
        ("(1,2)", "(1,2)"),
        ("(2, 1, 3)", "(2,1,3)"),
        ("[1, 2)", "[1,2)"),
        ("2*pi**2", r"2\pi^2"),
        ("√2/2", r"\frac{\sqrt2}{2}"),
        ("1 and 2", "2, 1"),
        ("Yes", "yes"),
    ],
)
def test_equal_things_are_equal_in_whatever_writing(answer: str, truth: str) -> None:
    verdict = score("math", answer, truth)
    assert verdict.correct, verdict.why


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("(2,1)", "(1,2)"),
        ("(3, 4)", "4"),
        ("0.3333", "1/3"),
        ("-7", "7"),
        ("2y", "2x"),
        ("eys", "yes"),
        ("I think 12, then 204", "204"),
        ("", "3"),
        (r"\boxed{}", "3"),
        (r"\frac{1}{0}", "0"),
        ("nonsense words that mean nothing", "3"),
    ],
)
def test_unequal_things_and_prose_are_wrong(answer: str, truth: str) -> None:
    assert not score("math", answer, truth).correct


def test_a_comparison_that_does_not_end_is_stopped_and_the_next_one_is_judged() -> None:
    verdict = score("math", "10^{10^{10^{10}}}", "3", {"seconds": 1})
    assert not verdict.correct
    assert "did not end within 1 s and was stopped" in verdict.why
    assert score("math", "3", "3").correct


def test_answers_from_threads_are_judged_side_by_side() -> None:
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda n: score("math", str(n % 3), "1").correct, range(24)))
    assert found == [n % 3 == 1 for n in range(24)]


def test_no_code_in_an_answer_is_run(tmp_path: Path) -> None:
    mark = f"{tmp_path}/mark"
    for answer in (
        f"__import__('os').mkdir('{mark}')",
        f"\\boxed{{__import__('os').mkdir('{mark}')}}",
        f"FINAL ANSWER: (1).__class__.__base__.__subclasses__() + open('{mark}', 'w')",
    ):
        assert not score("math", answer, "3").correct
    assert not os.path.exists(mark)


@pytest.mark.parametrize("truth", ["", "it is four, or so I have been told", "9" * 3_000])
def test_a_truth_that_is_no_expression_is_refused(truth: str) -> None:
    with pytest.raises(ConfigurationError, match="is no expression"):
        score("math", "3", truth)


@pytest.mark.parametrize("answer", ["{" * 1_500, r"\boxed{" * 200_000, "1+" * 900 + "1", "\ud800"])
def test_a_hostile_answer_is_wrong_and_soon_over(answer: str) -> None:
    assert not score("math", answer, "3", {"seconds": 2}).correct


def _children() -> set[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text(encoding="utf-8").split()}


def _processor_ticks(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(stat.rpartition(")")[2].split()[11])


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds the process in /proc")
def test_a_process_that_is_killed_in_the_middle_fails_one_comparison_only() -> None:
    pool = ProcessPool("aworld.scorers.processes.patterns")
    slow = {"pattern": "(a+)+$", "text": "a" * 40 + "b", "whole": False, "ignore_case": False}
    before = _children()
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        asked = thread.submit(pool.ask, slow, 60)
        while not (started := _children() - before):
            threading.Event().wait(0.01)
        process = started.pop()
        # More than it takes to start: it is at the pattern.
        while _processor_ticks(process) < 50:
            threading.Event().wait(0.01)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(ComparisonFailed):
            asked.result(30)
    assert pool.ask(slow | {"text": "aaa"}, 5) == {"found": "aaa"}
    pool.close()
    assert _children() <= before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_worker_starts_processes_of_its_own() -> None:
    question = {"pattern": "b", "text": "abc", "whole": False, "ignore_case": False}
    code = (
        "import os, sys\n"
        "from aworld.scorers.processes.pool import ProcessPool\n"
        "pool = ProcessPool('aworld.scorers.processes.patterns')\n"
        f"question = {question!r}\n"
        "first = pool._idle[0].pid if pool.ask(question, 5) else 0\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    same = pool.ask(question, 5) != {'found': 'b'} or pool._idle[0].pid == first\n"
        "    pool.close()\n"
        "    os._exit(same)\n"
        "status = os.waitpid(child, 0)[1]\n"
        "sys.exit(status or pool.ask(question, 5) != {'found': 'b'})\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_process_that_cannot_start_is_no_verdict() -> None:
    with pytest.raises(ComparisonUnavailable, match="python -m aworld.scorers.nowhere"):
        ProcessPool("aworld.scorers.nowhere").ask({}, 5)


def test_knowing_the_scorers_loads_no_sympy() -> None:
    code = (
        "import sys; from aworld.scorers import registry; registry.scorers(); "
        "sys.exit(any(name in sys.modules for name in ('sympy', 'math_verify', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
