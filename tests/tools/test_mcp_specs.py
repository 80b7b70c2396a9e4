"""How `mcpServers` JSON is read, what tools are called, and which servers are known."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld import ScriptedModel, mcp_tools
from aworld.agents.agent import Agent
from aworld.errors import ConfigurationError
from aworld.tools import registry
from aworld.tools.mcp.listing import server_of, tool_names
from aworld.tools.mcp.server_spec import ServerSpec, expanded, read_server, read_servers
from tests.teams import call, sqlite
from tests.tools.mcp_programs import hand


def test_the_usual_json_is_read_as_other_clients_read_it() -> None:
    text = """{"mcpServers": {
        "files": {"command": "npx", "args": ["-y", "server", "/data"], "env": {"DEBUG": 1}},
        "Remote Search": {"type": "streamable-http", "url": "https://example.org/mcp",
                          "headers": {"Authorization": "Bearer x"}, "autoApprove": ["a"]}}}"""
    reading = read_servers(json.loads(text))
    assert reading.servers == [
        ServerSpec(name="files", command="npx", args=("-y", "server", "/data"), env={"DEBUG": "1"}),
        ServerSpec(
            name="Remote-Search",
            url="https://example.org/mcp",
            headers={"Authorization": "Bearer x"},
        ),
    ]
    assert reading.ignored == ["Remote Search.autoApprove"]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ([], "not list"),
        ({"command": "npx"}, "has no name"),
        ({"mcpServers": {"a": {}}}, 'neither a "command" nor a "url"'),
        ({"mcpServers": {"a": {"command": "x", "url": "http://h/"}}}, "Keep one of them"),
        ({"mcpServers": {"a": {"command": "x", "args": "y"}}}, r"\$.args"),
        ({"mcpServers": {"a": {"command": "x", "env": {"B": [1]}}}}, "env"),
        ({"mcpServers": {"a": {"command": "x\0"}}}, "NUL"),
        ({"mcpServers": {"a": {"url": "ftp://h/"}}}, "must begin with http"),
        ({"mcpServers": {"a": {"url": "http://[bad/"}}}, "must begin with http"),
        ({"mcpServers": {"a": {"url": "http://u:p@h/"}}}, "password in its address"),
        ({"mcpServers": {"a": {"url": "http://h/", "headers": {"X": "a\nb"}}}}, "cannot be sent"),
        ({"mcpServers": {"a": {"url": "http://h/", "type": "sse"}}}, "old transport"),
        ({"mcpServers": {"a": {"url": "http://h/", "type": "ws"}}}, "Types are stdio and http"),
        ({"mcpServers": {"": {"command": "x"}}}, "cannot name"),
        ({"mcpServers": {"a b": {"command": "x"}, "a-b": {"command": "x"}}}, "Rename one"),
        ({"mcpServers": {"a": {"command": "x", "timeout_s": -1}}}, "time-out"),
        ({"mcpServers": {"a": 5}}, "is an object"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(config: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        read_servers(config)


def test_a_spec_prints_no_secret() -> None:
    spec = ServerSpec(
        name="a", url="https://h/mcp?key=k1", headers={"Authorization": "k2"}, env={"T": "k3"}
    )
    assert repr(spec) == "ServerSpec('a', 'https://h/mcp')"
    assert not re.search("k1|k2|k3", spec.fingerprint())


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISSING_ONE", raising=False)
    with pytest.raises(ConfigurationError, match="wants the environment variable 'MISSING_ONE'"):
        expanded("${env:MISSING_ONE}", ServerSpec(name="a"), "")


@given(st.lists(st.text(min_size=1, max_size=90), unique=True, max_size=12), st.randoms())
def test_names_fit_model_apis_are_unique_and_do_not_depend_on_order(
    own: list[str], random: Any
) -> None:
    names = tool_names("a-server", own)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names.values())
    assert len(set(names.values())) == len(own)
    assert {server_of(name) for name in names.values()} <= {"a-server"}
    random.shuffle(own)
    assert tool_names("a-server", own) == names


def test_a_name_that_fits_stays_as_it_is() -> None:
    assert tool_names("s", ["read_file", "read.file", "list"]) == {
        "read_file": "mcp__s__read_file",
        "read.file": "mcp__s__read_file_dd32cd",
        "list": "mcp__s__list",
    }


def _entry(spec: ServerSpec) -> dict[str, Any]:
    return {"command": spec.command, "args": list(spec.args), "env": spec.env}


def test_a_server_of_a_file_is_asked_once_and_its_tools_are_known_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    entry = {"mcpServers": {"hand": _entry(hand(tmp_path))}}
    (tmp_path / "mcp.json").write_text(json.dumps(entry), encoding="utf-8")
    assert "mcp__hand__count" not in registry.names()
    assert registry.get("mcp__hand__count").description == "How often."
    assert "mcp__hand__count" in registry.names()
    assert registry.sources()["mcp__hand__count"] == "MCP server hand"
    with pytest.raises(ConfigurationError, match="no tool 'mcp__hand__cnt' for agents. It offers"):
        registry.get("mcp__hand__cnt")
    with pytest.raises(ConfigurationError, match="There is no MCP server 'foot'.* hand"):
        registry.get("mcp__foot__count")


def test_settings_of_the_folder_come_before_the_homes_and_may_pick_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"hand": {"command": "no"}}}', "utf-8")
    entry = {"mcpServers": {"hand": {**_entry(hand(tmp_path)), "tools": ["look"]}}}
    # JSON is YAML.
    (tmp_path / "config.yaml").write_text(json.dumps(entry), encoding="utf-8")
    assert registry.get("mcp__hand__look").effect == "read_only"
    with pytest.raises(ConfigurationError, match="It offers: mcp__hand__look"):
        registry.get("mcp__hand__count")


def test_a_broken_file_takes_no_other_tool_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    (tmp_path / "mcp.json").write_text("{", encoding="utf-8")
    assert "calculator" in registry.names()
    with pytest.raises(ConfigurationError, match=r"mcp.json' cannot be read"):
        registry.get("mcp__hand__count")


async def test_an_agent_calls_a_servers_tool_and_the_call_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_HOME", str(tmp_path))
    tools = mcp_tools({"mcpServers": {"hand": _entry(hand(tmp_path))}})
    store = sqlite(tmp_path)
    model = ScriptedModel([call("mcp__hand__media", {}), "A picture."])
    agent = Agent("looker", model, tools=[tool for tool in tools if "media" in tool.name])
    result = await agent.arun("What is there?", store=store)
    (returned,) = store.query(result.run_id, kinds=("tool.returned",))
    attached = returned.payload.attachments  # type: ignore[union-attr]
    assert [one["name"] for one in attached] == ["image-1.png", "b c.csv"]
    assert store.get_blob(attached[1]["blob"]) == b"a,b"
    store.close()


def test_a_server_that_cannot_be_reached_is_no_tool_of_an_agent() -> None:
    entry = {"command": sys.executable, "args": ["-c", "raise SystemExit('closed today')"]}
    with pytest.raises(ConfigurationError, match="closed today"):
        mcp_tools({"mcpServers": {"x": entry}})
    assert read_server("x", entry).address == sys.executable
