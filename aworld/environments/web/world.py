"""A world that is seen and acted on through a browser."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import ClassVar

from aworld.environments.base import (
    Action,
    ActionSpec,
    Environment,
    Observation,
    Place,
    StageLimits,
    Task,
)
from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.base import Attachment
from aworld.tools.browser.actions import ACTIONS, parameters, perform
from aworld.tools.browser.looking import take_picture
from aworld.tools.browser.session import BrowserSession
from aworld.tools.browser.transfer import save_downloads
from aworld.tools.failures import MalformedCall
from aworld.tools.json_schema import first_problem

PREFIX = "browser_"


def specs(names: Sequence[str]) -> list[ActionSpec]:
    """Actions of the browser as tools of their own, one each: a model that must name a tool and
    fill in three fields errs less than one that also chooses among twenty optional fields."""
    return [
        ActionSpec(PREFIX + name, ACTIONS[name].description, parameters(name), ACTIONS[name].effect)
        for name in names
    ]


class WebWorld(Environment):
    """What all episodes in a browser share."""

    limits: ClassVar[StageLimits] = StageLimits(
        reset_s=90.0, observe_s=30.0, step_s=90.0, verify_s=60.0, close_s=30.0
    )
    action_names: ClassVar[Sequence[str]] = ()

    def __init__(self, task: Task, place: Place) -> None:
        super().__init__(task, place)
        self._session: BrowserSession | None = None

    @classmethod
    def actions(cls, task: Task) -> Sequence[ActionSpec]:
        """Those of `action_names`."""
        return specs(cls.action_names)

    @property
    def session(self) -> BrowserSession:
        """The browser.

        Raises:
            EnvironmentFault: there is none, or it has crashed.
        """
        if self._session is None:
            raise EnvironmentFault("The episode has no browser: it was not reset, or is closed.")
        if not self._session.alive:
            raise EnvironmentFault("The browser of the episode has crashed.")
        return self._session

    async def observe(self) -> Observation:
        """The page as it is."""
        async with self.session.lock:
            return await self._seen([])

    async def step(self, action: Action) -> Observation:
        """Do one of the browser's actions."""
        name = action.name.removeprefix(PREFIX)
        if name not in self.action_names:
            offered = ", ".join(PREFIX + known for known in self.action_names)
            raise MalformedCall(f"There is no action {action.name!r} here. There are: {offered}.")
        problem = first_problem(parameters(name), action.arguments)
        if problem is not None:
            raise MalformedCall(f"The action {action.name!r} does not fit: {problem}.")
        session = self.session
        async with session.lock:
            self._may_act()
            given = {**action.arguments, "workspace": str(self.place.workspace)}
            try:
                done = await perform(session, name, given)
            except ToolError as error:
                if not session.alive:
                    raise EnvironmentFault(str(error)) from error
                # What happened although the action failed is not told with the next one.
                notes = " ".join(session.taken_notes())
                raise type(error)(f"{error} {notes}".strip()) from error
            saved = await save_downloads(session, str(self.place.workspace))
            seen = await self._seen([done.text, *session.taken_notes(), *saved])
            return self._with_pictures(seen, done.attachments) if done.attachments else seen

    async def close(self) -> None:
        """End the browser's context."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _may_act(self) -> None:
        """Raises ToolError where the world takes no further action."""

    @abc.abstractmethod
    async def _seen(self, happened: list[str]) -> Observation:
        """An observation that begins with what happened."""

    async def _picture(self) -> tuple[Attachment, ...]:
        if not self.session.tabs or self.session.dialog is not None:
            return ()
        return (Attachment("page.png", "image/png", await take_picture(self.session)),)

    def _with_pictures(self, seen: Observation, more: tuple[Attachment, ...]) -> Observation:
        """With pictures that were asked for in place of the usual one."""
        return Observation(seen.text, seen.data, more, seen.done, seen.stable)
