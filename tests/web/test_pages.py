"""The pages around the API: the shell, the files it loads, and what is said without them."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.shell.manifest import Entry, read_entry
from tests.web import recorded
from tests.web.live_server import WebServer

pytestmark = pytest.mark.django_db

MANIFEST = {
    "index.html": {
        "file": "assets/index-a1b2c3d4.js",
        "isEntry": True,
        "css": ["assets/index-e5f6.css"],
        "imports": ["_react.js", "_shared.js"],
        "dynamicImports": ["src/features/run/page.tsx"],
    },
    "_react.js": {"file": "assets/react-11112222.js"},
    "_shared.js": {
        "file": "assets/shared-33334444.js",
        "imports": ["_react.js"],
        "css": ["assets/shared-5555.css", "assets/index-e5f6.css"],
    },
    "src/features/run/page.tsx": {"file": "assets/page-99990000.js", "isDynamicEntry": True},
}


def build(dist: Path) -> None:
    """A build as Vite leaves it."""
    (dist / ".vite").mkdir(parents=True)
    (dist / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (dist / "assets").mkdir()
    (dist / "assets" / "index-a1b2c3d4.js").write_text("console.log('你好')", encoding="utf-8")
    (dist / "theme.js").write_text("1", encoding="utf-8")


def test_the_shell_loads_the_entry_its_styles_and_what_it_imports_at_once(tmp_path: Path) -> None:
    build(tmp_path)

    assert read_entry(tmp_path) == Entry(
        script="assets/index-a1b2c3d4.js",
        styles=("assets/index-e5f6.css", "assets/shared-5555.css"),
        preloads=("assets/react-11112222.js", "assets/shared-33334444.js"),
    )


@pytest.mark.parametrize("address", ["/", "/runs", "/runs/8f3a?seq=4", "/teams/x", "/settings"])
def test_every_page_of_the_application_is_the_same_shell(
    client: Client, tmp_path: Path, settings: Any, address: str
) -> None:
    build(tmp_path)
    settings.FRONTEND = tmp_path

    response = client.get(address)

    page = response.content.decode()
    assert response.status_code == 200
    assert '<script type="module" src="/static/assets/index-a1b2c3d4.js"></script>' in page
    assert '<link rel="stylesheet" href="/static/assets/index-e5f6.css">' in page
    assert "page-99990000" not in page
    assert response.cookies["csrftoken"].value


def test_pages_that_are_not_built_say_how_to_build_them(
    client: Client, tmp_path: Path, settings: Any
) -> None:
    settings.FRONTEND = tmp_path / "nothing"

    response = client.get("/runs")

    assert response.status_code == 503
    assert "make setup" in response.content.decode()
    assert str(tmp_path / "nothing") in response.content.decode()


def test_an_address_that_there_is_not_says_so(client: Client) -> None:
    response = client.get("/no/such/page")

    assert response.status_code == 404
    assert "/no/such/page" in response.content.decode()


def test_the_set_up_is_what_the_parent_process_wrote(client: Client, home: Path) -> None:
    steps = [{"name": "model", "state": "running", "detail": "Loading", "progress": 0.5}]
    web = {"name": "web", "state": "running", "pid": 7, "restarts": 1, "since": 5, "last_line": "x"}
    report = {
        "parent": {"pid": os.getpid(), "url": "http://127.0.0.1:8000", "started_at": 1},
        "processes": [web],
        "setup": {"ready": False, "steps": steps},
    }
    file = home / "processes.json"
    file.write_text(json.dumps(report), encoding="utf-8")
    try:
        session = client.get("/api/session").json()
        processes = client.get("/api/processes").json()
    finally:
        file.unlink()

    assert session["setup"] == {"ready": False, "steps": steps}
    assert processes == [{**web, "runs": []}]


def test_what_a_parent_process_wrote_that_is_gone_does_not_count(
    client: Client, home: Path
) -> None:
    file = home / "processes.json"
    report = {"parent": {"pid": 2**22 + 7}, "processes": [], "setup": {"ready": False, "steps": []}}
    file.write_text(json.dumps(report), encoding="utf-8")
    try:
        setup = client.get("/api/session").json()["setup"]
    finally:
        file.unlink()

    assert setup == {"ready": True, "steps": []}


def test_workers_are_listed_with_what_they_run(client: Client, store: Any) -> None:
    run = recorded.queued_run(store)
    recorded.started(store, run.run_id)

    rows = client.get("/api/processes").json()

    assert [(row["name"], row["runs"]) for row in rows] == [("worker:1", [run.run_id])]


async def test_files_are_served_with_their_type_and_kept_by_browsers(tmp_path: Path) -> None:
    build(tmp_path / "dist")
    server = WebServer(tmp_path, AWORLD_FRONTEND=str(tmp_path / "dist"))
    await asyncio.to_thread(server.manage, "migrate", "-v0")
    await asyncio.to_thread(server.start)
    try:
        async with server.browser() as session:
            async with session.get("/static/assets/index-a1b2c3d4.js") as got:
                text, headers = await got.text(), got.headers
            again = {"If-Modified-Since": headers["Last-Modified"]}
            async with session.get("/static/assets/index-a1b2c3d4.js", headers=again) as got:
                unchanged = got.status
            async with session.get("/static/nothing.js") as got:
                missing = got.status
    finally:
        server.stop()

    assert text == "console.log('你好')"
    assert headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in headers["Cache-Control"]
    assert (unchanged, missing) == (304, 404)
