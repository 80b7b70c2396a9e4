"""Words that say the contrary of each other. Small on purpose: each pair must hold anywhere."""

from __future__ import annotations

from collections.abc import Iterable

from aworld.coordination.words import stem

_PAIRS = (
    "open opened/close closed shut", "pass succeed successful success/fail failure",
    "increase rise rose grow grew/decrease fall fell decline drop shrink shrank", "fast/slow",
    "faster quicker/slower", "long longer/short shorter", "large larger big bigger/small smaller",
    "high higher tall taller/low lower", "cheap cheaper/expensive dearer", "more/fewer less",
    "old older/young younger new newer", "heavy heavier/light lighter",
    "early earlier/late later", "true/false", "correct right/incorrect wrong", "valid/invalid",
    "present/absent missing", "alive/dead", "possible/impossible", "enable/disable",
    "accept/reject", "allow/forbid forbidden", "include/exclude", "full/empty",
    "safe/unsafe dangerous", "legal/illegal", "win won/lose lost", "available/unavailable",
    "complete/incomplete", "even/odd", "positive/negative", "hot hotter/cold colder",
    "better/worse", "best/worst", "largest biggest/smallest", "longest/shortest",
    "highest/lowest", "first/last", "before/after", "with/without", "above/below",
    "inside/outside", "install/uninstall", "connect/disconnect", "encrypt/decrypt",
    "start begin/stop end", "buy/sell", "write create/delete remove", "download/upload pay",
    "import/export", "minimum/maximum", "ascending/descending", "left/right",
)  # fmt: skip
_IN_CLAIMS = frozenset(range(0, 29))
"""Places in `_PAIRS` of those that make two statements contradict; the rest only tell tasks
apart."""
_CHINESE = (
    ("上涨", "下跌"), ("上升", "下降"), ("增加", "减少"), ("增长", "下降"), ("打开", "关闭"),
    ("开放", "关闭"), ("通过", "失败"), ("成功", "失败"), ("正确", "错误"), ("存在", "缺失"),
    ("支持", "反对"), ("同意", "拒绝"), ("包括", "排除"), ("快", "慢"), ("贵", "便宜"),
    ("最大", "最小"),
    ("最高", "最低"), ("真", "假"), ("高", "低"), ("大", "小"), ("长", "短"), ("早", "晚"),
)  # fmt: skip


def _table() -> dict[str, tuple[tuple[int, int], ...]]:
    table: dict[str, tuple[tuple[int, int], ...]] = {}
    for place, pair in enumerate(_PAIRS):
        for sign, half in zip((1, -1), pair.split("/")[:2], strict=True):
            for word in half.split():
                table[stem(word)] = (*table.get(stem(word), ()), (place, sign))
    return table


_OF = _table()


def opposed(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether a stem of the one is the contrary of a stem of the other."""
    first = {meaning for word in one for meaning in _OF.get(word, ())}
    second = {meaning for word in other for meaning in _OF.get(word, ())}
    return any((place, -sign) in second for place, sign in first)


def concepts(stems: Iterable[str]) -> tuple[frozenset[str], int]:
    """The stems with those of a pair replaced by the pair's name, and the product of their signs.

    `{"sale", "decreas"}` becomes `({"sale", "<3>"}, -1)`.
    """
    kept, sign, pairs = set[str](), 1, set[str]()
    degree = 0
    for word in stems:
        meanings = [meaning for meaning in _OF.get(word, ()) if meaning[0] in _IN_CLAIMS]
        if not meanings:
            kept.add(word)
            continue
        place, own = meanings[-1]
        sign *= own
        if word in ("more", "less", "fewer"):
            degree = 1
        else:
            pairs.add(f"<{place}>")
    if degree and not pairs:
        pairs.add("<more>")
    return frozenset(kept | pairs), sign


def chinese_concepts(text: str) -> tuple[str, int]:
    """The text with the second word of each pair replaced by the first, and the sign of that."""
    sign = 1
    for first, second in _CHINESE:
        if second in text:
            sign *= -1
            text = text.replace(second, first)
    return text, sign


def chinese_opposed(one: str, other: str) -> bool:
    """Whether one has a word whose contrary the other has in its place."""
    return any(
        (first in one and second in other and first not in other)
        or (second in one and first in other and first not in one)
        for first, second in _CHINESE
    )
