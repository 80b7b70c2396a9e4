"""What is wrong with a team before it runs, with the tools and models this installation has."""

from __future__ import annotations

from typing import Any

from apps.agents.models import ModelConnection


def team_problems(definition: Any, *, models: list[str] | None = None) -> list[dict[str, str]]:
    """`[{where, message}]`; empty where the team can run.

    `models` are the connections' names; None looks them up.
    """
    from aworld.agents.team import check_team
    from aworld.tools import registry

    if not isinstance(definition, dict):
        return [{"where": "", "message": f"A team is an object, not {type(definition).__name__}."}]
    if models is None:
        models = list(ModelConnection.objects.values_list("name", flat=True))
    found = check_team(definition, tools=registry.names(), models=models)
    return [{"where": problem.where, "message": problem.message} for problem in found]
