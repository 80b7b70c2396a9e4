"""A server for looking at the Run page without the rest: real store, made-up runs, live feed.

`python frontend/dev/run_fixture.py --port 8461 --dist frontend/dist` serves `/runs/finished`,
`live`, `lost`, `queued`, `empty`, `large`, and with `--million` the run of 1,000,000 events.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import run_fixture_events as made  # type: ignore[import-not-found]  # noqa: E402

from apps.runs.bars import encode_bars  # noqa: E402
from aworld.config import Config  # noqa: E402
from aworld.errors import NotFound  # noqa: E402
from aworld.events.model import LlmRequested  # noqa: E402
from aworld.events.run import RunLost  # noqa: E402
from aworld.events.union import Event, Offloaded, encode_json  # noqa: E402
from aworld.storage.base import RunRecord, Store  # noqa: E402
from aworld.storage.open import open_store  # noqa: E402

STORE: web.AppKey[Store] = web.AppKey("store", object)  # type: ignore[arg-type]
BLOCK = 2_000


def create(store: Store, run_id: str, question: str = made.QUESTION) -> int:
    """Add a run and take its lease; the epoch."""
    store.create_run(RunRecord(run_id=run_id, team_name="imo-solver", team=made.TEAM,
                               input=question, source="web", seed=7))
    lease = store.claim("rollout@host-1", ttl_s=86_400, run_id=run_id)
    assert lease is not None
    return lease.epoch


def fill(store: Store, run_id: str, events: Iterable[Event], question: str = made.QUESTION) -> None:
    """A run with these events."""
    epoch = create(store, run_id, question)
    iterator = iter(events)
    while block := list(itertools.islice(iterator, BLOCK)):
        store.append(run_id, epoch, block)


def furnish(store: Store, with_million: bool) -> None:
    """The runs that do not go on."""
    ago = time.time_ns() // 1000 - 300_000_000
    scribe = made.Scribe("finished", ago)
    fill(store, "finished", [*made.opening(scribe), *made.rounds(scribe, 9), *made.closing(scribe)])
    scribe = made.Scribe("lost", ago)
    events = [*made.opening(scribe), *made.rounds(scribe, 2)][:-3]
    scribe.seq = len(events)
    fill(store, "lost", [*events, scribe.write(9000, "supervisor", RunLost(
        worker="rollout@host-1", last_heartbeat=scribe.at))])
    store.create_run(RunRecord(run_id="queued", team_name="imo-solver", team=made.TEAM,
                               input=made.QUESTION, source="web"))
    create(store, "empty")
    scribe = made.Scribe("large", ago)
    fill(store, "large", made.large_payload(scribe), "Read a file of 20 MB")
    if with_million:
        scribe = made.Scribe("million", ago)
        fill(store, "million", made.million(scribe), "A run of a million events")


def record(request: web.Request) -> RunRecord:
    """The run that a request names, or a 404."""
    run_id = request.match_info["id"]
    try:
        return request.app[STORE].get_run(run_id)
    except NotFound:
        raise web.HTTPNotFound(
            text=json.dumps({"message": f"There is no run {run_id!r}.", "extra": {}}),
            content_type="application/json",
        ) from None


def answer(data: Any) -> web.Response:
    """JSON of anything."""
    return web.Response(body=msgspec.json.encode(data), content_type="application/json")


async def get_run(request: web.Request) -> web.Response:
    return answer({**msgspec.structs.asdict(record(request)), "forks": [], "labels": []})


async def list_runs(request: web.Request) -> web.Response:
    runs = request.app[STORE].list_runs(limit=200).runs
    wanted = request.query.get("status", "")
    found = [msgspec.structs.asdict(run) for run in runs if wanted in ("", run.status)]
    return answer({"runs": found, "total": len(found), "counts": {}})


async def get_events(request: web.Request) -> web.Response:
    run, query = record(request), request.query
    after, limit = int(query.get("after", -1)), int(query.get("limit", 1000))
    store = request.app[STORE]
    if query.keys() & {"kinds", "actors", "min_severity"}:
        events = store.query(
            run.run_id, after=after, limit=limit, min_severity=int(query.get("min_severity", 0)),
            actors=tuple(filter(None, query.get("actors", "").split(","))),
        )
    else:
        events = store.read(run.run_id, after=after, limit=limit)
    body = b'{"events":[%b],"last_seq":%d}' % (b",".join(map(encode_json, events)), run.last_seq)
    return web.Response(body=body, content_type="application/json")


async def get_event(request: web.Request) -> web.Response:
    run, store = record(request), request.app[STORE]
    (event,) = store.read_seqs(run.run_id, [int(request.match_info["seq"])])
    if isinstance(event.payload, Offloaded):
        as_stored = msgspec.Raw(store.get_blob(event.payload.blob))
        event = msgspec.structs.replace(event, payload=as_stored)
    return web.Response(body=encode_json(event), content_type="application/json")


async def get_bars(request: web.Request) -> web.Response:
    run, query = record(request), request.query
    level, start, end = (int(query.get(name, 0)) for name in ("level", "start", "end"))
    bars = await asyncio.to_thread(request.app[STORE].bars, run.run_id, level, start=start, end=end)
    return web.Response(body=encode_bars(bars, run_start_at=run.created_at, last_seq=run.last_seq),
                        content_type="application/octet-stream")


async def get_context(request: web.Request) -> web.Response:
    run, store = record(request), request.app[STORE]
    (event,) = store.read_seqs(run.run_id, [int(request.match_info["seq"])])
    assert isinstance(event.payload, LlmRequested)
    roles = ("system", "user", "assistant")
    sources = store.read_seqs(run.run_id, event.payload.context)
    messages: list[dict[str, Any]] = [
        {"role": role, "tool_calls": [], "from_seq": source.seq,
         "content": getattr(source.payload, "content", "")
         or getattr(source.payload, "instructions", "") or getattr(source.payload, "text", "")}
        for role, source in zip(roles, sources, strict=False)
    ]
    return answer({"messages": messages, "tools": [{"name": "calculator", "parameters": {}}]})


async def live(request: web.Request) -> web.WebSocketResponse:
    """Follow: everything after `after`, then what comes; streamed text of open calls."""
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    followers: dict[str, asyncio.Task[None]] = {}
    async for message in socket:
        if message.type is not WSMsgType.TEXT:
            continue
        order = json.loads(message.data)
        if order["type"] in ("follow", "unfollow") and (task := followers.pop(order["run"], None)):
            task.cancel()
        if order["type"] == "follow":
            followers[order["run"]] = asyncio.create_task(
                feed(socket, request.app[STORE], order["run"], order["after"]))
    for task in followers.values():
        task.cancel()
    return socket


async def feed(socket: web.WebSocketResponse, store: Store, run_id: str, after: int) -> None:
    """Send a run's events as they are written, and pieces of text while a call is open."""
    told = 0
    while not socket.closed:
        events = store.read(run_id, after=after, limit=500)
        if events:
            after = events[-1].seq
            told = 0
            body = b'{"type":"events","run":"%b","events":[%b]}' % (
                run_id.encode(), b",".join(map(encode_json, events)))
            await socket.send_str(body.decode())
        last = store.read_seqs(run_id, [after])
        if last and isinstance(last[0].payload, LlmRequested) and told < len(made.PROOF):
            text = made.PROOF[told : told + 4]
            await socket.send_json({"type": "chunk", "run": run_id, "span": after, "offset": told,
                                    "text": text})
            told += len(text)
        await asyncio.sleep(0.03)


