"""Where untrusted code runs: the protocol, bubblewrap, and a plain process for who insists.

`open_sandbox` gives the one that works here. Nothing in this room knows tools or agents.
"""

from aworld.sandbox.base import (
    Mount,
    Sandbox,
    SandboxLimits,
    SandboxProcess,
    SandboxResult,
    Surroundings,
)
from aworld.sandbox.choice import open_sandbox, probe_bubblewrap

__all__ = [
    "Mount",
    "Sandbox",
    "SandboxLimits",
    "SandboxProcess",
    "SandboxResult",
    "Surroundings",
    "open_sandbox",
    "probe_bubblewrap",
]
