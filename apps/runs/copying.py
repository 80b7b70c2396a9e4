"""A run as text that runs it again: Python over the library, or curl over the API."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.runs.selectors import run_record
from apps.shell.refusals import Invalid
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


def _identifier(name: str, taken: Sequence[str]) -> str:
    """A Python name for an agent or a model."""
    plain = "".join(char if char.isalnum() else "_" for char in name).strip("_").lower()
    plain = plain if plain and not plain[0].isdigit() else f"_{plain}"
    while plain in taken:
        plain += "_"
    return plain


def _llm_line(variable: str, name: str, connection: dict[str, Any] | None) -> str:
    """The line that makes a model; the key is left to the reader."""
    arguments = [f"model_name={(connection or {}).get('model') or name!r}".replace('"', "'")]
    if connection is not None:
        arguments = [f"model_name={str(connection['model'] or name)!r}"]
        arguments.append(f"provider={str(connection['provider'])!r}")
        if connection["base_url"]:
            arguments.append(f"base_url={str(connection['base_url'])!r}")
        if connection["has_key"]:
            arguments.append('api_key=os.environ["AWORLD_LLM_API_KEY"]')
    return f"{variable} = LLMClient({', '.join(arguments)})"


def _agent_lines(agent: dict[str, Any], variable: str, llm: str) -> list[str]:
    lines = [f"{variable} = Agent(", f"    name={str(agent['name'])!r},", f"    llm={llm},"]
    if agent.get("role"):
        lines.append(f"    role={str(agent['role'])!r},")
    if agent.get("instructions"):
        lines.append(f"    instructions={str(agent['instructions'])!r},")
    if agent.get("tools") is not None:
        lines.append(f"    tools={list(agent['tools'])!r},")
    return [*lines, ")"]


def _python(record: RunRecord, models: dict[str, dict[str, Any]]) -> str:
    """A script over the library."""
    agents = [agent for agent in record.team.get("agents", []) if isinstance(agent, dict)]
    taken = ["os", "result", "group", "Agent", "LLMClient", "MultiAgentGroup"]
    llms: dict[str, str] = {}
    body: list[str] = []
    for agent in agents:
        name = str(agent.get("model", "local"))
        if name not in llms:
            llms[name] = _identifier(f"{name} llm", taken)
            taken.append(llms[name])
            body.append(_llm_line(llms[name], name, models.get(name)))
    variables: list[str] = []
    for agent in agents:
        variable = _identifier(str(agent["name"]), taken)
        taken.append(variable)
        variables.append(variable)
        body += ["", *_agent_lines(agent, variable, llms[str(agent.get("model", "local"))])]
    if len(variables) == 1:
        body += ["", f"result = {variables[0]}.run({record.input!r})", "print(result)"]
    else:
        body += [
            "",
            f"group = MultiAgentGroup(agents=[{', '.join(variables)}])",
            f"result = group.run({record.input!r})",
            "print(result)",
        ]
    head = ["import os", ""] if any("os.environ" in line for line in body) else []
    names = "Agent, LLMClient" + (", MultiAgentGroup" if len(variables) > 1 else "")
    return "\n".join([*head, f"from aworld import {names}", "", *body, ""])


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
