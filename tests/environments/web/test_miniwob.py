"""MiniWoB's pages: what is seen, done and judged."""

from __future__ import annotations

import msgspec
import pytest

from aworld.environments.base import Action, Observation, Place, Task
from aworld.environments.known_solutions import attempt_nothing, attempt_solution
from aworld.environments.web.kind import KIND
from aworld.environments.web.miniwob import pages
from aworld.environments.web.miniwob.environment import MiniWob
from aworld.errors import ConfigurationError, EnvironmentFault
from aworld.tools.failures import MalformedCall, ToolRefused
from tests.tools.browser.calling import missing


def lacking() -> str:
    """What this machine lacks."""
    try:
        pages.load_pages()
    except ConfigurationError as error:
        return str(error)
    return missing()


pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.browser,
    pytest.mark.skipif(bool(lacking()), reason=lacking()),
]
TEN = (
    "click-button",
    "click-checkboxes",
    "enter-text",
    "login-user",
    "choose-list",
    "use-autocomplete",
    "search-engine",
    "click-tab-2",
    "email-inbox",
    "book-flight",
)


def page(name: str, seed: int = 0) -> Task:
    (task,) = (task for task in KIND.tasks("miniwob") if task.id == name)
    return msgspec.structs.replace(task, seed=seed)


@pytest.mark.parametrize("name", TEN)
async def test_a_page_is_reset_observed_and_verified_by_its_known_solution(name: str) -> None:
    attempt = await attempt_solution(page(name, seed=3))
    assert (attempt.score, attempt.error) == (1.0, "")


async def test_doing_nothing_and_doing_wrong_score_nothing(place: Place) -> None:
    assert (await attempt_nothing(page("enter-text"))).score == 0.0
    world = MiniWob(page("enter-text"), place)
    await world.reset()
    seen = await world.step(Action("browser_click", {"target": "Submit"}))
    verdict = await world.verify("")
    await world.close()
    assert seen.done and seen.text.splitlines()[1] == "The page's task is over."
    assert verdict.score == 0.0
    assert verdict.details == {"done": True, "raw_reward": -1.0, "reason": ""}


async def test_a_page_takes_no_action_after_its_end(place: Place) -> None:
    world = MiniWob(page("enter-text"), place)
    await world.reset()
    await world.step(Action("browser_click", {"target": "Submit"}))
    with pytest.raises(ToolRefused, match="takes no further action"):
        await world.step(Action("browser_click", {"target": "Submit"}))
    assert "START" not in (await world.observe()).text
    await world.close()
    await world.close()


async def test_the_same_seed_and_actions_show_the_same_things(place: Place) -> None:
    async def run(seed: int) -> list[Observation]:
        world = MiniWob(page("moving-items", seed), place)
        seen = [await world.reset()]
        for _ in range(2):
            seen.append(await world.step(Action("browser_wait", {"seconds": 0.5})))
        await world.close()
        return seen

    first, again, other = await run(1), await run(1), await run(2)
    assert [each.stable for each in first] == [each.stable for each in again]
    assert first[0].attachments == again[0].attachments
    assert first[0].stable != other[0].stable
    assert first[1].stable != first[2].stable


async def test_actions_that_are_not_offered_or_do_not_fit_are_answered(place: Place) -> None:
    world = MiniWob(page("click-button"), place)
    await world.reset()
    with pytest.raises(MalformedCall, match="no action 'browser_navigate' here"):
        await world.step(Action("browser_navigate", {"url": "http://miniwob.test/"}))
    with pytest.raises(MalformedCall, match="lack 'target'"):
        await world.step(Action("browser_click", {}))
    await world.close()


async def test_a_browser_that_dies_is_a_fault_and_no_verdict(place: Place) -> None:
    world = MiniWob(page("click-button"), place)
    await world.reset()
    await world.session.chromium.browser.close()
    with pytest.raises(EnvironmentFault, match="crashed"):
        await world.step(Action("browser_click", {"target": "Submit"}))
    await world.close()


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_all_pages_load_and_doing_nothing_scores_nothing() -> None:
    faults = []
    for task in KIND.tasks("miniwob"):
        attempt = await attempt_nothing(task)
        if not attempt.is_sound(0.0):
            faults.append(f"{task.id}: {attempt.score} {attempt.error or attempt.why}")
    assert faults == []


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", TEN)
async def test_known_solutions_hold_for_other_seeds(name: str) -> None:
    scores = {seed: (await attempt_solution(page(name, seed))).score for seed in range(10, 20)}
    assert scores == dict.fromkeys(scores, 1.0)
