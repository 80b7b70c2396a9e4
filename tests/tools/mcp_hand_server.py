"""An MCP server written by hand, over stdio: it starts at once and does what no SDK would.

Its name in the tests is `hand`. Arguments: `--bad` offers tools that no client should have to
read, `--loud` writes lines to standard error and garbage to standard output first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
READS = {"readOnlyHint": True}
tools: list[dict[str, Any]] = [
    {"name": "count", "description": "How often.", "inputSchema": EMPTY},
    {"name": "look", "description": "Folder.", "inputSchema": EMPTY, "annotations": READS},
    {"name": "die", "description": "Dies once.", "inputSchema": EMPTY},
    {"name": "die.reading", "inputSchema": EMPTY, "annotations": READS},
    {"name": "slow", "description": "Sleeps.", "inputSchema": EMPTY},
    {"name": "steps", "description": "Tells how far.", "inputSchema": EMPTY},
    {"name": "media", "description": "A picture.", "inputSchema": EMPTY},
    {"name": "fail", "description": "Fails.", "inputSchema": EMPTY},
    {"name": "grow", "description": "Adds a tool.", "inputSchema": EMPTY},
    {"name": "half", "description": "Half a character.", "inputSchema": EMPTY},
    {"name": "flood", "description": "Never ends.", "inputSchema": EMPTY},
    {"name": "child", "description": "Has a child.", "inputSchema": EMPTY},
]
BAD: list[Any] = [
    {"name": "no_schema"},
    {"name": "list_schema", "inputSchema": []},
    {"name": "text_schema", "inputSchema": {"type": "string"}},
    {"name": "numbered", "inputSchema": {"type": "object", "properties": {"a": {"type": 5}}}},
    {
        "name": "pattern",
        "inputSchema": {"properties": {"a": {"type": "string", "pattern": "(?<x"}}},
    },
    {"name": "hints", "inputSchema": EMPTY, "annotations": {"readOnlyHint": "perhaps"}},
    {"name": "output", "inputSchema": EMPTY, "outputSchema": {"type": 7}},
    {"name": ""},
    {"inputSchema": EMPTY},
    "no tool",
    None,
]
calls = 0


def say(line: str, *, error: bool = False) -> None:
    stream = sys.stderr if error else sys.stdout
    stream.write(f"{line}\n")
    stream.flush()


def send(**message: Any) -> None:
    say(json.dumps({"jsonrpc": "2.0", **message}))


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def listed(cursor: str | None) -> dict[str, Any]:
    every = [*tools, *(BAD if "--bad" in sys.argv else [])]
    start = int(cursor or 0)
    page: dict[str, Any] = {"tools": every[start : start + 4]}
    return page | ({"nextCursor": str(start + 4)} if start + 4 < len(every) else {})


def called(name: str, token: Any) -> dict[str, Any]:
    global calls
    calls += 1
    if name == "count":
        return text(str(calls)) | {"structuredContent": {"calls": calls, "pid": os.getpid()}}
    if name.startswith("die"):
        die_once(name)
        return text(f"alive as {os.getpid()}")
    if name == "steps":
        return steps(token)
    action = ACTIONS.get(name)
    return action() if action is not None else text("done")


def look() -> dict[str, Any]:
    return text(json.dumps({"cwd": os.getcwd(), "environment": dict(os.environ)}))


def steps(token: Any) -> dict[str, Any]:
    for step in range(1, 5):
        time.sleep(0.15)
        progress = {"progressToken": token, "progress": step, "total": 4, "message": "digging"}
        send(method="notifications/progress", params=progress)
    return text("through")


def slow() -> dict[str, Any]:
    time.sleep(5)
    return text("late")


def grow() -> dict[str, Any]:
    tools.append({"name": "new_tool", "description": "New.", "inputSchema": EMPTY})
    send(method="notifications/tools/list_changed")
    return text("grown")


def flood() -> dict[str, Any]:
    while True:
        sys.stdout.write("x" * 1_000_000)


def child() -> dict[str, Any]:
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    return text(str(started.pid))


def fail() -> dict[str, Any]:
    return text("the well is dry") | {"isError": True}


def half() -> dict[str, Any]:
    return text("\ud800 half")


def die_once(name: str) -> None:
    """The first process of a folder dies, the second lives."""
    mark = os.path.join(os.environ["MARKS"], name)
    if not os.path.exists(mark):
        with open(mark, "w", encoding="utf-8"):
            pass
        say("out of cheese", error=True)
        os._exit(3)


def media() -> dict[str, Any]:
    return {
        "content": [
            {"type": "text", "text": "Look:"},
            {"type": "image", "mimeType": "image/png", "data": PIXEL},
            {"type": "audio", "mimeType": "audio/wav", "data": "not base64!"},
            {
                "type": "resource",
                "resource": {"uri": "file:///a/b%20c.csv", "mimeType": "text/csv", "blob": "YSxi"},
            },
            {"type": "resource", "resource": {"uri": "note://1", "text": "remember"}},
            {"type": "resource_link", "uri": "note://2", "name": "second"},
        ]
    }


ACTIONS = {
    "look": look,
    "slow": slow,
    "grow": grow,
    "flood": flood,
    "child": child,
    "fail": fail,
    "half": half,
    "media": media,
}


def answer(message: dict[str, Any]) -> None:
    number, method, given = message.get("id"), message.get("method"), message.get("params") or {}
    if number is None:
        return
    if method == "initialize":
        capabilities = {"tools": {"listChanged": True}}
        info = {"name": "hand", "version": "1"}
        version = given["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
    elif method == "tools/list":
        result = listed(given.get("cursor"))
    elif method == "tools/call":
        result = called(given["name"], (given.get("_meta") or {}).get("progressToken"))
    else:
        send(id=number, error={"code": -32601, "message": f"no {method}"})
        return
    send(id=number, result=result)


if __name__ == "__main__":
    if "--loud" in sys.argv:
        say("this is no JSON")
        say("x" * 100_000, error=True)
    for line in sys.stdin:
        answer(json.loads(line))
