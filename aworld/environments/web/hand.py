"""What known solutions read and act with: the observation's text, and the environment's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aworld.environments.base import Action, Environment, Observation
from aworld.environments.web.world import PREFIX
from aworld.errors import EnvironmentFault
from aworld.tools.browser import snapshot
from aworld.tools.browser.snapshot import Element


class Hand:
    """Sees what an agent sees, and does what an agent can do."""

    def __init__(self, environment: Environment, first: Observation) -> None:
        self._environment = environment
        self.seen = first

    @property
    def elements(self) -> list[Element]:
        """The elements of the page that have a ref, in its order."""
        return snapshot.elements(self.seen.text)

    async def do(self, action: str, **arguments: Any) -> None:
        """Carry out an action by its name without the prefix."""
        self.seen = await self._environment.step(Action(PREFIX + action, arguments))

    def find(
        self, role: str = "", name: str | None = None, fact: str = "", after: str = ""
    ) -> Element:
        """The first element of a role, with a name, with something in its facts; `after` is the
        ref of one before it.

        Raises:
            EnvironmentFault: there is none: the page is not as it was when this was written.
        """
        found = self.all(role, lambda each: name is None or each.name == name, fact, after)
        if not found:
            what = " ".join(filter(None, (role, name, fact)))
            raise EnvironmentFault(f"The page has no {what!r}:\n{self.seen.text[:2000]}")
        return found[0]

    def all(
        self,
        role: str = "",
        fits: Callable[[Element], bool] = lambda each: True,
        fact: str = "",
        after: str = "",
    ) -> list[Element]:
        """All such elements."""
        known = self.elements
        if after:
            refs = [each.ref for each in known]
            known = known[refs.index(after) + 1 :]
        return [
            each for each in known if role in ("", each.role) and fact in each.facts and fits(each)
        ]

    async def click(self, role: str = "", name: str | None = None, fact: str = "") -> None:
        """Click the first such element."""
        await self.do("click", target=self.find(role, name, fact).ref)

    async def fill(self, text: str, role: str = "textbox", name: str | None = None) -> None:
        """Fill the first such field."""
        await self.do("fill", target=self.find(role, name).ref, text=text)
