"""Hooks: functions of the owner's that see each call at the gate and may stop or change it.

    from aworld.hooks import Moment, deny, register

    @register
    def keep_files(moment: Moment):
        if moment.tool == "files" and moment.arguments.get("action") == "delete":
            return deny("Files are not deleted here.")

Order: the smaller `order` first, then as they were registered; each sees what those before it
changed, the first that denies ends it, and the team's approval comes last. A hook that fails
denies. What a hook decided is in the run's log, so that no replay needs the hook.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple, get_args, overload

import msgspec

from aworld.errors import ConfigurationError
from aworld.tools.threads import in_thread

When = Literal[
    "before_model",
    "after_model",
    "before_tool",
    "after_tool",
    "before_environment",
    "after_environment",
]
EVERY: tuple[When, ...] = get_args(When)
TIME_LIMIT_S = 30.0
"""How long a hook may think."""


class Moment(msgspec.Struct, frozen=True):
    """What passes the gate."""

    when: When
    run_id: str
    agent: str
    call: int
    """Seq of the call's event."""
    tool: str = ""
    """The tool or the environment's action; "" for a model."""
    effect: str = ""
    """`read_only`, `idempotent` or `unsafe`; "" for a model."""
    model: str = ""
    arguments: dict[str, Any] = {}
    """The call's; for a model `{messages, parameters}`, as the provider gets them."""
    result: dict[str, Any] | None = None
    """After the call, the fields of the event that is to be recorded, with its `kind`."""


class Allow(msgspec.Struct, frozen=True):
    """Let it pass; the same as None."""


class Deny(msgspec.Struct, frozen=True):
    """Refuse the call, or keep its result back; the agent is told the reason."""

    reason: str


class Ask(msgspec.Struct, frozen=True):
    """Let a person decide; who does not answer within `timeout_s` seconds refuses."""

    question: str
    timeout_s: float | None = None


class Change(msgspec.Struct, frozen=True):
    """Before a tool: all its arguments anew. Else: the fields that change."""

    fields: dict[str, Any]


Decision = Allow | Deny | Ask | Change | None
HookFunction = Callable[[Moment], Decision | Awaitable[Decision]]


def allow() -> Allow:
    """Let it pass."""
    return Allow()


def deny(reason: str) -> Deny:
    """Refuse the call, or keep its result back."""
    return Deny(reason)


def ask(question: str, *, timeout_s: float | None = None) -> Ask:
    """Let a person decide."""
    return Ask(question, timeout_s)


def change(fields: dict[str, Any]) -> Change:
    """Before a tool: all its arguments anew. Before a model: new `messages` or `parameters`. After
    either: new fields of the result, such as `{"text": "…"}`; what was there is not kept."""
    return Change(fields)


class Hook(NamedTuple):
    """A registered hook."""

    name: str
    function: HookFunction
    order: int
    when: frozenset[str]
    source: str
    """The module or file that registered it."""


reading: ContextVar[str] = ContextVar("reading", default="")
"""The file whose hooks are being registered, if any."""
_lock = threading.Lock()
_hooks: dict[tuple[str, str], Hook] = {}


@overload
def register(
    hook: HookFunction, *, name: str = "", order: int = 0, when: Collection[str] = EVERY
) -> HookFunction: ...
@overload
def register(
    hook: None = None, *, name: str = "", order: int = 0, when: Collection[str] = EVERY
) -> Callable[[HookFunction], HookFunction]: ...
def register(
    hook: HookFunction | None = None,
    *,
    name: str = "",
    order: int = 0,
    when: Collection[str] = EVERY,
) -> HookFunction | Callable[[HookFunction], HookFunction]:
    """Have a hook called in every run that a worker of this process takes up from now on.

    Also a decorator, with or without arguments. `name` defaults to the function's; one of the same
    name from the same module is replaced. A plain function runs in a thread, a coroutine on the
    run's own loop.

    Raises:
        ConfigurationError: it cannot be called, or is to be called at no moment there is.
    """
    if hook is None:
        return lambda function: register(function, name=name, order=order, when=when)
    called = name or getattr(hook, "__name__", type(hook).__name__)
    unknown = sorted(set(when) - set(EVERY))
    if not callable(hook):
        raise ConfigurationError(f"The hook {hook!r} cannot be called. Give a function.")
    if isinstance(when, str) or unknown or not when:
        raise ConfigurationError(
            f"The hook {called!r} is to be called at {when!r}. Give a list of: {', '.join(EVERY)}."
        )
    source = reading.get() or getattr(hook, "__module__", "")
    with _lock:
        _hooks.pop((source, called), None)
        _hooks[source, called] = Hook(called, hook, order, frozenset(when), source)
    return hook


def unregister(name: str) -> None:
    """Forget a hook."""
    _forget(lambda hook: hook.name == name)


def forget_source(source: str) -> None:
    """Forget what a module or file registered."""
    _forget(lambda hook: hook.source == source)


def _forget(meant: Callable[[Hook], bool]) -> None:
    with _lock:
        for key in [key for key, hook in _hooks.items() if meant(hook)]:
            del _hooks[key]


def registered() -> list[Hook]:
    """All hooks in the order in which they are called."""
    with _lock:
        return sorted(_hooks.values(), key=lambda hook: hook.order)


def of_moment(hooks: Sequence[Hook], when: When) -> list[Hook]:
    """Those that are called then."""
    return [hook for hook in hooks if when in hook.when]


async def decide(hook: Hook, moment: Moment) -> Allow | Deny | Ask | Change:
    """What a hook says. One that fails, hangs or says something else denies."""
    try:
        async with asyncio.timeout(TIME_LIMIT_S):
            said = await _called(hook.function, moment)
    except TimeoutError:
        return Deny(f"The hook {hook.name!r} did not decide within {TIME_LIMIT_S:g} s.")
    except Exception as error:  # the owner's code: whatever it is, the call does not pass
        return Deny(f"The hook {hook.name!r} failed: {type(error).__name__}: {error}")
    if said is None:
        return Allow()
    if not isinstance(said, Allow | Deny | Ask | Change):
        return Deny(
            f"The hook {hook.name!r} gave {said!r:.100}. It must give allow(), deny(…), ask(…), "
            "change(…) or None."
        )
    return said


async def _called(function: HookFunction, moment: Moment) -> object:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object with an async __call__
    ):
        said = function(moment)
    else:
        said = await in_thread(function, moment)
    return await said if isinstance(said, Awaitable) else said
