"""Running a team in this very process, recorded like any other run."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from aworld import config
from aworld.agents.build import Built, FindModel, build_team
from aworld.agents.catalogue import find_model
from aworld.agents.installation import find_installation, run_url
from aworld.agents.result import RunFailedError, RunResult
from aworld.agents.team import TeamDefinition
from aworld.bus.doorbell import Doorbell
from aworld.environments.base import Task
from aworld.environments.record import environment_of, reference_of
from aworld.environments.registry import find_task
from aworld.errors import ConfigurationError
from aworld.events.action import EnvironmentVerified
from aworld.events.run import RunCancelled, RunFinished
from aworld.llm.base import Model
from aworld.llm.local_process import serve_local_model
from aworld.llm.registry import make_model
from aworld.runtime import control
from aworld.runtime.approval import policy_of_team
from aworld.runtime.control import LEASE_S, write_alone
from aworld.runtime.effects import AtHand, Gate, LiveGate
from aworld.runtime.guarded_gate import GuardedGate
from aworld.runtime.heartbeat import Heartbeat
from aworld.runtime.hook_files import all_hooks
from aworld.runtime.launch import create_run, created_lease
from aworld.runtime.network import network_of_team
from aworld.runtime.nobody import nobody_at_hand
from aworld.runtime.policy_gate import PolicyGate
from aworld.runtime.pump import Parts, drive
from aworld.runtime.recorded_files import recorded_file
from aworld.runtime.supervisor import Supervisor
from aworld.runtime.world import world_of
from aworld.storage.base import RunRecord, Store
from aworld.storage.open import open_store
from aworld.tools import registry
from aworld.tools.base import BaseTool

if TYPE_CHECKING:
    from aworld.agents.agent import Agent


def run_blocking(start: Callable[[], Awaitable[RunResult]]) -> RunResult:
    """Await from synchronous code, also inside a running loop (a notebook): then in a thread."""
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def main() -> RunResult:
        task = asyncio.current_task()
        assert task is not None
        started.set_result((asyncio.get_running_loop(), task))
        return await start()

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main())
    with ThreadPoolExecutor(1, thread_name_prefix="aworld-run") as pool:
        done = pool.submit(lambda: asyncio.run(main()))
        try:
            return done.result()
        except KeyboardInterrupt:
            # It reached this thread, not the loop. The pool waits until the run has ended.
            loop, task = started.result()
            loop.call_soon_threadsafe(task.cancel)
            raise


async def run_agents(
    team: TeamDefinition,
    agents: Sequence[Agent],
    question: str,
    *,
    store: Store | None,
    environment: str | Task | None = None,
) -> RunResult:
    """Run agents that were made in Python; `environment` is a task, or `suite/id`."""
    task = find_task(environment) if isinstance(environment, str) else environment
    models = {agent.llm.name: agent.llm for agent in agents}
    own = _own_tools(agents)

    def find_tool(name: str) -> BaseTool:
        return own[name] if name in own else registry.get(name)

    built = build_team(team, models.__getitem__, find_tool, task)
    # Two clients may share a model's name and lead to different servers.
    built = built._replace(models={agent.name: agent.llm for agent in agents})
    try:
        return await run_built(team, built, question, store=store, source="script", task=task)
    finally:
        for model in {id(agent.llm): agent.llm for agent in agents}.values():
            await model.aclose()


def _own_tools(agents: Sequence[Agent]) -> dict[str, BaseTool]:
    """The tools that were given as objects, by name.

    Raises:
        ConfigurationError: two different ones have the same name.
    """
    own: dict[str, BaseTool] = {}
    for agent in agents:
        for tool in agent.tools or ():
            if isinstance(tool, str):
                continue
            if own.setdefault(tool.name, tool) is not tool:
                raise ConfigurationError(
                    f"Two different tools are named {tool.name!r}. Give one of them another name, "
                    "or the same object to both agents."
                )
    return own


async def run_built(
    team: TeamDefinition,
    built: Built,
    question: str,
    *,
    store: Store | None,
    source: str,
    task: Task | None = None,
    at_hand: AtHand | None = None,
    on_started: Callable[[RunRecord, str], None] | None = None,
) -> RunResult:
    """Create, drive and wait for one run. With a `task` (which the team was built with) "" asks
    the task's own question.

    `at_hand` answers people's questions, beside the browser; without it they wait for the page,
    and where no server is up nobody is asked: what needs approval is refused.

    `on_started` gets the record and the page's address ("" where no server is up); without it the
    address is printed to standard error.

    Raises:
        ConfigurationError: there is no question, or one of the owner's hooks cannot be read.
        RunFailedError: the run ended without an answer.
        asyncio.CancelledError: whoever waited gave up; the run is recorded as cancelled.
    """
    asked = _question(question, task)
    settings = config.load()
    all_hooks()  # One that cannot be read is better known before there is a run.
    own_store = store is None
    log = store if store is not None else open_store(settings)
    record = _created(log, team, asked, source, task)
    url = run_url(settings.home, record.run_id) if own_store else ""
    if at_hand is None and own_store and not url:
        at_hand = nobody_at_hand
    (on_started or _print_address)(record, url)
    doorbell = Doorbell(settings.redis_url or find_installation(settings.home).redis_url)
    heartbeat = Heartbeat(log)
    heartbeat.start()
    try:
        parts = parts_of(built, log, record, doorbell, at_hand)
        await drive(log, created_lease(record), parts, doorbell, heartbeat, begun=True)
        return _result(log, record.run_id, url)
    except asyncio.CancelledError:
        await asyncio.to_thread(_abandon, log, record.run_id)
        raise
    finally:
        heartbeat.stop()
        doorbell.close()
        if own_store:
            log.close()


def _question(given: str, task: Task | None) -> str:
    """What is asked: the task's own question where "" is given."""
    asked = task.question if task is not None and given == "" else given
    if not isinstance(asked, str) or not asked.strip():
        raise ConfigurationError(f"The question is a text, not {asked!r:.60}. Write one.")
    return asked


