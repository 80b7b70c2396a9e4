"""Hooks at the gate: see, stop or change what agents do. `aworld.runtime.hooks` has the rules."""

from __future__ import annotations

from aworld.runtime.hooks import (
    Allow,
    Ask,
    Change,
    Decision,
    Deny,
    Hook,
    Moment,
    allow,
    ask,
    change,
    deny,
    register,
    registered,
    unregister,
)

__all__ = [
    "Allow",
    "Ask",
    "Change",
    "Decision",
    "Deny",
    "Hook",
    "Moment",
    "allow",
    "ask",
    "change",
    "deny",
    "register",
    "registered",
    "unregister",
]
