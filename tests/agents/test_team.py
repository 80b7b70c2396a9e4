"""A team's definition is read, checked and put in order before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aworld.agents.catalogue import find_team, runnable_team, shipped_teams
from aworld.agents.roles.registry import all_roles
from aworld.agents.team import Problem, check_team, ordered_agents, read_team
from aworld.errors import ConfigurationError

TOOLS = ["calculator", "logic_check"]
MODELS = ["local"]


def problems(**team: Any) -> list[Problem]:
    return check_team({"name": "t", **team}, tools=TOOLS, models=MODELS)


def test_the_shipped_teams_have_no_problem() -> None:
    for team in shipped_teams().values():
        assert check_team(team, tools=TOOLS, models=MODELS) == []


@pytest.mark.parametrize(
    ("team", "where", "says"),
    [
        ({"agents": []}, "agents", "no agent"),
        ({"agents": [{"name": "a", "model": "gpt"}]}, "agents[0].model", "no model 'gpt'"),
        ({"agents": [{"name": "a", "tools": ["saw"]}]}, "agents[0].tools[0]", "no tool 'saw'"),
        ({"agents": [{"name": "a", "role": "king"}]}, "agents[0].role", "no role 'king'"),
        ({"agents": [{"name": "A b"}]}, "agents[0].name", "small letters"),
        ({"agents": [{"name": "team"}]}, "agents[0].name", "taken"),
        ({"agents": [{"name": "a"}, {"name": "a"}]}, "agents[1].name", "two agents"),
        ({"agents": [{"name": "a", "after": ["b"]}]}, "agents[0].after[0]", "no agent 'b'"),
        (
            {"agents": [{"name": "a", "after": ["b"]}, {"name": "b", "after": ["a"]}]},
            "agents",
            "a → b → a",
        ),
        ({"agents": [{"name": "a", "role": "verifier"}]}, "agents", "none answers"),
        ({"agents": [{"name": "a", "tools": 3}]}, "agents[0].tools", "array"),
        ({"agents": [{"name": "a"}], "limits": {"steps": "x"}}, "limits.steps", "int"),
        ({"agents": [{"name": "a"}], "max_rounds": -1}, "max_rounds", "0 to 1000"),
        ({"agents": [{"name": "a"}], "max_rounds": 10**30}, "max_rounds", "0 to 1000"),
        ({"agents": [{"name": "a"}], "limits": {"steps": 0}}, "limits.steps", "at least 1"),
        ({"agents": [{"name": "a"}], "limits": {"seconds": -5}}, "limits.seconds", "is -5"),
        ({"agents": [{"name": "a"}], "limits": {"step": 5}}, "limits.step", "mean 'steps'"),
        ({"agents": [{"name": "a"}], "max_round": 5}, "max_round", "mean 'max_rounds'"),
        ({"agents": [{"name": "a", "tool": []}]}, "agents[0].tool", "mean 'tools'"),
        (
            {"agents": [{"name": "a", "parameters": {"temprature": 1}}]},
            "agents[0].parameters.temprature",
            "mean 'temperature'",
        ),
        (
            {"agents": [{"name": "a", "parameters": {"max_tokens": -1}}]},
            "agents[0].parameters.max_tokens",
            "at least 1",
        ),
        ({"topology": "ring", "agents": [{"name": "a"}]}, "topology", "ring"),
    ],
)
def test_what_cannot_work_is_named_with_its_place(
    team: dict[str, Any], where: str, says: str
) -> None:
    found = problems(**team)
    assert [problem.where for problem in found] == [where]
    assert says in found[0].message


def test_a_chain_of_thousands_of_agents_is_checked() -> None:
    agents = [{"name": f"a{i}", "after": [f"a{i + 1}"]} for i in range(3000)]
    assert problems(agents=[*agents, {"name": "a3000"}]) == []
    agents[-1]["after"] = ["a0"]
    (found,) = problems(agents=agents)
    assert found.message.startswith("These agents wait for each other: a0 → a1 → ")


def test_agents_work_after_those_they_wait_for() -> None:
    team = read_team(
        {
            "name": "t",
            "agents": [{"name": "last", "after": ["mid"]}, {"name": "first"}, {"name": "mid"}],
        }
    )
    assert [agent.name for agent in ordered_agents(team)] == ["first", "mid", "last"]


def test_roles_are_found_by_their_files() -> None:
    assert {"solver", "verifier"} <= set(all_roles())


def test_a_team_that_is_nowhere_says_where_teams_come_from() -> None:
    with pytest.raises(ConfigurationError, match=r"no team 'nope'.*arithmetic"):
        find_team("nope")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: t\nagents: [{name: a, tolls: [saw]}]", r"agents\[0\].tolls: .* mean 'tools'"),
        ("name: t\nagents: [{name: a, tools: [saw]}]", "no tool 'saw'"),
        ("name: t\nagents: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a: &a [*a]", "missing required field `name`"),
        ("!!python/object/apply:os.getcwd []", "cannot be read"),
    ],
)
def test_a_team_file_that_cannot_run_says_why(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "team.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=says):
        runnable_team(str(file))
