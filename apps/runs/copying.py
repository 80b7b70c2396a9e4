"""A run as text that runs it again: Python over the library, or curl over the API."""

from __future__ import annotations

import json
import keyword
import shlex
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.runs.selectors import run_record
from apps.shell.refusals import Invalid
from aworld.agents.team import AgentDefinition, TeamDefinition, ordered_agents, read_team
from aworld.events.run import Limits
from aworld.llm.base import Parameters
from aworld.storage.base import RunRecord

FORMS = ("python", "curl")


def run_copied(run_id: str, form: str, *, origin: str, models: dict[str, dict[str, Any]]) -> str:
    """The run as `python` or `curl`. `origin` is the server's address; `models` are the
    connections (without keys) by name.

    Raises:
        Missing: no such run.
        Invalid: another form.
    """
    record = run_record(run_id)
    if form == "python":
        return _python(record, models)
    if form == "curl":
        return _curl(record, origin)
    raise Invalid(
        _("A run cannot be copied as %(form)r. Use one of: %(all)s.")
        % {"form": form, "all": ", ".join(FORMS)}
    )


def _identifier(name: str, taken: list[str]) -> str:
    """A Python name for an agent or a model, different from those taken, among which it goes."""
    plain = "".join(char if char.isalnum() else "_" for char in name).strip("_").lower()
    if not plain.isidentifier() or keyword.iskeyword(plain):
        plain = f"_{plain}"
    while plain in taken:
        plain += "_"
    taken.append(plain)
    return plain


def _call(name: str, arguments: dict[str, str]) -> str:
    """A call with one argument a line."""
    inner = "".join(f"    {key}={value},\n" for key, value in arguments.items())
    return f"{name}(\n{inner})"


def _set_fields(value: msgspec.Struct) -> str:
    """A frozen struct with what differs from its defaults."""
    fields = msgspec.to_builtins(value)
    inner = ", ".join(f"{name}={content!r}" for name, content in fields.items())
    return f"{type(value).__name__}({inner})"


def _llm(name: str, connection: dict[str, Any] | None) -> str:
    """The call that makes a model; its key is left to the reader."""
    if connection is None:
        return f"LLMClient(model_name={name!r})"
    arguments = [f"model_name={str(connection['model'] or name)!r}"]
    arguments.append(f"provider={str(connection['provider'])!r}")
    if connection["base_url"]:
        arguments.append(f"base_url={str(connection['base_url'])!r}")
    if connection["has_key"]:
        arguments.append('api_key=os.environ["AWORLD_LLM_API_KEY"]')
    if connection["parameters"]:
        arguments.append(f"parameters={connection['parameters']!r}")
    return f"LLMClient({', '.join(arguments)})"


def _agent(agent: AgentDefinition, llm: str) -> str:
    """The call that makes an agent."""
    arguments = {"name": repr(agent.name), "llm": llm, "role": repr(agent.role)}
    if agent.instructions:
        arguments["instructions"] = repr(agent.instructions)
    if agent.tools is not None:
        arguments["tools"] = repr(list(agent.tools))
    if agent.parameters != Parameters():
        arguments["parameters"] = _set_fields(agent.parameters)
    return _call("Agent", arguments)


def _group(team: TeamDefinition, variables: list[str]) -> str:
    """The call that makes the group."""
    arguments = {
        "agents": f"[{', '.join(variables)}]",
        "name": repr(team.name),
        "topology": repr(team.topology),
        "max_rounds": repr(team.max_rounds),
    }
    if team.limits != Limits():
        arguments["limits"] = _set_fields(team.limits)
    return _call("MultiAgentGroup", arguments)


def _python(record: RunRecord, models: dict[str, dict[str, Any]]) -> str:
    """A script over the library that runs the same team on the same question."""
    team = read_team(record.team)
    taken = ["os", "group", "result", "Agent", "LLMClient", "MultiAgentGroup"]
    llms: dict[str, str] = {}
    variables: list[str] = []
    body: list[str] = []
    for agent in ordered_agents(team):
        if agent.model not in llms:
            llms[agent.model] = _identifier(f"{agent.model} llm", taken)
            body.append(f"{llms[agent.model]} = {_llm(agent.model, models.get(agent.model))}")
        variables.append(_identifier(agent.name, taken))
        body.append(f"{variables[-1]} = {_agent(agent, llms[agent.model])}")
    body.append(f"group = {_group(team, variables)}")
    body.append(f"result = group.run({record.input!r})")
    body.append("print(result)")
    text = "\n".join(body)
    head = ["import os\n"] if "os.environ" in text else []
    head.append("from aworld import Agent, LLMClient, MultiAgentGroup")
    if "Limits(" in text:
        head.append("from aworld.events.run import Limits")
    if "Parameters(" in text:
        head.append("from aworld.llm.base import Parameters")
    return "\n".join([*head, "", text, ""])


def _curl(record: RunRecord, origin: str) -> str:
    """A call of the API; the session's cookies are left to the reader."""
    body = json.dumps({"team": record.team, "input": record.input}, ensure_ascii=False)
    return "\n".join(
        (
            "# cookies.txt holds your session: curl -c cookies.txt -L '"
            + origin
            + "/enter?token=…'",
            "TOKEN=$(awk '$6 == \"csrftoken\" {print $7}' cookies.txt)",
            f"curl -b cookies.txt {shlex.quote(origin + '/api/runs')} \\",
            "  -H 'Content-Type: application/json' -H \"X-CSRFToken: $TOKEN\" \\",
            f"  -H {shlex.quote('Referer: ' + origin + '/')} \\",
            f"  -d {shlex.quote(body)}",
            "",
        )
    )
