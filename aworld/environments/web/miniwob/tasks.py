"""The tasks of the suite `miniwob`: one for each of the release's 130 pages."""

from __future__ import annotations

from collections.abc import Iterator

from aworld.environments.base import Task
from aworld.environments.web.miniwob.oracles import SOLUTIONS

_NAMES = """
    ascending-numbers bisect-angle book-flight book-flight-nodelay button-delay buy-ticket
    chase-circle choose-date choose-date-easy choose-date-medium choose-date-nodelay choose-list
    circle-center click-button click-button-sequence click-checkboxes click-checkboxes-large
    click-checkboxes-soft click-checkboxes-transfer click-collapsible click-collapsible-2
    click-collapsible-2-nodelay click-collapsible-nodelay click-color click-dialog
    click-dialog-2 click-link click-menu click-menu-2 click-option click-pie click-pie-nodelay
    click-scroll-list click-shades click-shape click-tab click-tab-2 click-tab-2-easy
    click-tab-2-hard click-tab-2-medium click-test click-test-2 click-test-transfer click-widget
    copy-paste copy-paste-2 count-shape count-sides daily-calendar drag-box drag-circle
    drag-cube drag-items drag-items-grid drag-shapes drag-shapes-2 drag-single-shape
    drag-sort-numbers draw-circle draw-line email-inbox email-inbox-delete email-inbox-forward
    email-inbox-forward-nl email-inbox-forward-nl-turk email-inbox-important email-inbox-nl-turk
    email-inbox-noscroll email-inbox-reply email-inbox-star-reply enter-date enter-password
    enter-text enter-text-2 enter-text-dynamic enter-time find-greatest find-midpoint find-word
    focus-text focus-text-2 form-sequence form-sequence-2 form-sequence-3 generate-number
    grid-coordinate guess-number highlight-text highlight-text-2 hot-cold hover-shape
    identify-shape login-user login-user-popup moving-items multi-layouts multi-orderings
    navigate-tree number-checkboxes odd-or-even order-food phone-book read-table read-table-2
    resize-textarea right-angle scroll-text scroll-text-2 search-engine sign-agreement
    simon-says simple-algebra simple-arithmetic social-media social-media-all social-media-some
    stock-market terminal text-editor text-transform tic-tac-toe unicode-test use-autocomplete
    use-autocomplete-nodelay use-colorwheel use-colorwheel-2 use-slider use-slider-2 use-spinner
    visual-addition
"""
PAGES = tuple(_NAMES.split())
MOVING = frozenset({"chase-circle", "hot-cold", "moving-items", "simon-says", "stock-market"})
"""Pages whose things change by themselves, with the time that actions take."""
DRAWN = frozenset(
    page for page in PAGES if page.startswith(("bisect", "circle-", "drag-", "draw-"))
) | {"click-pie", "click-pie-nodelay", "find-midpoint", "right-angle", "use-colorwheel"}
"""Pages that want points of the picture."""
SUITE = "miniwob"


def tasks() -> Iterator[Task]:
    """All pages by name, with seed 0; another seed is another problem of the same kind."""
    for page in PAGES:
        tags = [page.split("-")[0]]
        tags += ["moving"] if page in MOVING else []
        tags += ["drawn"] if page in DRAWN else []
        tags += ["oracle"] if page in SOLUTIONS else []
        yield Task(
            id=page,
            environment="web",
            suite=SUITE,
            question=(
                "A small web page is open. Do what its goal says, with the browser's actions; the "
                "first view of the page shows the goal. The page ends the task by itself. Then "
                "answer: done."
            ),
            tags=tuple(tags),
            max_steps=40,
            data={"page": page},
        )
