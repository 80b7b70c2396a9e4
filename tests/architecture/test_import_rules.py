"""Who may import whom: the layers by import-linter, the heavy libraries' doors by our own look."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source_tree import ROOT, imported, name_of, python_files

DOORS = {
    "pymongo": r"aworld/storage/mongo|aworld_web/databases|aworld_web/processes/checks/",
    "redis": r"aworld/(bus/(redis|doorbell)|llm/limits/redis)|apps/runs/|aworld_web/|benchmarks/",
    "torch": r"aworld/training/|aworld/llm/local",
    "transformers": r"aworld/training/|aworld/llm/local",
    "peft": r"aworld/training/",
    "openai": r"aworld/llm/openai_sdk",
    "mcp": r"aworld/tools/mcp_",
    "celery": r"aworld_web/|apps/.*jobs",
    "channels": r"aworld_web/|apps/",
    "xllamacpp": r"aworld/llm/llama_server",
    "django": r"aworld_web/|apps/",
}
"""Library → the files, by the beginning of their path, that may import it."""


def test_the_layers_hold() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(lint), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("library", DOORS)
def test_a_heavy_library_is_imported_through_its_door_only(library: str) -> None:
    door = re.compile(DOORS[library])
    strangers = [
        name_of(file)
        for file in python_files("aworld", "aworld_web", "apps")
        if not door.match(name_of(file))
        and any(name == library or name.startswith(f"{library}.") for name in imported(file))
    ]
    assert strangers == []


HEAVY = ("aiohttp", "celery", "channels", "django", "gguf", "mcp", "numpy", "openai", "pydantic")
HEAVIER = ("pymongo", "redis", "sqlite3", "sympy", "torch", "transformers", "xllamacpp", "yaml")


def test_importing_the_library_loads_nothing_heavy() -> None:
    program = f"import sys, aworld; print([m for m in {HEAVY + HEAVIER} if m in sys.modules])"
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert said.stdout.strip() == "[]"


def test_importing_the_three_names_of_the_samples_loads_no_client_and_no_store() -> None:
    program = (
        "import sys; from aworld import Agent, LLMClient, MultiAgentGroup\n"
        f"print([m for m in {(*HEAVY, *HEAVIER)} if m in sys.modules and m != 'sqlite3'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert said.stdout.strip() == "[]"


def test_the_apps_know_each_other_by_services_and_selectors_only() -> None:
    order = ["shell", "accounts", "agents", "tasks", "runs"]
    doors = {"services", "selectors"}
    shared = {"shell", "accounts"}
    faults = []
    for file in python_files("apps"):
        parts = file.relative_to(ROOT).parts
        if len(parts) < 3 or parts[1] not in order:
            continue
        for name in imported(file):
            words = name.split(".")
            if words[0] != "apps" or len(words) < 2 or words[1] == parts[1]:
                continue
            upwards = order.index(words[1]) > order.index(parts[1])
            # `model_selectors` is a door as `selectors` is.
            door = len(words) < 3 or words[2].rpartition("_")[2] in doors
            inside = words[1] not in shared and not door
            if upwards or inside:
                faults.append(f"{name_of(file)} imports {name}")
    assert faults == []
