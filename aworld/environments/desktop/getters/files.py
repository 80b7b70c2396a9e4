"""Files of the desktop and of the task."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

from aworld.environments.desktop.getters.registry import Fields, getter
from aworld.environments.desktop.scene import FileValue, Scene, Value, safe_name
from aworld.errors import ConfigurationError


@getter("vm_file")
async def vm_file(scene: Scene, config: Fields) -> Value:
    """A file of the desktop; None where there is none. `multi`: several, `gives` says which."""

    async def one(path: str, dest: str) -> FileValue | None:
        return await scene.fetch(path, dest)

    return await _several(config, one)


@getter("cloud_file")
async def cloud_file(scene: Scene, config: Fields) -> Value:
    """A file that OSWorld downloads: taken from the cache or from beside the task."""

    async def one(url: str, dest: str) -> FileValue:
        source = scene.files.downloaded(url, dest)
        return await scene.keep(dest, await asyncio.to_thread(source.read_bytes))

    return await _several(config, one)


async def _several(config: Fields, one: Callable[[str, str], Awaitable[Any]]) -> Value:
    if not config.get("multi", False):
        path = config["path"]
        return await one(path, config.get("dest") or os.path.basename(path))
    given = set(config.get("gives", [0]))
    values = [
        await one(path, dest)
        for index, (path, dest) in enumerate(zip(config["path"], config["dest"], strict=False))
        if index in given
    ]
    return values[0] if len(values) == 1 else values


@getter("cache_file")
async def cache_file(scene: Scene, config: Fields) -> Value:
    """A file that a configuration step has put into the cache."""
    name = safe_name(config["path"])
    if not (scene.cache / name).is_file():
        raise ConfigurationError(f"No configuration step has written {name!r} into the cache.")
    return FileValue(name)


@getter("content_from_vm_file")
async def content_from_vm_file(scene: Scene, config: Fields) -> Value:
    """A part of a file's content: of an xlsx the last row, as texts."""
    if (config["file_type"], config["file_content"]) != ("xlsx", "last_row"):
        raise ConfigurationError(
            f"The content {config['file_content']!r} of {config['file_type']!r} is not read here."
        )
    found = await scene.fetch(config["path"], os.path.basename(config["path"]))
    # Read where it is judged: a spreadsheet that a model wrote is not opened out here.
    return None if found is None else FileValue(found.name, "last_row")


@getter("list_directory")
async def list_directory(scene: Scene, config: Fields) -> Value:
    """A folder with all below it as `{type, name, children}`; None where there is none."""
    return await scene.session.ask("list", path=config["path"])


@getter("vlc_config")
async def vlc_config(scene: Scene, config: Fields) -> Value:
    """VLC's settings."""
    return await scene.fetch("/home/user/.config/vlc/vlcrc", config["dest"])


@getter("gimp_config_file")
async def gimp_config_file(scene: Scene, config: Fields) -> Value:
    """A file of GIMP's settings."""
    name = safe_name(config["file_name"])
    return await scene.fetch(f"/home/user/.config/GIMP/2.10/{name}", config["dest"])
