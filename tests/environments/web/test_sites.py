"""The shop, the desk and the wiki: tasks with known solutions, episodes that share nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from aworld.environments.base import Action, Place, Task
from aworld.environments.known_solutions import attempt_nothing, attempt_solution
from aworld.environments.web.hand import Hand
from aworld.environments.web.kind import KIND
from aworld.environments.web.sites.environment import SiteWorld
from aworld.environments.web.sites.oracles import SOLUTIONS
from aworld.errors import ToolError
from aworld.tools.failures import ToolRefused
from tests.tools.browser.calling import missing

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]
QUICK = ("shop-return-backpack", "desk-merge-printer", "wiki-correct-depth", "shop-find-headphones")


def task(name: str) -> Task:
    (found,) = (each for each in KIND.tasks("sites") if each.id == name)
    return found


@pytest.mark.parametrize("name", QUICK)
async def test_a_known_solution_scores_one(name: str) -> None:
    attempt = await attempt_solution(task(name))
    assert (attempt.score, attempt.error) == (1.0, "")


async def test_an_unachievable_task_wants_na_and_an_untouched_site(place: Place) -> None:
    assert (await attempt_nothing(task("shop-late-return"))).score == 0.0
    world = SiteWorld(task("shop-late-return"), place)
    await world.reset()
    assert (await world.verify("n/a")).score == 1.0
    assert (await world.verify("I have returned it.")).score == 0.0
    await world.close()


async def test_what_was_changed_besides_costs_the_score(place: Place) -> None:
    world = SiteWorld(task("shop-cancel-order"), place)
    hand = Hand(world, await world.reset())
    await SOLUTIONS["shop-cancel-order"](hand)
    assert (await world.verify("done")).score == 1.0
    await hand.click("link", "My addresses")
    await hand.fill("Elsewhere 1", name="Street (office)")
    await hand.click("button", "Save office address")
    verdict = await world.verify("done")
    await world.close()
    assert verdict.score == 0.0 and "shop.addresses.office.street" in verdict.why
    assert verdict.near_miss == "1 of 2 checks hold"


async def test_episodes_at_once_have_sites_of_their_own(tmp_path: Path) -> None:
    async def episode(name: str) -> str:
        world = SiteWorld(task("shop-cancel-order"), Place(tmp_path / name, tmp_path / name))
        hand = Hand(world, await world.reset())
        await hand.do("navigate", url="http://shop.test/product/b3")
        await hand.fill(name, "spinbutton", "Quantity")
        await hand.click("button", "Add to cart")
        await world.close()
        return hand.seen.text

    first, second = await asyncio.gather(episode("3"), episode("5"))
    assert "Sum without shipping: €72.00" in first
    assert "Sum without shipping: €120.00" in second


async def test_the_same_actions_show_the_same_things(place: Place) -> None:
    async def run() -> list[str | None]:
        world = SiteWorld(task("desk-merge-printer"), place)
        seen = [await world.reset()]
        for target in ("#209", "People", "New ticket"):
            seen.append(await world.step(Action("browser_click", {"target": target})))
        await world.close()
        return [each.stable for each in seen]

    first = await run()
    assert first == await run() and len(set(first)) == 4


async def test_nothing_but_the_sites_is_reached(place: Place) -> None:
    world = SiteWorld(task("wiki-longest-river"), place)
    await world.reset()
    for url in ("http://example.org", "http://127.0.0.1:80", "http://192.0.2.9", "file:///etc"):
        with pytest.raises(ToolRefused):
            await world.step(Action("browser_navigate", {"url": url}))
    await world.close()


async def test_what_is_typed_into_a_form_stays_text(place: Place) -> None:
    world = SiteWorld(task("desk-close-screen"), place)
    hand = Hand(world, await world.reset())
    await hand.click("link", "#206")
    await hand.fill("<script>document.title='taken'</script><b>x</b>", name="Comment")
    await hand.click("button", "Add comment")
    await world.close()
    assert "taken'</script><b>x</b>" in hand.seen.text and "Page: #206 Screen" in hand.seen.text


async def test_odd_requests_break_nothing(place: Place) -> None:
    world = SiteWorld(task("shop-cancel-order"), place)
    await world.reset()
    for path in ("orders/9999", "product/x", "account/../../x", "products?max_price=9e99&sort=x"):
        await world.step(Action("browser_navigate", {"url": f"http://shop.test/{path}"}))
    with pytest.raises(ToolError, match="names no host"):
        await world.step(Action("browser_navigate", {"url": "http://"}))
    assert (await world.verify("")).score == 0.0
    await world.close()


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", [name for name in SOLUTIONS if name not in QUICK])
async def test_every_other_known_solution_scores_one(name: str) -> None:
    attempt = await attempt_solution(task(name))
    assert (attempt.score, attempt.error) == (1.0, "")
