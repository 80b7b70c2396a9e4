"""Metrics on the accessibility tree."""

from __future__ import annotations

from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.similarity import ratio

_PARTS = {
    "st": "state",
    "attr": "attributes",
    "cp": "component",
    "doc": "document",
    "docattr": "document/attributes",
    "txt": "text",
    "val": "value",
    "act": "action",
}
NAMESPACES = {
    prefix: f"https://accessibility.ubuntu.example.org/ns/{part}" for prefix, part in _PARTS.items()
}


@metric
def check_accessibility_tree(
    result: str, rules: list[dict[str, Any]], osname: str = "ubuntu"
) -> float:
    """Each rule's `xpath` or CSS `selectors` finds something, whose text is the rule's `text`
    (`exact`) or is as good as it is alike; the product over the rules."""
    if osname != "ubuntu":
        raise NotImplementedError(f"accessibility trees of {osname!r}")
    score = 1.0
    for rule in rules:
        texts = _texts(result, rule)
        if not texts:
            return 0.0
        if "text" in rule:
            exact = rule.get("exact", True)
            score *= max(_alike(rule["text"], text, exact) for text in texts)
    return score


def _alike(wanted: str, text: str, exact: bool) -> float:
    return float(wanted == text) if exact else ratio(wanted, text)


def _texts(tree: str, rule: dict[str, Any]) -> list[str]:
    """The own text of each element that the rule finds."""
    if "xpath" in rule:
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        root = etree.fromstring(tree.encode(), parser)
        return [element.text or "" for element in root.xpath(rule["xpath"], namespaces=NAMESPACES)]
    if "selectors" in rule:
        import soupsieve
        from bs4 import BeautifulSoup
        from bs4.element import NavigableString

        found = soupsieve.select(
            ", ".join(rule["selectors"]), BeautifulSoup(tree, "xml"), namespaces=NAMESPACES
        )
        return ["".join(c for c in tag.contents[:1] if type(c) is NavigableString) for tag in found]
    raise NotImplementedError("a rule of check_accessibility_tree without xpath and selectors")
