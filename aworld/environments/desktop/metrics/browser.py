"""Metrics on the browser's tabs and profile."""

from __future__ import annotations

import itertools
import re
from typing import Any
from urllib.parse import urlsplit

from aworld.environments.desktop.metrics.registry import metric

Rules = dict[str, Any]


def same_address(first: str | None, second: str | None) -> bool:
    """Whether two URLs name the same page: scheme (http where none is named), host without `www.`
    and without its ending such as `.com`, path without a lone slash, and the rest."""
    if first is None or second is None:
        return first == second
    return _normal(first) == _normal(second)


def _normal(url: str) -> tuple[str, ...]:
    if not re.match(r"^[a-zA-Z][a-zA-Z0-9+\-.]*://", url):
        url = f"http://{url}"
    parts = urlsplit(url)
    host = parts.netloc.lower().rsplit("@", 1)[-1].split(":")[0]
    names = host.split(".")
    if not re.fullmatch(r"[\d.]+", host) and len(names) > 1:
        # `.co.uk` and its like are two names of one ending.
        two = len(names) > 2 and len(names[-1]) == 2 and len(names[-2]) <= 3
        names = names[: -2 if two else -1]
    if names[0] == "www" and len(names) > 1:
        names = names[1:]
    path = "" if parts.path == "/" else parts.path
    return parts.scheme.lower(), ".".join(names), path, parts.query, parts.fragment


def _url_of(tab: Any) -> str | None:
    url = tab.get("url") if isinstance(tab, dict) else tab
    return str(url) if url is not None else None


@metric
def is_expected_active_tab(active_tab_info: Any, rule: Rules) -> float:
    """The active tab shows `url`."""
    if not active_tab_info or rule["type"] != "url":
        return 0.0
    return float(same_address(rule["url"], _url_of(active_tab_info)))


@metric
def is_expected_active_tab_approximate(active_tab_info: Any, rule: Rules) -> float:
    """The active tab shows `url`, whatever comes after the question mark."""
    if not active_tab_info or rule["type"] != "url":
        return 0.0

    def bare(url: str | None) -> str:
        return urlsplit(url or "")._replace(query="").geturl()

    return float(bare(rule["url"]) == bare(_url_of(active_tab_info)))


@metric
def is_expected_url_pattern_match(result: Any, rules: Rules) -> float:
    """All patterns of `expected` are found in the URL."""
    url = _url_of(result) if result else None
    return float(url is not None and all(re.search(p, url) for p in rules["expected"]))


@metric
def is_expected_search_query(active_tab_info: Any, rules: Rules) -> float:
    """The pattern is found in the active tab's URL."""
    if not active_tab_info:
        return 0.0
    return float(re.search(rules["expect"]["pattern"], active_tab_info["url"]) is not None)


@metric
def is_expected_tabs(open_tabs: list[dict[str, str]], rule: Rules) -> float:
    """The open tabs are those of `urls`, in any order."""
    if not open_tabs or rule["type"] != "url":
        return 0.0
    actual = [tab["url"] for tab in open_tabs]
    if len(actual) != len(rule["urls"]):
        return 0.0
    return float(all(any(same_address(url, a) for a in actual) for url in rule["urls"]))


@metric
def is_expected_bookmarks(bookmarks: Any, rule: Rules) -> float:
    """The bookmark bar has exactly these folders, pages, or pages in the folder Liked Authors."""
    if not bookmarks:
        return 0.0
    children = bookmarks["bookmark_bar"]["children"]
    kind = rule["type"]
    if kind == "bookmark_bar_folders_names":
        folders = {one["name"] for one in children if one["type"] == "folder"}
        return float(folders == set(rule["names"]))
    if kind == "bookmark_bar_websites_urls":
        pages = {one["url"] for one in children if one["type"] == "url"}
        return float(pages == set(rule["urls"]))
    if kind == "liked_authors_websites_urls":
        return _liked_authors(children, rule["urls"])
    raise NotImplementedError(f"is_expected_bookmarks of the type {kind!r}")


def _liked_authors(children: list[Any], urls: list[Any]) -> float:
    named = (c for c in children if c["type"] == "folder" and c["name"] == "Liked Authors")
    folder = next(named, None)
    if folder is None:
        return 0.0
    liked = {one["url"] for one in folder["children"] if one["type"] == "url"}
    choices = [[url] if isinstance(url, str) else url for url in urls]
    return float(any(set(choice) == liked for choice in itertools.product(*choices)))


@metric
def is_expected_installed_extensions(installed: list[str], expected: Rules) -> float:
    """All of `expected` are installed."""
    return float(bool(installed) and set(expected["expected"]) <= set(installed))


@metric
def is_cookie_deleted(cookie_data: list[Any], rule: Rules) -> float:
    """No cookie is left of `domains`."""
    if rule["type"] != "domains":
        raise NotImplementedError(f"is_cookie_deleted of the type {rule['type']!r}")
    domains = [cookie[1] for cookie in cookie_data]
    return float(not any(same_address(w, d) for w in rule["domains"] for d in domains))


@metric
def check_history_deleted(history_data: list[Any], rule: Rules) -> float:
    """No page is left in the history whose URL has one of `keywords`."""
    if rule["type"] != "keywords":
        raise NotImplementedError(f"check_history_deleted of the type {rule['type']!r}")
    pages = [item[0] for item in history_data]
    return float(not any(word in page for word in rule["keywords"] for page in pages))


@metric
def check_enabled_experiments(enabled_experiments: list[str], rule: Rules) -> float:
    """The experiments, without their choices, are those of `names`."""
    if rule["type"] != "names":
        raise NotImplementedError(f"check_enabled_experiments of the type {rule['type']!r}")
    return float([one.split("@")[0] for one in enabled_experiments] == rule["names"])


@metric
def check_font_size(font_size: Rules, rule: Rules) -> float:
    """The default size is `value`, or between `min` and `max` without them."""
    size = font_size["default_font_size"]
    if rule["type"] == "value":
        return float(size == rule["value"])
    if rule["type"] == "range":
        return float(rule["min"] < size < rule["max"])
    raise NotImplementedError(f"check_font_size of the type {rule['type']!r}")


@metric
def is_shortcut_on_desktop(shortcuts: dict[str, str], rule: Rules) -> float:
    """A shortcut of that `name` is on the desktop."""
    if rule["type"] != "name":
        raise NotImplementedError(f"is_shortcut_on_desktop of the type {rule['type']!r}")
    return float(any(f"Name={rule['name']}\n" in text for text in shortcuts.values()))


@metric
def compare_htmls(first: str, second: str, **options: Any) -> float:
    """The same elements with the same text and attributes; `ignore_sdnum`."""
    from bs4 import BeautifulSoup, Tag

    ignored = {"sdnum"} if options.get("ignore_sdnum") else set()

    def same(one: Any, other: Any) -> bool:
        if not (isinstance(one, Tag) and isinstance(other, Tag)):
            return bool(one == other)
        kept = [{k: v for k, v in tag.attrs.items() if k not in ignored} for tag in (one, other)]
        return (
            one.name == other.name and one.text.strip() == other.text.strip() and kept[0] == kept[1]
        )

    soups = []
    for path in (first, second):
        with open(path, encoding="utf-8") as file:
            soups.append(BeautifulSoup(file, "lxml"))
    pairs = zip(soups[0].descendants, soups[1].descendants, strict=False)
    return float(all(same(one, other) for one, other in pairs))
