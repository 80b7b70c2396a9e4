"""Which tasks can be run on this machine, and what the others lack."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable

from aworld.environments.base import Support, Task
from aworld.environments.desktop.config_steps import STEPS
from aworld.environments.desktop.getters.registry import getters
from aworld.environments.desktop.metrics.registry import modules
from aworld.environments.desktop.metrics.slide_comparison import SPECIAL
from aworld.environments.desktop.task_format import DesktopTask, parse
from aworld.tools.desktop import programs

_APPS = {
    "chrome": "browser",
    "libreoffice_calc": "libreoffice",
    "libreoffice_writer": "libreoffice",
    "libreoffice_impress": "libreoffice",
    "gimp": "gimp",
    "vlc": "vlc",
    "thunderbird": "thunderbird",
    "vs_code": "vs_code",
    "vscode": "vs_code",
    "terminal": "terminal",
    "gnumeric": "spreadsheet",
    "mousepad": "text editor",
}
"""OSWorld's `related_apps`, as `programs.APPLICATIONS` names them."""
_VIRTUAL_MACHINE = ("sudo ", "systemctl", "timedatectl", "gnome-extensions", "snap ")
"""Commands that need a whole machine: root, services, GNOME."""
_LIVE_WEB = ("http://", "https://")


@functools.lru_cache(maxsize=64)
def _application(name: str) -> str:
    program = programs.APPLICATIONS[name]
    return "" if programs.is_there(program) else f"{name} is not installed ({program.package})"


def missing_for(task: DesktopTask) -> list[str]:
    """What a task lacks on this machine, in words; empty where it can be run."""
    lacking = [
        said for app in task.related_apps if app in _APPS and (said := _application(_APPS[app]))
    ]
    if task.proxy:
        lacking.append("it needs the live web through a proxy")
    steps = [*task.config, *task.evaluator.postconfig]
    lacking += [
        f"the step {s.type!r} is not carried out here" for s in steps if s.type not in STEPS
    ]
    for step in steps:
        text = str(step.parameters.get("command", ""))
        if any(word in text for word in _VIRTUAL_MACHINE):
            lacking.append(f"a step needs a virtual machine ({text[:60]})")
        if step.type == "chrome_open_tabs":
            urls = step.parameters.get("urls_to_open", [])
            if any(str(url).startswith(_LIVE_WEB) for url in urls):
                lacking.append("it needs the live web")
    for check in task.checks():
        if check.func not in modules():
            lacking.append(f"the metric {check.func!r} is not there")
        lacking += [
            f"the metric {check.func!r} does not know {name!r}"
            for name in SPECIAL
            if check.options.get(name, False)
        ]
        for config in (check.result, check.expected or {}):
            if config and config.get("type") not in getters():
                lacking.append(f"the getter {config.get('type')!r} is not there")
    return list(dict.fromkeys(lacking))


def classify(tasks: Iterable[Task]) -> tuple[list[str], Counter[str]]:
    """The ids of the tasks that can be run here, and how many lack what."""
    able: list[str] = []
    reasons: Counter[str] = Counter()
    for task in tasks:
        lacking = missing_for(parse(task.data, task.id))
        if lacking:
            reasons.update(lacking)
        else:
            able.append(task.id)
    return able, reasons


def of_this_machine() -> list[Support]:
    """The desktop and each application."""
    lacking = programs.missing()
    why = f"missing: {programs.install_line(lacking)}" if lacking else ""
    found = [Support("desktop", not lacking, why)]
    for name, program in programs.APPLICATIONS.items():
        there = programs.is_there(program)
        cure = "" if there else programs.install_line([program])
        found.append(Support(f"desktop: {name}", there, cure))
    for what, reason in _NEVER.items():
        found.append(Support(f"desktop: {what}", False, reason))
    return found


_NEVER = {
    "live web": "the desktop has no network",
    "root and services": "OSWorld's virtual machine has them; here nobody is root",
    "GNOME's own settings": "the window manager is openbox",
}
