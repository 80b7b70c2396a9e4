"""The language of breakpoints' conditions."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aworld.errors import ConfigurationError
from aworld.events.action import ToolCalled, ToolFailed, ToolReturned
from aworld.events.conversation import MessageSent
from aworld.events.model import LlmRequested, LlmResponded
from aworld.events.run import Limits, RunStarted
from aworld.events.union import KINDS, AnyPayload, Event, Offloaded, draft
from aworld.runtime.condition_fields import FIELDS
from aworld.runtime.condition_parser import COUNT_FILTERS, parse_tree
from aworld.runtime.condition_tree import (
    And,
    Compare,
    CompareSign,
    Count,
    Field,
    Has,
    Matches,
    Not,
    Number,
    OneOf,
    Operand,
    Or,
    Text,
    Tree,
    Truth,
    print_tree,
)
from aworld.runtime.conditions import ConditionError, parse_condition
from aworld.runtime.run_facts import Facts, RunFacts

CALL = ToolCalled("calculator", {"expression": "1/0", "exact": True, "digits": 15, "of": [1, "x"]})


def event(payload: AnyPayload, seq: int = 0, actor: str = "solver", **more: Any) -> Event:
    return Event("run", seq, seq * 1_000_000, actor, payload, **more)


def after(*payloads: AnyPayload, limits: Limits = Limits()) -> Facts:
    """The facts of the last of these events, all of them recorded."""
    run = RunFacts(limits)
    events = [event(payload, seq) for seq, payload in enumerate(payloads)]
    for one in events:
        run.feed(one)
    return run.about(events[-1])


def holds(condition: str, *payloads: AnyPayload) -> bool:
    return parse_condition(condition).matches(after(*payloads))


# -- fields and operators ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        'kind == "tool.called"',
        "agent == 'solver' and actor == \"solver\"",
        'tool in ("files", "calculator")',
        'tool not in ("files")',
        'kind starts with "tool." and kind ends with ".CALLED"',
        'text contains "1/0" and not text contains "kind"',
        "arguments.exact == true and arguments.exact and arguments.digits >= 15",
        'arguments.of[0] == 1 and arguments.of.1 == "x" and arguments["of"] contains "x"',
        'payload.arguments.expression =~ "^\\d+/0$"',
        "seq == 0 and severity == 0",
        'tool < "d" and tool > "b" and tool <= "calculator" and tool != "files"',
        "true and not false or false",
        "arguments.digits == 0.015k",
        'arguments contains "exact"',
    ],
)
def test_these_hold_of_a_tool_call(condition: str) -> None:
    assert holds(condition, CALL)


@pytest.mark.parametrize("missing", ["error", "tokens", "role", "payload.x.y", "arguments.of[9]"])
@pytest.mark.parametrize("test", ["== {0}", "!= {0}", "< {0}", ">= {0}", "in ({0})", "{1}"])
def test_a_field_that_is_not_there_compares_false_with_everything(missing: str, test: str) -> None:
    literal = "1" if missing == "tokens" else '"x"'
    condition = f"{missing} {test.format(literal, '')}"
    assert not holds(condition, CALL)
    assert holds(f"not {condition}", CALL)


VALUES = {"text": "b", "number": 2, "truth": True, "list": ["b"], "object": {"b": 1}, "null": None}
LITERALS = {"text": '"b"', "number": "2", "truth": "true"}
ORDER = ["<", "<=", ">", ">="]


@pytest.mark.parametrize("sign", ["==", "!=", *ORDER])
@pytest.mark.parametrize("left", VALUES)
@pytest.mark.parametrize("right", LITERALS)
def test_values_are_compared_only_with_their_own_type(left: str, sign: str, right: str) -> None:
    condition = f"arguments.x {sign} {LITERALS[right]}"
    if right == "truth" and sign in ORDER:
        with pytest.raises(ConfigurationError, match="cannot be used on true and false"):
            parse_condition(condition)
    else:
        call = ToolCalled("t", {"x": VALUES[left]})
        assert holds(condition, call) == (left == right and sign in {"==", "<=", ">="})


@pytest.mark.parametrize("sign", ["==", "!=", *ORDER])
@pytest.mark.parametrize("value", VALUES)
def test_a_field_equals_itself_where_it_is_one_value_and_has_an_order_where_that_means_something(
    sign: str, value: str
) -> None:
    equal = {"text": {"==", "<=", ">="}, "number": {"==", "<=", ">="}, "truth": {"=="}}
    call = ToolCalled("t", {"x": VALUES[value]})
    assert holds(f"arguments.x {sign} arguments.x", call) == (sign in equal.get(value, set()))


@pytest.mark.parametrize("test", ["contains", "starts with", "ends with", "=~"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [("b", True), (2, False), (True, False), (None, False), (["b"], None), ({"b": 1}, None)],
)
def test_text_operators_hold_of_texts_and_contains_also_of_lists_and_keys(
    test: str, value: object, expected: bool | None
) -> None:
    wanted = test == "contains" if expected is None else expected
    assert holds(f'arguments.x {test} "b"', ToolCalled("t", {"x": value})) == wanted


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(1, 2, True), (2, 2, False), (2, "x", False), ("a", "b", True), (True, 2, False)],
)
def test_one_field_is_compared_with_another(left: object, right: object, expected: bool) -> None:
    call = ToolCalled("t", {"a": left, "b": right})
    assert holds("arguments.a < arguments.b", call) == expected


def test_contains_ignores_case_and_equality_does_not() -> None:
    failed = ToolFailed("t", "Division By ZERO")
    assert holds('error contains "by zero" and error starts with "division"', failed)
    assert not holds('error == "division by zero"', failed)
    assert holds('error =~ "(?i)zero$"', failed)


def test_text_is_what_a_person_reads_of_a_payload_and_nothing_technical() -> None:
    answered = LlmResponded(
        "Let me see.", ({"id": "call_7", "name": "files", "arguments": {"path": "a.txt"}},)
    )
    assert after(answered).text.split("\n") == ["Let me see.", "files", "a.txt"]
    called = ToolCalled("files", {"kind": "note"}, call_id="call_7")
    assert after(called).text == "files\nnote"


def test_fields_of_messages_and_model_calls() -> None:
    message = event(MessageSent("go", "task"), role="planner", topic="work", recipients=("b",))
    run = RunFacts(Limits())
    run.feed(message)
    facts = run.about(message)
    condition = 'purpose == "task" and role == "planner" and topic == "work"'
    assert parse_condition(f'{condition} and recipients contains "b"').matches(facts)
    answered = LlmResponded("x", (), "length", 20, 5, cost_usd=0.25, model="m")
    assert holds('model == "m" and finish_reason == "length" and tokens == 25', answered)
    assert holds("cost > 0.2 and payload.input_tokens == 20", answered)


# -- the run so far ------------------------------------------------------------------------------


def test_counts_tell_how_often_something_has_happened() -> None:
    log: list[AnyPayload] = [CALL, ToolFailed("calculator", "no"), CALL, ToolFailed("files", "no")]
    assert holds('count(kind="tool.failed") == 2 and count() == 4', *log)
    assert holds('count(kind="tool.*", agent="solver", tool="calculator") == 3', *log)
    assert holds('count(actor="verifier") == 0 and not count(actor="verifier")', *log)


def test_a_count_asked_for_late_knows_what_came_before_and_goes_on() -> None:
    run = RunFacts(Limits())
    condition = parse_condition('count(kind="tool.called") == 2')
    run.feed(event(CALL, 0))
    assert not condition.matches(run.about(event(CALL, 0)))
    run.feed(event(CALL, 1))
    assert condition.matches(run.about(event(CALL, 1)))


def test_repeats_counts_the_same_call_by_the_same_agent_and_no_other() -> None:
    run = RunFacts(Limits())
    seen = []
    for seq, (actor, arguments) in enumerate(
        [("a", {"x": 1, "y": 2}), ("a", {"y": 2, "x": 1}), ("b", {"x": 1, "y": 2}), ("a", {"x": 2})]
    ):
        called = event(ToolCalled("t", arguments, call_id=str(seq)), seq, actor)
        drafted = run.repeats(draft("run", actor, called.payload))
        run.feed(called)
        seen.append((drafted, run.repeats(called)))
    assert seen == [(0, 0), (1, 1), (0, 0), (0, 0)]


def test_the_same_text_to_other_listeners_is_no_repeat() -> None:
    run = RunFacts(Limits())
    message = MessageSent("Check it.", "verify")
    run.feed(event(message, 0, recipients=("first",)))
    assert run.repeats(draft("run", "solver", message, recipients=("second",))) == 0
    assert run.repeats(draft("run", "solver", message, recipients=("first",))) == 1


def test_what_was_used_and_what_is_left() -> None:
    log: list[AnyPayload] = [
        RunStarted("w"),
        LlmRequested("m", (), ""),
        LlmResponded("x", (), "stop", 600, 400, cost_usd=0.5),
        ToolFailed("t", "no"),
    ]
    facts = after(*log, limits=Limits(steps=10, tokens=1_500, seconds=60, cost_usd=None))
    for condition in (
        "steps == 1 and budget.steps == 10 and budget.steps_left == 9",
        "tokens_used == 1k and budget.tokens_left < 0.6k",
        "seconds == 3 and seconds == 3000ms and budget.seconds_left < 1min",
        "cost_used == 0.5 and errors == 1 and warnings == 0 and tool_calls == 0",
        "not budget.cost_left >= 0 and not budget.cost",
    ):
        assert parse_condition(condition).matches(facts), condition


def test_a_closing_event_knows_how_long_its_call_took() -> None:
    run = RunFacts(Limits())
    run.feed(Event("run", 0, 1_000_000, "solver", CALL, span=0))
    closing = Event("run", 1, 3_500_000, "solver", ToolReturned("calculator", "1"), span=0)
    run.feed(closing)
    facts = run.about(closing)
    assert parse_condition("duration_ms == 2500 and duration_ms > 2s").matches(facts)
    assert not parse_condition("duration_ms >= 0").matches(after(CALL))


def test_an_offloaded_payload_is_fetched_only_when_its_inside_is_asked_for() -> None:
    fetched: list[int] = []

    def resolve(offloaded: Event) -> AnyPayload:
        fetched.append(offloaded.seq)
        return ToolReturned("files", "long text")

    run = RunFacts(Limits(), resolve)
    returned = event(Offloaded("tool.returned", "0" * 64, 20_000, "long", tool="files"), 5)
    run.feed(returned)
    facts = run.about(returned)
    assert parse_condition('kind == "tool.returned" and tool == "files"').matches(facts)
    assert fetched == []
    assert parse_condition('text ends with "text" and payload.tool == "files"').matches(facts)
    assert fetched == [5]


# -- what cannot be read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "position", "why"),
    [
        ("", 0, "expected a field, a text, a number, true or false, found the end"),
        ('tol == "x"', 0, "there is no field 'tol'. Did you mean 'tool'?"),
        ('tool = "x"', 5, "expected `==`, found '='"),
        ('tool == "x', 8, 'this text has no closing "'),
        ('tool == "x" &&', 12, "Write `and`, `or`, `not`"),
        ('(tool == "x"', 12, "expected `)`, found the end"),
        ('tool == "x" tool', 12, "expected `and`, `or` or the end, found 'tool'"),
        ('"x"', 3, "expected ==, !="),
        ("tool in ()", 9, "found ')'"),
        ("tool in (agent)", 9, "expected a text, a number, true or false"),
        ("tool starts 'x'", 12, "expected `with`"),
        ("tool =~ 5", 8, "expected a pattern in quotes"),
        ('steps =~ "5"', 6, "only a text can be compared with a pattern"),
        ('tool == "a" and text =~ "(a"', 24, "this '(' is not closed"),
        ('seq == "5"', 4, "a number is compared with the text '5', a text: that never holds"),
        ("recipients == recipients", 11, "cannot be used on lists"),
        ('steps contains "5"', 6, "`contains` needs a text on both sides"),
        ("steps > 5s", 6, "5s is a time"),
        ("steps > 5x", 8, "Units are"),
        ("seconds > 1234567890123456", 10, "15 digits"),
        ('kind == "tool.faild"', 8, "there is no kind 'tool.faild'. Did you mean 'tool.failed'?"),
        ('kind == "tool.*"', 8, "there is no kind 'tool.*'"),
        ("agent.name == 'x'", 0, "'agent' has no parts"),
        ('count(kin="x") > 1', 6, "Did you mean 'kind'?"),
        ('count(kind="x.y") > 1', 11, "there is no kind 'x.y'"),
        ('count(agent="a", actor="b") > 1', 17, "is there twice"),
        ('sum(kind="x") > 1', 0, "there is no function 'sum'"),
        ("not " * 60 + "true", 200, "more than 50 deep"),
        ("(" * 60 + "true", 50, "more than 50 deep"),
    ],
)
def test_a_condition_that_cannot_be_read_says_where_and_what_was_expected(
    condition: str, position: int, why: str
) -> None:
    with pytest.raises(ConditionError, match=re.escape(why)) as caught:
        parse_condition(condition)
    assert caught.value.position == position
    assert f"at character {position + 1}" in str(caught.value)


def test_a_condition_of_2001_characters_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="2000 are allowed"):
        parse_condition("x" * 2_001)


@given(st.text("tolkind().\"'= <>!~&|[]andorinwhs0123456789_-\\", max_size=40))
def test_whatever_is_typed_is_read_or_refused_in_words(text: str) -> None:
    try:
        condition = parse_condition(text)
    except ConfigurationError as error:
        assert str(error)
    else:
        assert parse_condition(str(condition)) == condition


# -- printing ------------------------------------------------------------------------------------

_TYPED: dict[str, list[Operand]] = {"text": [], "number": [], "any": []}
for _info in FIELDS.values():
    if _info.type in _TYPED:
        _TYPED[_info.type].append(Field(_info.name))

_texts = st.text(max_size=6)
_numbers = st.builds(Number, st.from_regex(r"-?\d{1,6}(\.\d{1,4})?", fullmatch=True))
_paths = st.lists(st.one_of(_texts, st.integers(0, 99)), min_size=1, max_size=3).map(tuple)
_any = st.builds(Field, st.sampled_from(["payload", "arguments"]), _paths)
_filters = st.lists(
    st.sampled_from([name for name in COUNT_FILTERS if name not in {"kind", "actor"}]), unique=True
).flatmap(lambda names: st.tuples(*[st.tuples(st.just(name), _texts) for name in names]))
_counts = st.builds(
    Count,
    st.tuples(st.sampled_from(["x.*", *KINDS]), _filters).map(
        lambda both: (("kind", both[0]), *both[1])
    ),
)
_signs: st.SearchStrategy[CompareSign] = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
_textual: st.SearchStrategy[CompareSign] = st.sampled_from(["contains", "starts with", "ends with"])
_text_fields = st.sampled_from([field for field in _TYPED["text"] if field != Field("kind")])
_number_fields = st.sampled_from(_TYPED["number"])


def _tests() -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.builds(Compare, _signs, _any | _text_fields, st.builds(Text, _texts) | _any),
        st.builds(Compare, _signs, _number_fields | _counts, _numbers | _number_fields),
        st.builds(Compare, _textual, _any | _text_fields, st.builds(Text, _texts)),
        st.builds(OneOf, _any, st.lists(_numbers | st.builds(Text, _texts), min_size=1).map(tuple)),
        st.builds(Matches, _any | _text_fields, st.sampled_from([r"\d+\.", 'a"b', "x\ny", r"\\"])),
        st.builds(Has, _any | _counts | st.builds(Truth, st.booleans())),
    )


_trees = st.recursive(
    _tests(),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@given(_trees)
def test_a_printed_condition_reads_back_as_the_same(tree: Tree) -> None:
    assert parse_tree(print_tree(tree)) == tree


@given(_trees, st.sampled_from([CALL, ToolFailed("t", "no"), MessageSent("x", "task")]))
def test_matching_never_raises(tree: Tree, payload: AnyPayload) -> None:
    assert parse_condition(print_tree(tree)).matches(after(payload)) in {True, False}


def test_a_condition_says_which_agents_tools_and_whether_it_asks_about_the_run() -> None:
    condition = parse_condition(
        'agent == "a" or "b" == actor or actor in ("c", "d") or count(agent="e", tool="f") > 1'
    )
    assert condition.names("agent", "actor") == ["a", "b", "c", "d", "e"]
    assert condition.names("tool") == ["f"]
    assert condition.of_run
    assert not parse_condition('tool == "x" and payload.steps == 3').of_run


def test_every_field_can_be_read_of_every_kind_of_event() -> None:
    for kind, payload_type in KINDS.items():
        raw = {
            field.encode_name: _plain_value(field.type)
            for field in msgspec.structs.fields(payload_type)
            if field.required
        }
        payload = msgspec.convert({"kind": kind, **raw}, AnyPayload)
        facts = after(payload)
        for info in FIELDS.values():
            info.get(facts)


def _plain_value(wanted: Any) -> Any:
    text = str(wanted)
    if text.startswith("dict"):
        return {}
    if text.startswith("tuple"):
        return []
    if get_origin(wanted) is Literal:
        return get_args(wanted)[0]
    return {str: "x", int: 1, float: 1.0, float | None: 1.0}.get(wanted, "x")