def _created(
    store: Store, team: TeamDefinition, asked: str, source: str, task: Task | None
) -> RunRecord:
    """A new run, leased to this process."""
    return create_run(
        store,
        team=msgspec.to_builtins(team),
        input=asked,
        source=source,
        task_id=reference_of(task) if task is not None else "",
        environment=environment_of(task) if task is not None else None,
        worker=worker_name(),
        lease_ttl_s=LEASE_S,
    )


def _abandon(store: Store, run_id: str) -> None:
    """Whoever waited gave up (Ctrl-C, a time limit): nobody else is to go on with the run."""
    reason = "Its program was interrupted."
    lease = store.claim(worker_name(), ttl_s=LEASE_S, run_id=run_id)
    if lease is None:
        control.cancel(store, run_id, by="script", reason=reason)
    else:
        write_alone(store, lease, RunCancelled(by="script", reason=reason))


async def drive_claimed(store: Store, record: RunRecord, built: Built) -> RunRecord:
    """Claim a run that waits and drive it here to its end or its next park.

    Raises:
        ConfigurationError: another worker has it.
    """
    settings = config.load()
    lease = store.claim(worker_name(), ttl_s=LEASE_S, run_id=record.run_id)
    if lease is None:
        raise ConfigurationError(f"Run {record.run_id!r} is driven by another worker.")
    doorbell = Doorbell(settings.redis_url or find_installation(settings.home).redis_url)
    heartbeat = Heartbeat(store)
    heartbeat.start()
    try:
        await drive(store, lease, parts_of(built, store, record, doorbell), doorbell, heartbeat)
    finally:
        heartbeat.stop()
        doorbell.close()
    return store.get_run(record.run_id)


def worker_name() -> str:
    """`host:pid`: this process, as it stands in a run's row."""
    return f"{socket.gethostname()}:{os.getpid()}"


def parts_of(
    built: Built,
    store: Store,
    record: RunRecord,
    doorbell: Doorbell,
    at_hand: AtHand | None = None,
) -> Parts:
    """A built team with its gate to the world; `at_hand` answers people's questions here.

    Raises:
        ConfigurationError: its approval or network, or one of the owner's hooks, cannot be read.
    """
    home = config.load().home
    policy, network = policy_of_team(record.team), network_of_team(record.team)
    hooks = all_hooks()

    def make_gate(supervisor: Supervisor) -> Gate:
        workspace = home / "workspaces" / record.run_id
        live: Gate = LiveGate(
            models=built.models,
            tools=built.tools,
            durable=supervisor.writer.durable,
            put_blob=store.put_blob,
            run_id=record.run_id,
            workspace=str(workspace),
            on_chunk=partial(doorbell.chunk, record.run_id),
            world=world_of(record, store, supervisor, workspace),
            recorded_file=partial(recorded_file, store, record.run_id),
            network=network,
            put_question=supervisor.questions.put,
            at_hand=at_hand,
        )
        if policy.mode != "never" or hooks:
            live = GuardedGate(
                live,
                run_id=record.run_id,
                policy=policy,
                hooks=hooks,
                tools=built.tools,
                questions=supervisor.questions,
            )
        if not record.parent_run_id:
            return live
        return PolicyGate(live, store, record, supervisor.ask)

    return Parts(built.nodes, make_gate)


def _print_address(record: RunRecord, url: str) -> None:
    if url:
        sys.stderr.write(f"Run {record.run_id}: {url}\n")


def _result(store: Store, run_id: str, url: str) -> RunResult:
    record = store.get_run(run_id)
    if record.status != "finished":
        raise RunFailedError(
            f"The run {record.status}: {record.error or 'no answer was given'}",
            run_id=run_id,
            status=record.status,
        )
    last = store.query(run_id, kinds=("run.finished",))
    payload = store.resolve(last[-1]) if last else None
    if not isinstance(payload, RunFinished):
        raise RunFailedError("The run has no answer.", run_id=run_id, status=record.status)
    judged = store.query(run_id, kinds=("environment.verified",))
    verdict = store.resolve(judged[-1]) if judged else None
    return RunResult(
        answer=payload.answer,
        run_id=run_id,
        verified=payload.verified,
        url=url,
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        cost_usd=record.cost_usd,
        verdict=verdict if isinstance(verdict, EnvironmentVerified) else None,
    )


@asynccontextmanager
async def open_models() -> AsyncIterator[FindModel]:
    """Models by the names of their connections; closed at the end.

    The local model is served for as long as needed where no server of this AWORLD_HOME is up.
    """
    made: dict[str, Model] = {}
    settings = config.load()
    with ExitStack() as servers:

        def find(name: str) -> Model:
            if name not in made:
                spec = find_model(name)
                if spec.get("provider") == "local" and not spec.get("base_url"):
                    url = os.environ.get("AWORLD_LOCAL_MODEL_URL", "")
                    url = url or find_installation(settings.home).local_model_url
                    spec["base_url"] = url or servers.enter_context(serve_local_model())
                made[name] = make_model(spec)
            return made[name]

        try:
            yield find
        finally:
            for model in made.values():
                await model.aclose()
