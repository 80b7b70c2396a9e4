"""Regular expressions that cannot hang a run."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld.errors import ConfigurationError
from aworld.runtime.pattern_search import MAX_TEXT, LinearPattern
from aworld.runtime.pattern_syntax import MAX_PATTERN

_ATOMS = ["a", "b", "A", ".", "\\d", "\\w", "\\s", "\\S", "[ab]", "[^a]", "[a-c1]", "\\b", "^", "1"]


def _patterns() -> st.SearchStrategy[str]:
    return st.recursive(
        st.sampled_from(_ATOMS),
        lambda inner: st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
            st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "*?", "{0,1}?"])).map(
                lambda part: f"(?:{part[0]}){part[1]}"
            ),
        ),
        max_leaves=6,
    )


@given(_patterns(), st.text("abcA1 _\n", max_size=12), st.sampled_from(["", "(?i)", "(?s)"]))
def test_it_finds_what_pythons_own_matcher_finds(pattern: str, text: str, flags: str) -> None:
    assert LinearPattern(flags + pattern).search(text) == bool(re.search(flags + pattern, text))


@given(_patterns(), st.text("ab\n", max_size=8))
def test_lines_begin_and_end_where_python_says(pattern: str, text: str) -> None:
    whole = f"(?m)^{pattern}$"
    assert LinearPattern(whole).search(text) == bool(re.search(whole, text))


@given(st.text("ab(){}[]|*+?.\\^$-,12:dwi", max_size=14))
def test_a_pattern_is_either_refused_in_words_or_also_one_of_pythons(pattern: str) -> None:
    try:
        found = LinearPattern(pattern).search("ab12 ab")
    except ConfigurationError as error:
        assert str(error)
        return
    with warnings.catch_warnings(action="ignore", category=FutureWarning):
        assert found == bool(re.search(pattern, "ab12 ab"))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(a*)*b",
        "a*a*a*a*a*a*b",
        "(a|aa)+$",
        "(.*)(.*)(.*)(.*)!",
        "(?:a?){40}b",
    ],
)
def test_patterns_that_hang_a_backtracking_matcher_look_at_each_character_once(
    pattern: str,
) -> None:
    looked_up = LinearPattern(pattern)
    assert not looked_up.search("a" * MAX_TEXT + "?")
    moves = sum(len(state.moves) for state in looked_up._states.values())
    assert moves < 400  # The automaton stays small, so no character led to more work than another.


def test_an_automaton_that_would_grow_without_end_is_forgotten_and_built_again() -> None:
    pattern = LinearPattern("(a|b)*a(a|b){16}!")
    text = "".join("ab"[(i * i // 7 + i) % 2] for i in range(MAX_TEXT))
    assert not pattern.search(text)
    assert pattern.search("a" * 17 + "!")
    assert len(pattern._states) <= 20_001


def test_what_lies_behind_the_looked_at_text_does_not_match() -> None:
    assert LinearPattern("end").search("x" * (MAX_TEXT - 3) + "end")
    assert not LinearPattern("end").search("x" * MAX_TEXT + "end")
    assert not LinearPattern("x$").search("x" * (MAX_TEXT + 1))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a", "this '(' is not closed"),
        ("a)", "this ')' closes nothing"),
        ("[ab", "this '[' is not closed"),
        ("*a", "there is nothing to repeat"),
        ("a**", "a repetition cannot be repeated"),
        ("a++", "possessive"),
        ("a{3,1}", "at most fewer than at least"),
        (r"(a)\1", "back references"),
        ("(?=a)", "only plain groups"),
        (r"\q", r"\q means nothing"),
        ("a" * (MAX_PATTERN + 1), "301 characters"),
        ("((a{30}){30}){30}", "too large"),
        ("(" * 21 + "a" + ")" * 21, "more than 20 deep"),
        ("[z-a]", "no end after its beginning"),
        ("a\\", "expected a character after the backslash"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_why(pattern: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(why)):
        LinearPattern(pattern)


def test_a_repetition_of_nothing_is_read_at_once() -> None:
    assert LinearPattern("(((){9999}){9999}){9999}").search("")
