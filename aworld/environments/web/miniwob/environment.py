"""One page of MiniWoB++: seeded, with endless time, judged by the reward that the page gives."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from aworld.environments.base import Observation, Verdict
from aworld.environments.web.miniwob.pages import load_pages
from aworld.environments.web.miniwob.virtual_time import (
    COUNT_CHANGES,
    VirtualPace,
    align_time,
    stop_time,
)
from aworld.environments.web.served import Served
from aworld.environments.web.world import WebWorld
from aworld.errors import ConfigurationError, EnvironmentFault, ToolError
from aworld.tools.browser.answering import answering
from aworld.tools.browser.session import BrowserSession, Look
from aworld.tools.browser.sight import DocumentSight
from aworld.tools.failures import ToolRefused

HOST = "miniwob.test"
_LOOK = Look(width=332, height=214)
_READY_S = 20.0
_START = """
seed => {
  core.EPISODE_MAX_TIME = 1e9;
  Math.seedrandom(String(seed));
  core.startEpisodeReal();
}
"""
_QUESTION = """
() => { const said = core.getUtterance(); return typeof said === 'string' ? said : said.utterance; }
"""
_STATE = """
() => ({done: WOB_DONE_GLOBAL, raw: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON})
"""
_HIDE = """
document.addEventListener('DOMContentLoaded', () => {
  const sheet = document.createElement('style');
  sheet.textContent = '#reward-display, #click-canvas, #sync-task-cover {display: none !important}';
  document.head.append(sheet);
});
"""
"""What shows rewards and the time, and what starts the next episode, is not part of the task."""


class Reward(msgspec.Struct, frozen=True):
    """What the page says of the episode."""

    done: bool = False
    raw: float = 0.0
    """-1 to 1, without the discount for time."""
    reason: str | None = None


class MiniWob(WebWorld):
    """One episode of a page; the task's `data` has its name as `page`."""

    action_names: ClassVar[Sequence[str]] = (
        "click",
        "fill",
        "select",
        "press",
        "type",
        "hover",
        "scroll",
        "drag",
        "click_at",
        "drag_at",
        "wait",
    )
    _served: Served | None = None
    _question = ""
    _reward = Reward()

    async def reset(self) -> Observation:
        """Serve the pages, open this one, start its episode."""
        try:
            pages = load_pages()
        except ConfigurationError as error:
            raise EnvironmentFault(str(error)) from error
        name = f"miniwob/{self.task.data['page']}.html"
        if name not in pages:
            raise EnvironmentFault(f"MiniWoB has no page {self.task.data['page']!r}.")
        await self.close()
        self._served = Served()
        self._reward = Reward()
        try:
            socket = await self._served.start(_application(pages))
            self._session = await BrowserSession.open(
                (), look=_LOOK, local={HOST: socket}, scripts=(_HIDE, COUNT_CHANGES)
            )
            await self._begin(f"http://{HOST}/{name}")
        except ToolError as error:
            raise EnvironmentFault(f"The page {name!r} did not start: {error}") from error
        return await self.observe()

    async def _begin(self, url: str) -> None:
        session = self.session
        async with answering(session, _READY_S):
            page = session.page
            await stop_time(page)
            await page.goto(url, wait_until="load")
            # Some pages load pictures or fonts before they are ready.
            await page.wait_for_function(
                "() => typeof core === 'object' && core.cover_div && WOB_TASK_READY"
            )
            await align_time(page)
            await page.evaluate(_START, self.task.seed)
            session.pace = VirtualPace()
            session.sight = DocumentSight(leave_out="#query")
            await session.pace.rest(page)
            self._question = str(await page.evaluate(_QUESTION))
        session.taken_notes()

    async def verify(self, answer: str) -> Verdict:
        """1.0 for the page's full reward."""
        await self._read_reward()
        reward = self._reward
        details = {"done": reward.done, "raw_reward": reward.raw, "reason": reward.reason or ""}
        if not reward.done:
            return Verdict(0.0, "The page's task was not finished.", details)
        if reward.raw >= 1.0:
            return Verdict(1.0, "The page gave its full reward.", details)
        near = "part of it was right" if reward.raw > 0 else ""
        why = f"The page gave the reward {reward.raw:g} of 1."
        return Verdict(0.0, why, details, near_miss=near)

    async def close(self) -> None:
        """End the browser and the server."""
        await super().close()
        served, self._served = self._served, None
        if served is not None:
            await served.close()

    def _may_act(self) -> None:
        if self._reward.done:
            raise ToolRefused("The page's task is over: it takes no further action.")

    async def _read_reward(self) -> None:
        """Keep the first reward: what the page does afterwards counts for nothing."""
        if self._reward.done or self.session.dialog is not None:
            return
        state: dict[str, Any] = {}
        async with answering(self.session, _READY_S):
            state = await self.session.page.evaluate(_STATE)
        self._reward = msgspec.convert(state, Reward, strict=False)

    async def _seen(self, happened: list[str]) -> Observation:
        await self._read_reward()
        tree = "" if self.session.dialog is not None else await self.session.tree()
        if self._reward.done:
            happened = [*happened, "The page's task is over."]
        text = "\n".join([*happened, f"Goal: {self._question}", tree]).strip()
        return Observation(
            text,
            data={"goal": self._question, "done": self._reward.done},
            attachments=await self._picture(),
            done=self._reward.done,
            stable=text,
        )


def _application(pages: Mapping[str, bytes]) -> Any:
    from aiohttp import web

    async def serve(request: web.Request) -> web.Response:
        path = request.match_info["path"]
        if path not in pages:
            raise web.HTTPNotFound()
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return web.Response(body=pages[path], content_type=kind)

    application = web.Application()
    application.router.add_get("/{path:.+}", serve)
    return application
