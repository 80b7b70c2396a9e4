"""`Agent`: a name, a model and tools. The library's front door, with `MultiAgentGroup`."""

from __future__ import annotations

from collections.abc import Sequence

from aworld.agents.result import RunResult
from aworld.agents.roles.registry import all_roles
from aworld.agents.team import AgentDefinition, TeamDefinition
from aworld.environments.base import Task
from aworld.errors import ConfigurationError
from aworld.events.run import Limits
from aworld.llm.base import Model, Parameters
from aworld.storage.base import Store
from aworld.tools.base import BaseTool


class Agent:
    """One agent.

    agent = Agent(name="math_solver", llm=llm, tools=["calculator"])
    print(agent.run("What is 23 * 47?"))
    """

    def __init__(
        self,
        name: str,
        llm: Model,
        tools: Sequence[str | BaseTool] | None = None,
        *,
        role: str | None = None,
        instructions: str = "",
        parameters: Parameters | None = None,
    ) -> None:
        """`tools`: names of registered tools, or tools; None takes the role's own.

        `role` None takes the name as the role where there is such a role; "" means none.

        Raises:
            ConfigurationError: no name, no model, or tools that are none.
        """
        if not isinstance(name, str) or not name.strip():
            raise ConfigurationError(f"An agent's name is a text, not {name!r}. Give it one.")
        if not isinstance(llm, Model):
            raise ConfigurationError(
                f"Agent {name!r} has {llm!r} as its model. Give it one, like "
                'llm=LLMClient(model_name="qwen3-32b").'
            )
        if isinstance(tools, str) or not all(map(_is_tool, tools or ())):
            raise ConfigurationError(
                f"The tools of agent {name!r} are {tools!r}. Give a list of names and of tools "
                '(objects, not classes), like tools=["calculator", MyTool()].'
            )
        self.name = name
        self.llm = llm
        self.tools = None if tools is None else list(tools)
        self.role = (name if name in all_roles() else "") if role is None else role
        self.instructions = instructions
        self.parameters = parameters or Parameters()

    def definition(self) -> AgentDefinition:
        """The agent as data. Its model connection is named after the model."""
        names = None
        if self.tools is not None:
            names = tuple(tool if isinstance(tool, str) else tool.name for tool in self.tools)
        return AgentDefinition(
            name=self.name,
            role=self.role,
            model=self.llm.name,
            instructions=self.instructions,
            tools=names,
            parameters=self.parameters,
        )

    def run(
        self,
        task: str = "",
        *,
        environment: str | Task | None = None,
        store: Store | None = None,
        limits: Limits | None = None,
    ) -> RunResult:
        """Work on a task and wait for the answer; `print` of the result prints the answer.

        `environment` is a task of an environment, or `suite/id`; then its own question is asked
        where none is given, and the result has its score.

        The run is recorded in AWORLD_HOME (or in `store`) and can be watched in the browser.
        Works inside a notebook's running loop too.

        Raises:
            ConfigurationError: the agent cannot run as it is set up.
            RunFailedError: the run ended without an answer.
        """
        from aworld.agents.runner import run_blocking

        return run_blocking(
            lambda: self.arun(task, environment=environment, store=store, limits=limits)
        )

    async def arun(
        self,
        task: str = "",
        *,
        environment: str | Task | None = None,
        store: Store | None = None,
        limits: Limits | None = None,
    ) -> RunResult:
        """As `run`, in async code."""
        from aworld.agents.runner import run_agents

        team = TeamDefinition(
            name=self.name,
            topology="single",
            agents=(self.definition(),),
            limits=limits or Limits(),
        )
        return await run_agents(team, [self], task, store=store, environment=environment)


def _is_tool(given: object) -> bool:
    return isinstance(given, str | BaseTool)
