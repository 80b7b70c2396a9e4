"""What cannot be run here is said, with a count for each reason."""

from __future__ import annotations

from typing import Any

from aworld.environments import registry
from aworld.environments.base import Task
from aworld.environments.desktop.support import classify
from aworld.tools.desktop import programs
from scripts.system_packages import WANTED


def task(key: str, **fields: Any) -> Task:
    judge = {"func": "exact_match", "result": {"type": "vm_screen_size"}}
    data = {"id": key, "instruction": "x", "evaluator": judge, **fields}
    return Task(id=key, environment="osworld", suite="s", question="x", data=data)


def test_tasks_are_counted_by_what_they_lack() -> None:
    live = {"type": "chrome_open_tabs", "parameters": {"urls_to_open": ["https://example.org"]}}
    root = {"type": "execute", "parameters": {"command": "echo pw | sudo -S reboot"}}
    drive = {"type": "googledrive", "parameters": {}}
    judge = {"func": "is_vlc_playing", "result": {"type": "vlc_playing_info"}}
    able, reasons = classify(
        [
            task("a"),
            task("b", config=[live]),
            task("c", config=[live, drive]),
            task("d", config=[root]),
            task("e", evaluator=judge),
            task("f", proxy=True),
            task("g", evaluator={"func": "infeasible"}),
        ]
    )
    assert able == ["a", "g"]
    assert reasons == {
        "it needs the live web": 2,
        "the step 'googledrive' is not carried out here": 1,
        "a step needs a virtual machine (echo pw | sudo -S reboot)": 1,
        "the metric 'is_vlc_playing' is not there": 1,
        "the getter 'vlc_playing_info' is not there": 1,
        "it needs the live web through a proxy": 1,
    }


def test_the_shipped_tasks_lack_nothing_but_programs_that_the_tests_install() -> None:
    shipped = [programs.APPLICATIONS[name] for name in programs.SHIPPED]
    installed = {wanted.package for wanted in WANTED}
    assert {program.package for program in [*programs.NEEDED, *shipped]} <= installed
    _, reasons = classify(registry.kind("osworld").tasks("desktop"))
    assert {why for why in reasons if "is not installed" not in why} == set()
