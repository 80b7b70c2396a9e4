"""The order in which things come up: the page as early as can be, everything else behind it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from aworld.errors import ConfigurationError
from aworld_web.processes import children, training_requirements
from aworld_web.processes.children import Addresses
from aworld_web.processes.family import Family
from aworld_web.processes.home_lock import Services, write_services
from aworld_web.processes.local_model import serve_local_model
from aworld_web.processes.one_shot import run_module
from aworld_web.processes.ports import free_port
from aworld_web.processes.prepare import is_prepared
from aworld_web.processes.report import Step
from aworld_web.processes.site import child_environment
from aworld_web.processes.valkey import plan_valkey

__all__ = ["Options", "bring_up"]

_LOOK_EVERY_S = 2.0


class Options(NamedTuple):
    """What `aworld up` was asked for."""

    home: Path
    port: int = 8000
    workers: int = 1
    demo: bool = False
    single_process: bool = False
    open_browser: bool = False


class _Steps(NamedTuple):
    """What the page shows of the set-up, in its order."""

    database: Step
    page: Step
    worker: Step
    model: Step
    demo: Step | None


async def bring_up(family: Family, options: Options, *, page_is_there: Callable[[], None]) -> None:
    """Start everything; goes on telling of the training packages until cancelled.

    Raises:
        ConfigurationError: the page cannot come up.
    """
    steps = _Steps(
        family.step("Database"),
        family.step("Page"),
        family.step("Worker"),
        family.step("Local model"),
        family.step("Demo run") if options.demo else None,
    )
    telling = asyncio.create_task(_tell_of_training(family, options.home))
    try:
        model_port = 0 if os.environ.get("AWORLD_LOCAL_MODEL_URL") else free_port()
        addresses = _start_broker(family, options, model_port)
        await _prepare(family, options.home, addresses, steps.database)
        await _start_page(family, options, addresses, steps.page)
        page_is_there()
        await _start_workers(family, options, addresses, steps.worker)
        if model_port:
            await serve_local_model(family, options.home, model_port, steps.model)
        else:
            family.tell(steps.model, "done", f"Served at {addresses.local_model_url}")
        if steps.model.state == "done":
            family.is_ready()
        if steps.demo:
            await _start_demo_run(family, options.home, addresses, steps.demo)
        await telling
    finally:
        telling.cancel()


def _start_broker(family: Family, options: Options, model_port: int) -> Addresses:
    """Valkey, unless a Redis is named or none is wanted; nobody has to wait for it here: its
    clients connect again until it is there."""
    redis_url = "" if options.single_process else os.environ.get("AWORLD_REDIS_URL", "")
    if not redis_url and not options.single_process:
        valkey = plan_valkey(options.home)
        family.start(valkey.spec)
        redis_url = valkey.url
    model_url = f"http://127.0.0.1:{model_port}/v1" if model_port else ""
    addresses = Addresses(redis_url, model_url or os.environ.get("AWORLD_LOCAL_MODEL_URL", ""))
    write_services(options.home, Services(addresses.redis_url, addresses.local_model_url))
    return addresses


async def _prepare(family: Family, home: Path, addresses: Addresses, step: Step) -> None:
    if not is_prepared(home):
        family.tell(step, "running", "Making the tables and the first definitions")
        try:
            await run_module(
                "aworld_web.processes.prepare",
                what="Making the database",
                say=family.console.line,
                environment=_environment(home, addresses),
            )
        except ConfigurationError as fault:
            family.tell(step, "failed", str(fault))
            raise
    family.tell(step, "done")


async def _start_page(family: Family, options: Options, addresses: Addresses, step: Step) -> None:
    family.tell(step, "running")
    spec = children.web(
        options.home, options.port, addresses, single_process=options.single_process
    )
    await family.until_well(family.start(spec), step)
    family.tell(step, "done")


async def _start_workers(
    family: Family, options: Options, addresses: Addresses, step: Step
) -> None:
    if options.single_process:
        family.tell(step, "done", "The page's own process works on the runs")
        return
    family.tell(step, "running")
    specs = [children.worker(options.home, n + 1, addresses) for n in range(options.workers)]
    for child in [family.start(spec) for spec in specs]:
        await family.until_well(child, step)
    family.tell(step, "done")


async def _start_demo_run(family: Family, home: Path, addresses: Addresses, step: Step) -> None:
    if not family.report.setup.ready:
        family.tell(step, "failed", "The demo's team needs the local model")
        return
    family.tell(step, "running")
    try:
        await run_module(
            *("django", "aworld_demo_run"),
            what="Starting the demo's run",
            say=family.console.line,
            environment=_environment(home, addresses),
        )
    except ConfigurationError as fault:
        family.tell(step, "failed", str(fault))
        return
    family.tell(step, "done")


def _environment(home: Path, addresses: Addresses) -> dict[str, str]:
    return child_environment(
        home,
        AWORLD_REDIS_URL=addresses.redis_url,
        AWORLD_LOCAL_MODEL_URL=addresses.local_model_url,
    )


async def _tell_of_training(family: Family, home: Path) -> None:
    """Show the training packages as whoever installs them tells of them."""
    step = family.step(training_requirements.STEP)
    while True:
        found = training_requirements.read_step(home)
        if found != step:
            family.tell(step, found.state, found.detail, found.progress)
        await asyncio.sleep(_LOOK_EVERY_S)
