"""A task on the shop, the desk and the wiki: each episode has its own server and state."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from aworld.environments.base import Observation, Verdict
from aworld.environments.web.served import Served
from aworld.environments.web.sites.application import sites_application
from aworld.environments.web.sites.checks import (
    Finding,
    check_address,
    check_answer,
    check_content,
    check_state,
)
from aworld.environments.web.sites.state import State, fresh_state
from aworld.environments.web.webarena import HOSTS, place_of
from aworld.environments.web.world import WebWorld
from aworld.errors import EnvironmentFault, ToolError
from aworld.tools.browser.actions import perform
from aworld.tools.browser.answering import answering
from aworld.tools.browser.looking import view
from aworld.tools.browser.session import BrowserSession

_PAGE_S = 20.0
_CONTENT = "() => document.documentElement.outerHTML"


class SiteWorld(WebWorld):
    """One episode; the task's `data` has WebArena's fields as `webarena`."""

    action_names: ClassVar[Sequence[str]] = (
        "navigate",
        "click",
        "fill",
        "select",
        "press",
        "hover",
        "scroll",
        "back",
        "text",
        "tabs",
        "tab_new",
        "tab_select",
        "tab_close",
        "dialog",
    )
    _served: Served | None = None
    _state: State
    _before: State

    @property
    def fields(self) -> Mapping[str, Any]:
        """The task as WebArena writes it."""
        found: Mapping[str, Any] = self.task.data["webarena"]
        return found

    async def reset(self) -> Observation:
        """Fresh sites, and the browser at the task's first page."""
        await self.close()
        self._state = fresh_state()
        self._before = copy.deepcopy(self._state)
        self._served = Served()
        try:
            socket = await self._served.start(sites_application(self._state))
            local = dict.fromkeys(HOSTS.values(), socket)
            self._session = await BrowserSession.open((), local=local)
            start = place_of(self.fields["start_url"])
            await perform(self._session, "navigate", {"url": start})
        except ToolError as error:
            raise EnvironmentFault(f"The sites did not start: {error}") from error
        return await self.observe()

    async def verify(self, answer: str) -> Verdict:
        """1.0 where every check of the task holds."""
        findings = await self._findings(answer)
        details = {"findings": msgspec.to_builtins(findings)}
        failed = [each for each in findings if not each.holds]
        if not self.task.graded:
            return Verdict(None, "The answer would need a language model as judge.", details)
        if not failed:
            return Verdict(1.0, f"All {len(findings)} checks hold.", details)
        held = len(findings) - len(failed)
        near = f"{held} of {len(findings)} checks hold" if held else ""
        return Verdict(0.0, failed[0].why, details, near_miss=near)

    async def close(self) -> None:
        """End the browser and the server."""
        await super().close()
        served, self._served = self._served, None
        if served is not None:
            await served.close()

    async def _findings(self, answer: str) -> list[Finding]:
        wanted = self.fields["eval"]
        kinds = wanted["eval_types"]
        findings: list[Finding] = []
        if "string_match" in kinds:
            findings += check_answer(answer, wanted["reference_answers"])
        if "url_match" in kinds:
            address = self.session.page.url if self.session.tabs else ""
            findings.append(check_address(address, wanted["reference_url"]))
        if "server_state" in kinds:
            # Before pages are opened for the checks.
            findings += check_state(self._before, self._state, wanted["server_state"])
        for target in wanted["program_html"] if "program_html" in kinds else ():
            content = await self._content(place_of(target["url"]), target["locator"].strip())
            where = target["locator"] or target["url"]
            findings += check_content(content, target["required_contents"], where)
        return findings

    async def _content(self, url: str, locator: str) -> str:
        """What a page, or the JavaScript expression in it, says; `last` is the agent's own page."""
        from playwright.async_api import Error

        session = self.session
        if url == "last" and not session.tabs:
            return ""
        page = session.page if url == "last" else await session.context.new_page()
        content = ""
        async with answering(session, _PAGE_S):
            if url != "last":
                await page.goto(url, wait_until="load")
            try:
                content = str(await page.evaluate(f"() => {locator}" if locator else _CONTENT))
            except Error:
                # The element is not there, which the comparison says.
                content = ""
            if url != "last":
                await page.close()
        return content

    async def _seen(self, happened: list[str]) -> Observation:
        text = "\n".join([*happened, await view(self.session)])
        return Observation(text, attachments=await self._picture(), stable=text)
