"""The product's Python files, parsed once for the rules below."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("aworld", "aworld_web", "apps", "scripts", "benchmarks")


def python_files(*rooms: str) -> list[Path]:
    """Every Python file of these top folders, generated migrations and built copies left out."""
    found = []
    for room in rooms or ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            parts = file.relative_to(ROOT).parts
            if not {"migrations", "mongo_migrations", "_site", "__pycache__"} & set(parts):
                found.append(file)
    return found


@functools.cache
def parsed(file: Path) -> ast.Module:
    """The file's syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


@functools.cache
def imported(file: Path) -> tuple[str, ...]:
    """Dotted names of everything that the file imports, at any depth."""
    names: list[str] = []
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.append(node.module)
    return tuple(names)


def name_of(file: Path) -> str:
    """The file as it is named in a message."""
    return file.relative_to(ROOT).as_posix()
