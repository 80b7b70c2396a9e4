"""Look at everything that AWorld relies on; say what is missing and its cure.

example:
  aworld doctor
  aworld doctor --port 8100 --json
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import msgspec

from aworld import config
from aworld_web.processes.checks import machine, programs, services
from aworld_web.processes.checks.finding import Finding, State

NAME = "doctor"
_MARKS: dict[State, str] = {"ok": "✓", "note": "·", "missing": "✗"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--port", type=int, default=8000, help="the page's port (default: 8000)")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; 1 where something is missing that `aworld up` needs."""
    findings = []
    for finding in _findings(arguments.port):
        findings.append(finding)
        if not arguments.json:
            print(f"{_MARKS[finding.state]} {finding.name:<12} {finding.detail}", flush=True)
            if finding.cure:
                print(f"  {'':<12} → {finding.cure}", flush=True)
    if arguments.json:
        print(msgspec.json.encode({"findings": findings}).decode())
    return 1 if any(finding.state == "missing" for finding in findings) else 0


def _findings(port: int) -> Iterator[Finding]:
    settings = config.load()
    yield machine.python()
    yield machine.disk(settings.home)
    yield machine.memory()
    yield machine.gpu()
    yield services.port(settings.home, port)
    yield programs.browser()
    yield programs.bubblewrap()
    yield programs.desktop()
    yield programs.node()
    yield programs.valkey()
    yield services.redis(settings)
    yield services.mongodb(settings)
    yield programs.local_model(settings.home)
    yield programs.training()
    yield services.keys()
