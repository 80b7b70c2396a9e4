"""The browser's profile: bookmarks, history, cookies, preferences."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import Scene, Value

PROFILE = "/home/user/.config/google-chrome"
Reader = Callable[[Any], Any]


async def _json(scene: Scene, path: str) -> dict[str, Any]:
    """A file of the profile; empty where there is none yet."""
    data = await scene.session.read_file(f"{PROFILE}/{path}")
    try:
        content = json.loads(data) if data else {}
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _at(content: Any, path: str, default: Any = None) -> Any:
    for key in path.split("."):
        if not isinstance(content, dict) or key not in content:
            return default
        content = content[key]
    return content


def _said(value: Any) -> str:
    return "true" if value else "false"


_SIZES = {"default_fixed_font_size": 13, "default_font_size": 16, "minimum_font_size": 13}
_ENGINE = "default_search_provider_data.template_url_data.short_name"
_PREFERENCES: dict[str, Reader] = {
    "default_search_engine": lambda p: _at(p, _ENGINE, "Google"),
    "profile_name": lambda p: _at(p, "profile.name"),
    "chrome_font_size": lambda p: {**_SIZES, **_at(p, "webkit.webprefs", {})},
    "enable_do_not_track": lambda p: _said(_at(p, "enable_do_not_track")),
    "enable_enhanced_safety_browsing": lambda p: _said(_at(p, "safebrowsing.enhanced")),
    "enable_safe_browsing": lambda p: _said(_at(p, "safebrowsing.enabled")),
    "new_startup_page": lambda p: _said(_at(p, "session.restore_on_startup", 5) == 5),
    "data_delete_automacally": lambda p: _said(
        _at(p, "profile.default_content_setting_values") is not None
    ),
    "find_unpacked_extension_path": lambda p: [
        extension.get("path") for extension in _at(p, "extensions.settings", {}).values()
    ],
    "find_installed_extension_name": lambda p: [
        _at(extension, "manifest.name") for extension in _at(p, "extensions.settings", {}).values()
    ],
}
_LOCAL_STATE: dict[str, Reader] = {
    "enabled_experiments": lambda s: _at(s, "browser.enabled_labs_experiments", []),
    "chrome_language": lambda s: _at(s, "intl.app_locale", "en-US"),
}


def _register(name: str, file: str, read: Reader) -> None:
    @getter(name)
    async def value(scene: Scene, config: Fields) -> Value:
        return read(await _json(scene, file))


for _name, _read in _PREFERENCES.items():
    _register(_name, "Default/Preferences", _read)
for _name, _read in _LOCAL_STATE.items():
    _register(_name, "Local State", _read)


@getter("bookmarks")
async def bookmarks(scene: Scene, config: Fields) -> Value:
    """The roots of the bookmarks; empty where none was ever made."""
    return (await _json(scene, "Default/Bookmarks")).get("roots", [])


@getter("history")
async def history(scene: Scene, config: Fields) -> Value:
    """URL, title and time of the last visit of each page."""
    return await _rows(scene, "Default/History", "SELECT url, title, last_visit_time FROM urls")


@getter("cookie_data")
async def cookie_data(scene: Scene, config: Fields) -> Value:
    """All columns of each cookie, bytes as text."""
    return await _rows(scene, "Default/Cookies", "SELECT * FROM cookies")


async def _rows(scene: Scene, path: str, query: str) -> list[list[Any]] | None:
    name = path.rpartition("/")[2]
    kept = await scene.fetch(f"{PROFILE}/{path}", f"profile-{name}")
    if kept is None:
        return None
    # Opened as it is: what the browser has not yet written to the file is not seen.
    uri = f"file:{scene.cache / kept.name}?mode=ro&immutable=1"
    try:
        with sqlite3.connect(uri, uri=True) as connection:
            rows = connection.execute(query).fetchmany(20_000)
    except sqlite3.Error:
        return None
    return [[_plain(value) for value in row] for row in rows]


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


@getter("shortcuts_on_desktop")
async def shortcuts_on_desktop(scene: Scene, config: Fields) -> Value:
    """Name to content of the shortcuts (`*.desktop`) on the desktop."""
    folder = "/home/user/Desktop"
    tree = await scene.session.ask("list", path=folder) or {"children": []}
    shortcuts = {}
    for node in tree["children"]:
        if node["name"].endswith(".desktop"):
            data = await scene.session.read_file(f"{folder}/{node['name']}")
            shortcuts[node["name"]] = (data or b"").decode("utf-8", "replace")
    return shortcuts
