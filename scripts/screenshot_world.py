"""An installation to take pictures of: finished, failed, running, paused and waiting runs."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from time import monotonic, sleep
from typing import Any, cast

from scripts.screenshot_model import ScriptedModel
from scripts.screenshot_scenes import (
    CANCELLED,
    CHINESE,
    LIVE,
    PAUSED,
    REFUSED,
    REJECTED,
    WAITING,
)

PATIENCE_S = 60.0
ENDED = frozenset({"finished", "failed", "cancelled"})
MODEL = {
    "name": "qwen",
    "provider": "openai-compatible",
    "model": "qwen3-32b",
    # Held answers take as long as all the pictures do.
    "parameters": {"temperature": 0.2, "max_tokens": 1024, "timeout_s": 3600},
    "price": {"input": 0.4, "output": 1.2},
    "api_key": "sk-for-the-pictures-7f3a",
}
TEAM = {
    "name": "word-problems",
    "description": "Solves word problems step by step; a second agent checks every answer",
    "topology": "pipeline",
    "max_rounds": 2,
    "agents": [
        {
            "name": "solver",
            "role": "solver",
            "model": "qwen",
            "tools": ["calculator", "code_interpreter"],
            "parameters": {"temperature": 0.2},
        },
        {"name": "verifier", "role": "verifier", "model": "qwen", "tools": ["logic_check"]},
    ],
    "limits": {"steps": 60, "tokens": 50000, "seconds": 900.0, "cost_usd": 0.5},
}
DRAFT = {
    "name": "essay-review",
    "description": "A writer and a critic; not finished yet",
    "topology": "pipeline",
    "max_rounds": 1,
    "agents": [
        {"name": "writer", "role": "", "model": "qwen", "instructions": "Write one page."},
        {"name": "critic", "role": "verifier", "model": "claude", "tools": ["web_search"]},
    ],
}
"""It has problems: a model and a tool that are not there."""


class Api:
    """The HTTP API with a session, as the browser uses it."""

    def __init__(self, url: str, link: str) -> None:
        """Spends the one-time link."""
        self._url = url
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self._opener.open(link, timeout=30).close()
        self.get("/session")

    def get(self, path: str) -> Any:
        """The answer's JSON."""
        return self._ask("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer's JSON."""
        return cast(dict[str, Any], self._ask("POST", path, body))

    def delete(self, path: str) -> None:
        """Gone afterwards."""
        self._ask("DELETE", path)

    def cookies(self) -> list[dict[str, Any]]:
        """The session, as the browser driver takes it."""
        return [
            {"name": cookie.name, "value": cookie.value or "", "url": self._url}
            for cookie in self._jar
        ]

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        token = next((cookie.value for cookie in self._jar if cookie.name == "csrftoken"), "")
        request = urllib.request.Request(
            f"{self._url}/api{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "X-CSRFToken": token or "",
                "Referer": self._url,
            },
        )
        with self._opener.open(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")


class World:
    """What is on the pictures, made through the API."""

    def __init__(self, api: Api, model_url: str, script: ScriptedModel) -> None:
        self.api = api
        self._script = script
        api.post("/models", {**MODEL, "base_url": model_url})
        self.team = api.post("/teams", {"definition": TEAM})
        self.draft = api.post("/teams", {"definition": DRAFT})
        self.runs: dict[str, str] = {}
        """Ids by question."""

    def fill(self, problems: list[dict[str, Any]]) -> None:
        """Start the runs and wait until each is where the pictures want it."""
        # These two by themselves, so that their timelines show no waiting for others.
        self._start(self.team["id"], REJECTED)
        self._start(self.team["id"], REFUSED)
        self._wait(lambda: self._all(self.runs.values(), ENDED), "ended runs")
        local = self._team_named("arithmetic")
        for problem in problems:
            self._start(local, problem["question"], problem["id"])
        self._start(self.team["id"], CHINESE)
        self._wait(lambda: self._all(self.runs.values(), ENDED), "ended runs")
        self._start(self.team["id"], PAUSED)
        self._until_held(PAUSED, 1)
        self.live()
        for question in (*WAITING, CANCELLED):
            first = question == WAITING[2]
            self._start(self.team["id"], question, priority=5 if first else 0)
        self.api.post(f"/runs/{self.runs[CANCELLED]}/cancel", {})
        self._wait(lambda: self._all([self.runs[CANCELLED]], ENDED), "cancelled run")
        self.api.post(f"/runs/{self.runs[PAUSED]}/pause", {})
        self._wait(lambda: self._all([self.runs[PAUSED]], {"paused"}), "paused run")

    def live(self) -> str:
        """The id of a fresh run that has calculated and is about to answer."""
        old = self.runs.pop(LIVE, None)
        # First the new one, so that it and no other takes the old one's place.
        self._start(self.team["id"], LIVE, priority=9)
        if old is not None:
            self.api.post(f"/runs/{old}/cancel", {})
        self._script.rewind()
        if old is not None:
            self._wait(lambda: self._all([old], ENDED), "end of the live run")
            self.api.delete(f"/runs/{old}")
        self._until_held(LIVE, 2)
        return self.runs[LIVE]

    def speak(self) -> None:
        """The live run's model begins to answer."""
        self._script.speak()

    def recorded(self) -> str:
        """The id of the failed run that comes with the product."""
        listed = self.api.get("/runs?source=import")["runs"]
        return str(listed[0]["run_id"])

    def seq(self, question: str, kind: str, number: int = 0) -> int:
        """Where in a run's log the so-and-so-many-th event of a kind stands."""
        events = self.api.get(f"/runs/{self.runs[question]}/events?limit=1000")["events"]
        return int([one["seq"] for one in events if one["payload"]["kind"] == kind][number])

    def _team_named(self, name: str) -> str:
        return next(str(team["id"]) for team in self.api.get("/teams") if team["name"] == name)

    def _start(self, team: str, question: str, task: str | None = None, priority: int = 0) -> None:
        body = {"team_id": team, "input": question, "priority": priority}
        run = self.api.post("/runs", body if task is None else {**body, "task_id": task})
        self.runs[question] = str(run["run_id"])

    def _until_held(self, question: str, tools: int) -> None:
        """Wait until the run has that many results and asks the model again."""

        def asks() -> bool:
            log = self.api.get(f"/runs/{self.runs[question]}/events?limit=1000")["events"]
            kinds = [event["payload"]["kind"] for event in log]
            return kinds.count("tool.returned") == tools and kinds[-1] == "llm.requested"

        self._wait(asks, f"held answer to {question!r}")

    def _all(self, runs: Any, statuses: frozenset[str] | set[str]) -> bool:
        return all(self.api.get(f"/runs/{run}")["status"] in statuses for run in runs)

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        end = monotonic() + PATIENCE_S
        while not holds():
            if monotonic() > end:
                states = [
                    f"{run['status']}: {run['input']} {run['error']}"
                    for run in self.api.get("/runs?limit=50")["runs"]
                ]
                raise TimeoutError(f"no {what} within {PATIENCE_S:g} s: {states}")
            sleep(0.1)