async def go_on(app: web.Application) -> None:
    """The run that never ends: its events happen as fast as they say."""
    store = app[STORE]
    epoch = create(store, "live")
    scribe = made.Scribe("live", time.time_ns() // 1000)
    for event in itertools.chain(made.opening(scribe), made.rounds(scribe, 10_000)):
        await asyncio.sleep(max(0.0, (event.at - time.time_ns() // 1000) / 1e6))
        store.append("live", epoch, [event])


def application(store: Store, dist: Path) -> web.Application:
    """All routes."""
    app = web.Application()
    app[STORE] = store

    async def session(_: web.Request) -> web.Response:
        return answer({"user": {"username": "ada", "is_staff": True}, "version": "0",
                       "mode": "embedded", "setup": {"ready": True, "steps": []}})

    async def shell(_: web.Request) -> web.FileResponse:
        return web.FileResponse(dist / "index.html")

    app.add_routes([
        web.get("/api/session", session), web.get("/api/runs", list_runs),
        web.get("/api/runs/{id}", get_run), web.get("/api/runs/{id}/events", get_events),
        web.get("/api/runs/{id}/events/{seq}", get_event), web.get("/api/runs/{id}/bars", get_bars),
        web.get("/api/runs/{id}/context/{seq}", get_context), web.get("/ws/live", live),
        web.static("/static", dist), web.get("/{path:.*}", shell),
    ])

    async def start(app: web.Application) -> None:
        asyncio.get_running_loop().create_task(go_on(app))

    app.on_startup.append(start)
    return app


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8461)
    parser.add_argument("--dist", type=Path, default=Path("frontend/dist"))
    parser.add_argument("--million", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="aworld-run-fixture-") as home:
        store = open_store(Config(home=Path(home), mongodb_uri="", redis_url=""))
        furnish(store, options.million)
        web.run_app(application(store, options.dist), host="127.0.0.1", port=options.port)


if __name__ == "__main__":
    main()
