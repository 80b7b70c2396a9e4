"""Look at environments and their tasks, try one out, and prove that its scoring is right.

example:
  aworld env list
  aworld env tasks miniwob
  aworld env show miniwob/click-button
  aworld env reset miniwob/click-button
  aworld env oracle miniwob --jobs 4
  aworld env nothing miniwob
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from aworld.environments.base import Observation, Task
    from aworld.environments.known_solutions import Attempt

NAME = "env"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = parser.add_subparsers(metavar="WHAT", required=True, dest="what")
    as_json = argparse.ArgumentParser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="answer in JSON")
    what.add_parser("list", parents=[as_json], help="the environments and their suites")
    tasks = what.add_parser("tasks", parents=[as_json], help="the tasks of a suite")
    tasks.add_argument("suite", help="a suite's name")
    show = what.add_parser("show", parents=[as_json], help="one task, without its answers")
    show.add_argument("task", help="suite/id")
    reset = what.add_parser("reset", parents=[as_json], help="make a task's world and look at it")
    reset.add_argument("task", help="suite/id")
    for name, does in (
        ("oracle", "do tasks by their known solutions: each must score 1.0"),
        ("nothing", "do nothing and hand in an empty answer: each must score 0.0"),
    ):
        prove = what.add_parser(name, parents=[as_json], help=does)
        prove.add_argument("tasks", help="a suite, or suite/id")
        prove.add_argument("--jobs", type=int, default=1, metavar="N", help="how many at once")


def run(arguments: argparse.Namespace) -> int:
    """Do it; 0 when it was done and, for `oracle` and `nothing`, every task scored as it must."""
    does: dict[str, Callable[[argparse.Namespace], int]] = {
        "list": _list,
        "tasks": _tasks,
        "show": _show,
        "reset": _reset,
        "oracle": _prove,
        "nothing": _prove,
    }
    return does[arguments.what](arguments)


def _list(arguments: argparse.Namespace) -> int:
    from aworld.environments.registry import kinds

    found = [
        {
            "environment": kind.name,
            "title": kind.title,
            "description": kind.description,
            "suites": [
                {"suite": name, "title": title, "tasks": sum(1 for _ in kind.tasks(name))}
                for name, title in kind.suites().items()
            ],
            "support": [msgspec.to_builtins(one) for one in kind.support()],
        }
        for kind in kinds().values()
    ]
    if arguments.json:
        return _print_json(found)
    for kind in found:
        print(f"{kind['environment']}: {kind['description']}")
        for suite in kind["suites"]:
            print(f"  {suite['suite']:<16} {suite['tasks']:>5} tasks  {suite['title']}")
        for part in kind["support"]:
            if not part["supported"]:
                print(f"  without {part['name']}: {part['why']}")
    return 0


def _tasks(arguments: argparse.Namespace) -> int:
    found = _of_suite(arguments.suite)
    if arguments.json:
        return _print_json([_shown(task) for task in found])
    for task in found:
        notes = [f"level {task.level}" if task.level else "", "" if task.graded else "not graded"]
        question = " ".join(task.question.split())
        print(f"{task.suite}/{task.id:<28} {', '.join(filter(None, notes)):<12} {question[:100]}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from aworld.environments.action_tool import specs_of
    from aworld.environments.registry import find_task

    task = find_task(arguments.task)
    actions = list(specs_of(task).values())
    if arguments.json:
        return _print_json({**_shown(task), "actions": msgspec.to_builtins(actions)})
    print(task.question)
    for name, value in _shown(task).items():
        if name != "question" and value not in ("", None, [], 0):
            print(f"  {name}: {value}")
    for spec in actions:
        names = ", ".join(spec.parameters.get("properties", {}))
        print(f"  {spec.name}({names})  {spec.description}")
    return 0


def _reset(arguments: argparse.Namespace) -> int:
    from aworld.environments.registry import find_task

    observation = asyncio.run(_first_look(find_task(arguments.task)))
    if arguments.json:
        attachments = [
            {"name": one.name, "media_type": one.media_type, "size": len(one.data)}
            for one in observation.attachments
        ]
        plain = {"text": observation.text, "data": observation.data, "done": observation.done}
        return _print_json({**plain, "attachments": attachments})
    print(observation.text)
    for one in observation.attachments:
        print(f"[{one.name}: {one.media_type}, {len(one.data)} bytes]")
    return 0


async def _first_look(task: Task) -> Observation:
    from aworld.environments.episode import Episode
    from aworld.environments.known_solutions import own_place

    with own_place(task) as place:
        episode = Episode(task, place)
        try:
            return await episode.reset()
        finally:
            await episode.close()


def _prove(arguments: argparse.Namespace) -> int:
    from aworld.environments.known_solutions import attempt_nothing, attempt_solution
    from aworld.environments.registry import find_task, kind
    from aworld.errors import ConfigurationError

    single = "/" in arguments.tasks
    found = [find_task(arguments.tasks)] if single else _of_suite(arguments.tasks)
    by_oracle = arguments.what == "oracle"
    if by_oracle and not single:
        found = [task for task in found if kind(task.environment).oracle(task) is not None]
    if not found:
        raise ConfigurationError(f"No task of {arguments.tasks!r} has a known solution.")
    wanted = 1.0 if by_oracle else 0.0
    does = attempt_solution if by_oracle else attempt_nothing
    attempts = asyncio.run(_all(does, found, max(1, arguments.jobs), quiet=arguments.json))
    wrong = [one for one in attempts if not one.is_sound(wanted)]
    if arguments.json:
        _print_json({"wanted": wanted, "wrong": len(wrong), "tasks": attempts})
    else:
        for one in attempts:
            mark = "ok " if one.is_sound(wanted) else "BAD"
            score = "not graded" if one.score is None else f"{one.score:g}"
            print(f"{mark} {one.task:<36} {score:<10} {one.seconds:6.2f} s  {one.error or one.why}")
        print(f"{len(attempts) - len(wrong)} of {len(attempts)} as they must be ({wanted:g})")
    return 1 if wrong else 0


async def _all(
    does: Callable[[Task], Awaitable[Attempt]], tasks: Sequence[Task], jobs: int, *, quiet: bool
) -> list[Attempt]:
    room = asyncio.Semaphore(jobs)
    done = 0

    async def one(task: Task) -> Attempt:
        nonlocal done
        async with room:
            attempt = await does(task)
        done += 1
        if not quiet and sys.stderr.isatty():
            print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr, flush=True)
        return attempt

    attempts = await asyncio.gather(*map(one, tasks))
    if not quiet and sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return list(attempts)


def _of_suite(suite: str) -> list[Task]:
    from aworld.environments.registry import tasks_of

    return list(tasks_of(suite))


def _shown(task: Task) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(task, data={}))
    plain.pop("data")
    return plain


def _print_json(plain: Iterable[Any] | dict[str, Any]) -> int:
    print(msgspec.json.encode(plain).decode())
    return 0
