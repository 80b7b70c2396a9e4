"""What the API takes, and what its description says of answers."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema


class TeamIn(Schema):
    """A team's definition, and on a save the version that was edited."""

    definition: dict[str, Any]
    version: int = 0


class ModelIn(Schema):
    """A model connection. `api_key` is written only: absent keeps the stored one, "" removes it."""

    name: str
    provider: str
    base_url: str = ""
    model: str = ""
    parameters: dict[str, Any] = {}
    price: dict[str, float] | None = None
    limits: dict[str, float | None] = {}
    fallbacks: list[str] = []
    api_key: str | None = None


class ProblemOut(Schema):
    """What keeps a team from running, and where: `agents[1].tools[0]`."""

    where: str
    message: str


class ProblemsOut(Schema):
    """All of them; empty where the team can run."""

    problems: list[ProblemOut]


class TeamOut(Schema):
    """A team; `updated_at` in UTC microseconds."""

    id: str
    name: str
    description: str
    definition: dict[str, Any]
    version: int
    updated_at: int
    problems: list[ProblemOut]


class RoleOut(Schema):
    """What an agent may be."""

    name: str
    instructions: str
    tools: list[str]


class ToolOut(Schema):
    """What an agent may call; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]
    effect: Literal["read_only", "idempotent", "unsafe"]


class ProviderOut(Schema):
    """Whom a model connection may go to."""

    name: str
    title: str
    base_url: str
    url_example: str
    needs_key: bool
    key_env: str
    quirks: list[str]


class SpendingOut(Schema):
    """USD since 00:00 UTC, and since the first of the month; counted where a budget is set."""

    day_usd: float
    month_usd: float


class ModelOut(Schema):
    """A model connection, never with its key. `price` is USD per million tokens; `source` is where
    it can be changed; a `hidden` one of the settings gives way to config.yaml's of its name."""

    id: str
    name: str
    provider: str
    base_url: str
    model: str
    has_key: bool
    key_hint: str
    parameters: dict[str, Any]
    price: dict[str, float] | None
    limits: dict[str, float]
    fallbacks: list[str]
    spending: SpendingOut | None
    source: Literal["settings", "config.yaml"]
    hidden: bool
    state: Literal["untested", "ok", "failed"]


class TestOut(Schema):
    """How a try ended; `message` has the provider's own words."""

    ok: bool
    message: str
    latency_ms: int
    reply: str
