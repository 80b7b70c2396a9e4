"""Tabs of the browser."""

from __future__ import annotations

from aworld.environments.desktop.browser_port import BrowserPort
from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import Scene, Value


@getter("open_tabs_info")
async def open_tabs_info(scene: Scene, config: Fields) -> Value:
    """Title and URL of each tab; none where no browser runs."""
    tabs = await BrowserPort(scene.session).tabs()
    return [{"title": tab["title"], "url": tab["url"]} for tab in tabs or []]


@getter("active_tab_info")
async def active_tab_info(scene: Scene, config: Fields) -> Value:
    """Title and URL of the tab that was used last; None where no browser runs."""
    tabs = await BrowserPort(scene.session).tabs()
    return {"title": tabs[0]["title"], "url": tabs[0]["url"]} if tabs else None


@getter("active_url_from_accessTree")
async def active_url_from_access_tree(scene: Scene, config: Fields) -> Value:
    """The active tab's URL. OSWorld reads the address bar and puts `goto_prefix` before it; here
    the browser itself is asked, which gives the whole address."""
    tabs = await BrowserPort(scene.session).tabs()
    return tabs[0]["url"] if tabs else None
