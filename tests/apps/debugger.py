"""A person at the debugger: requests over HTTP, runs on scripted models in this process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from django.test import Client

from aworld.agents.runner import parts_of
from aworld.bus.doorbell import Doorbell
from aworld.environments.record import task_of
from aworld.events.union import Event
from aworld.llm.base import ModelRequest
from aworld.llm.scripted import ScriptedModel
from aworld.runtime.jobs import InProcessJobs
from aworld.runtime.pump import Parts, Pump
from aworld.runtime.recovery import read_log
from aworld.storage.base import RunRecord, Store
from tests.teams import SOLVER, build, call

ON_RESULT = {"id": "result", "kinds": ["tool.returned"]}
BEFORE_TOOL = {"id": "call", "when": "before", "kinds": ["tool.called"]}
WRONG = call("calculator", {"expression": "2+2+1"})


def honest(request: ModelRequest) -> str:
    """A model that repeats the last tool result as its answer."""
    return f"Answer: {request.messages[-1].content}"


def script(record: RunRecord) -> ScriptedModel:
    """Calls the calculator wrongly, unless it did before, and repeats what it says."""
    return ScriptedModel([_answer], repeat_last=True)


def _answer(request: ModelRequest) -> Any:
    return honest(request) if request.messages[-1].role == "tool" else WRONG


class Debugger:
    """Requests of one person, and the runs they made."""

    def __init__(self, client: Client, store: Store) -> None:
        self.client = client
        self.store = store
        self.runs: list[str] = []
        self.model: Callable[[RunRecord], ScriptedModel] = script
        self.jobs = InProcessJobs(self._make_pump)

    def _make_pump(self) -> Pump:
        def parts(record: RunRecord, doorbell: Doorbell) -> Parts:
            _, built = build(record.team, self.model(record), task=task_of(record.environment))
            return parts_of(built, self.store, record, doorbell)

        return Pump(self.store, parts, Doorbell(""), worker="here")

    # -- requests --------------------------------------------------------------------------------

    def send(self, method: str, path: str, **body: Any) -> Any:
        """Status and JSON of a request."""
        response = self.client.generic(
            method, f"/api/{path}", json.dumps(body), content_type="application/json"
        )
        return response.status_code, response.json()

    def post(self, path: str, **body: Any) -> Any:
        """JSON of a POST that must not be refused."""
        status, answer = self.send("POST", path, **body)
        assert status in (200, 201), answer
        return answer

    def get(self, path: str) -> Any:
        """JSON of a GET that must not be refused."""
        response = self.client.get(f"/api/{path}")
        assert response.status_code == 200, response.content
        return response.json()

    def ask(self, *breakpoints: dict[str, Any], team: dict[str, Any] | None = None) -> str:
        """A new run; its id."""
        definition = {**(team or SOLVER), "breakpoints": list(breakpoints)}
        run = self.post("runs", team=definition, input="How much is 2+2?")
        self.runs.append(run["run_id"])
        return str(run["run_id"])

    def until(self, run_id: str, *statuses: str, behind: int = -1) -> RunRecord:
        """The run once it is in one of these statuses, and longer than `behind`."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            record = self.store.get_run(run_id)
            if record.status in statuses and record.last_seq > behind:
                return record
            time.sleep(0.01)
        raise AssertionError(f"{run_id} is {record.status} at {record.last_seq}, not {statuses}")

    def quiet(self, run_id: str, behind: int = -1) -> RunRecord:
        """The run once it is held, and all that was under way has come back."""
        record = self.until(run_id, "paused", behind=behind)
        while any(node["open_calls"] for node in self.get(f"runs/{run_id}/state")["nodes"]):
            record = self.until(run_id, "paused", behind=record.last_seq)
        return self.store.get_run(run_id)

    def log(self, run_id: str) -> list[Event]:
        """All its events."""
        return read_log(self.store, run_id)

    def find(self, run_id: str, kind: str) -> Event:
        """Its first event of a kind."""
        return next(event for event in self.log(run_id) if event.kind == kind)
