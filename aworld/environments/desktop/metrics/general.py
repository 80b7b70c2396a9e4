"""Metrics on plain values: texts, lists, JSON objects."""

from __future__ import annotations

import json
from typing import Any

from aworld.environments.desktop.metrics.registry import metric
from aworld.environments.desktop.metrics.similarity import ratio

Rules = dict[str, Any]


@metric
def exact_match(result: Any, rules: Rules) -> float:
    """Equal to `expected`."""
    return float(result == rules["expected"])


@metric
def match_in_list(result: Any, rules: Rules) -> float:
    """One of `expected`."""
    return float(result in rules["expected"])


@metric
def is_in_list(result: Any, rules: Rules) -> float:
    """`expected` is one of the results."""
    return float(rules["expected"] in result)


@metric
def fuzzy_match(result: str, rules: Rules) -> float:
    """How alike the result and `expected` are."""
    return ratio(result, rules["expected"])


@metric
def check_include_exclude(result: str | None, rules: Rules) -> float:
    """All of `include` and none of `exclude` are in the text."""
    if result is None:
        return 0.0
    included = all(text in result for text in rules.get("include", []))
    return float(included and not any(text in result for text in rules.get("exclude", [])))


@metric
def literal_match(result: Any, expected: Any, **options: Any) -> float:
    """Equal as texts, or as lists of texts; `ignore_case`."""
    fold = str.lower if options.get("ignore_case", False) else str
    kind = options.get("type", "str")
    if kind == "str":
        return float(fold(str(result)) == fold(str(expected)))
    if kind != "list":
        raise NotImplementedError(f"literal_match of the type {kind!r}")
    if not isinstance(result, list | tuple) or not isinstance(expected, list | tuple):
        return 0.0
    return float([fold(str(one)) for one in result] == [fold(str(one)) for one in expected])


@metric
def check_direct_json_object(result: Any, rules: Rules) -> float:
    """Each key of `expected` has that value; with `expect_in_result` the value need only be part
    of the result's."""
    if isinstance(result, str):
        result = json.loads(result.strip().replace("'", '"'))
    expected = rules.get("expected", {})
    if result is None or "__EVALUATION_FAILED__" in expected.values():
        return 0.0
    if rules.get("expect_in_result", False):
        return float(all(_found(value, result.get(key)) for key, value in expected.items()))
    ordered = not expected.get("ignore_list_order", False)
    return float(
        all(
            value == result.get(key) if ordered else sorted(value) == sorted(result.get(key))
            for key, value in expected.items()
        )
    )


def _found(value: Any, actual: Any) -> bool:
    if isinstance(value, list):
        among = actual if isinstance(actual, list) else [actual]
        return any(one in among for one in value)
    return isinstance(value, str) and value in actual


@metric
def check_moved_jpgs(directory_list: dict[str, Any], rule: Rules) -> float:
    """The folder holds exactly the files of `expected`."""
    names = [node["name"] for node in directory_list["children"]]
    return float(set(names) == set(rule["expected"]))


@metric
def is_utc_0(timedatectl_output: str) -> float:
    """The fourth line of `timedatectl` names a zone of UTC."""
    return float(timedatectl_output.split("\n")[3].endswith("+0000)"))


@metric
def check_text_enlarged(scaling_factor_str: str) -> float:
    """The scaling of text is above 1."""
    return float(float(scaling_factor_str) > 1.0)


@metric
def check_gnome_favorite_apps(apps_str: str, rule: Rules) -> float:
    """GNOME's favourites are exactly those of `expected`."""
    apps = json.loads(apps_str.replace("'", '"'))
    return float(len(apps) == len(rule["expected"]) and set(apps) == set(rule["expected"]))


@metric
def is_in_vm_clickboard(config: Rules, terminal_output: str) -> float:
    """The clipboard's text has all of `expected`."""
    expected = config["expected"]
    wanted = expected if isinstance(expected, list) else [expected]
    return float(all(one in terminal_output for one in wanted))


@metric
def compare_answer(actual: str, rules: Rules, **options: Any) -> float:
    """Equal to `expected`."""
    return float(actual == rules["expected"])


@metric
def is_extension_installed(actual: str, rules: Rules, **options: Any) -> float:
    """`expected` is, or with the type `not_contain` is not, in the list."""
    return float((rules["expected"] in actual) == (rules["type"] == "contain"))
