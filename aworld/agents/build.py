"""From a team's definition to the nodes that run it, and the models and tools behind them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from aworld.agents.environment import EnvironmentNode
from aworld.agents.loop import AgentNode
from aworld.agents.pipeline import PipelineNode, Stage
from aworld.agents.roles.base import Role
from aworld.agents.roles.registry import get_role
from aworld.agents.team import AgentDefinition, TeamDefinition, ordered_agents
from aworld.environments.base import Task
from aworld.errors import ConfigurationError
from aworld.llm.base import Model, ToolSchema
from aworld.runtime.more_pages import READ_RESULT
from aworld.runtime.node import ENVIRONMENT, AnyNode
from aworld.tools.base import BaseTool

DEFAULT_INSTRUCTIONS = (
    "You are {name}, a careful assistant. Use your tools wherever they help, "
    "then give one clear answer."
)

FindModel = Callable[[str], Model]
"""The model of a connection's name; raises ConfigurationError where there is none."""
FindTool = Callable[[str], BaseTool]
"""The tool of a name; raises ConfigurationError where there is none."""


class Built(NamedTuple):
    """A team ready to run."""

    nodes: list[AnyNode]
    """Agents first; the coordinator joins last."""
    models: Mapping[str, Model]
    """By agent."""
    tools: Mapping[str, Mapping[str, BaseTool]]
    """By agent and tool name."""


def build_team(
    team: TeamDefinition, find_model: FindModel, find_tool: FindTool, task: Task | None = None
) -> Built:
    """Make a team's nodes, and with a `task` that of its environment, whose actions every agent
    that answers is offered as tools; an action takes the place of a tool of the same name.
    Whoever has a tool with long results may call `read_result` too.

    Raises:
        ConfigurationError: no agent, a cycle, an unknown role, model, tool or environment.
    """
    if not team.agents:
        raise ConfigurationError(f"Team {team.name!r} has no agent. Add at least one.")
    nodes: list[AnyNode] = []
    models: dict[str, Model] = {}
    tools: dict[str, Mapping[str, BaseTool]] = {}
    stages: list[Stage] = []
    actions = _actions(team, task)
    for agent in ordered_agents(team):
        role = get_role(agent.role)
        model = find_model(agent.model)
        offered = {name: find_tool(name) for name in _tool_names(agent, role)}
        judges = role is not None and role.judge is not None
        own_actions = {} if judges else actions
        offered.update(own_actions)
        nodes.append(agent_node(agent, role, model.name, offered, own_actions))
        models[agent.name] = model
        tools[agent.name] = offered
        if _has_pages(offered.values()):
            tools[agent.name] = {READ_RESULT: find_tool(READ_RESULT), **offered}
        stages.append(Stage(agent.name, judges))
    if task is not None:
        nodes.append(EnvironmentNode(task))
    nodes.append(PipelineNode(stages, max_rounds=team.max_rounds, environment=task is not None))
    return Built(nodes, models, tools)


def agent_node(
    agent: AgentDefinition,
    role: Role | None,
    model: str,
    tools: Mapping[str, BaseTool],
    actions: Collection[str] = (),
) -> AgentNode:
    """The state machine of one agent; `actions` names those of its tools that act on the run's
    environment."""
    own = role.instructions if role else DEFAULT_INSTRUCTIONS.format(name=agent.name)
    schemas = [
        (ToolSchema(tool.name, tool.description, tool.get_schema()), tool.effect)
        for tool in tools.values()
    ]
    return AgentNode(
        agent.name,
        role=role,
        instructions=agent.instructions or own,
        model=model,
        tools=schemas,
        parameters=agent.parameters,
        actions=actions,
        pages=_has_pages(tools.values()),
    )


def _has_pages(tools: Iterable[BaseTool]) -> bool:
    return any(tool.long_results for tool in tools)


def _actions(team: TeamDefinition, task: Task | None) -> dict[str, BaseTool]:
    """The task's actions as tools, by name."""
    if task is None:
        return {}
    if any(agent.name == ENVIRONMENT for agent in team.agents):
        raise ConfigurationError(
            f"Team {team.name!r} has an agent named {ENVIRONMENT!r}, which is the name of the "
            "run's environment. Rename the agent."
        )
    from aworld.environments.action_tool import ActionTool, specs_of

    return {name: ActionTool(spec) for name, spec in specs_of(task).items()}


def _tool_names(agent: AgentDefinition, role: Role | None) -> tuple[str, ...]:
    if agent.tools is not None:
        return agent.tools
    return role.tools if role else ()
