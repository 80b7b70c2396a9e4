"""A team's approval and network: what is checked, and what reaches its tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aworld.agents.team import check_team, read_team
from aworld.errors import ConfigurationError
from aworld.runtime.approval import policy_of_team
from aworld.runtime.network import network_of_team
from aworld.tools.base import BaseTool, ToolContext
from tests.runtime.approving import team_of
from tests.teams import SOLVER, call, run_team, sqlite


def problems(**fields: Any) -> dict[str, str]:
    """What is wrong with a team, by where."""
    found = check_team({**SOLVER, **fields}, tools=["calculator", "shell"], models=["m"])
    return {problem.where: problem.message for problem in found}


def test_a_team_with_approval_and_hosts_has_no_problem() -> None:
    approval = {"mode": "pattern", "patterns": ["shell", "mcp__*"], "timeout_s": 60}
    network = {"allow": ["example.org", "*.example.org", "127.0.0.1:8000"]}
    assert problems(approval=approval, network=network) == {}


@pytest.mark.parametrize(
    ("fields", "where", "told"),
    [
        ({"approval": {"mode": "sometimes"}}, "approval.mode", "sometimes"),
        ({"approval": {"mode": "pattern"}}, "approval.patterns", "no call would wait"),
        ({"approval": {"patterns": ["shel"]}}, "approval.patterns[0]", "Did you mean 'shell'?"),
        ({"approval": {"patterns": ["a b"]}}, "approval.patterns[0]", "names no calls"),
        ({"approval": {"timeout_s": 0}}, "approval.timeout_s", "more than 0"),
        ({"approval": {"pattern": []}}, "approval.pattern", "Did you mean 'patterns'?"),
        ({"network": {"allow": ["http://a.b/"]}}, "network.allow[0]", "http://a.b/"),
        ({"network": {"hosts": []}}, "network.hosts", "no field 'hosts'"),
    ],
)
def test_what_cannot_be_meant_is_a_problem_at_its_place(
    fields: dict[str, Any], where: str, told: str
) -> None:
    assert told in problems(**fields)[where]


def test_a_runs_copy_that_cannot_be_read_keeps_it_from_starting() -> None:
    with pytest.raises(ConfigurationError, match="approval of team 't'"):
        policy_of_team({"name": "t", "approval": {"mode": 1}})
    with pytest.raises(ConfigurationError, match="network of team 't'"):
        network_of_team({"name": "t", "network": 5})


def test_a_team_that_says_nothing_of_them_is_as_it_was() -> None:
    import msgspec

    plain = msgspec.to_builtins(read_team(SOLVER))
    assert "approval" not in plain
    assert "network" not in plain


async def test_tools_are_told_which_hosts_they_may_reach(tmp_path: Path) -> None:
    seen: list[tuple[str, ...]] = []

    class Reach(BaseTool, register=False):
        """Says what it may reach."""

        name = "reach"
        effect = "read_only"

        def get_schema(self) -> dict[str, Any]:
            return {"type": "object", "properties": {}}

        async def run(self, context: ToolContext) -> str:
            seen.append(context.network)
            return "ok"

    team = team_of(["reach"], network={"allow": ["example.org"]})
    await run_team(sqlite(tmp_path), team, [call("reach", {}), "Done."], tools={"reach": Reach()})
    await run_team(
        sqlite(tmp_path), team_of(["reach"]), [call("reach", {}), "Done."], tools={"reach": Reach()}
    )
    assert seen == [("example.org",), ()]
