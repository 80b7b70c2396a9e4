"""The browser's view of the schema: `frontend/src/generated/events.ts`, made from the union.

`python -m aworld.events.typescript` writes the file, `--check` fails when it is stale.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from aworld.events import traits
from aworld.events.envelope import SCHEMA_VERSION
from aworld.events.union import KINDS, Event, Offloaded

TARGET: Final = Path(__file__).parents[2] / "frontend" / "src" / "generated" / "events.ts"
COMMAND: Final = "python -m aworld.events.typescript"

_SCALARS: Final[dict[Any, str]] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}


def render() -> str:
    """The whole TypeScript file."""
    structs = [*_nested_structs(KINDS.values()), *KINDS.values()]
    parts = [
        f"// Made by `{COMMAND}` from aworld/events. "
        "Do not edit: change the schema and run it again.",
        f"export const SCHEMA_VERSION = {SCHEMA_VERSION};",
        *(_interface(cls) for cls in structs),
        "export type Payload =\n"
        + "\n".join(f"  | {cls.__name__}" for cls in KINDS.values())
        + ";",
        _interface(Event),
        *_tables(),
    ]
    return "\n\n".join(parts) + "\n"


def type_of(annotation: Any) -> str:
    """A field's type in TypeScript.

    Raises:
        TypeError: the schema uses a type that has no counterpart here yet.
    """
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in arguments)
    if origin in (typing.Union, types.UnionType):
        if all(_is_payload(item) for item in arguments):
            return "Payload"
        return " | ".join(type_of(item) for item in arguments)
    if origin in (tuple, list):
        inner = type_of(arguments[0])
        return f"({inner})[]" if " " in inner and "<" not in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {type_of(arguments[1])}>"
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation.__name__
    raise TypeError(f"no TypeScript type for {annotation!r}; add it to {__name__}.type_of")


def _interface(cls: type[msgspec.Struct]) -> str:
    """One struct as an interface. Fields with a default may be left out on the wire."""
    hints = typing.get_type_hints(cls)
    documentation = _field_documentation(cls)
    tag = cls.__struct_config__.tag
    lines = [*_comment(cls.__doc__ or "", ""), f"export interface {cls.__name__} {{"]
    if tag is not None:
        lines.append(f"  kind: {json.dumps(tag)};")
    for field in msgspec.structs.fields(cls):
        optional = "" if field.required or not cls.__struct_config__.omit_defaults else "?"
        lines += _comment(documentation.get(field.name, ""), "  ")
        lines.append(f"  {field.encode_name}{optional}: {type_of(hints[field.name])};")
    return "\n".join([*lines, "}"])


def _tables() -> Iterator[str]:
    """What a kind means, from `traits`, as constants."""
    kinds = [kind for kind in KINDS if not kind.startswith("payload.")]
    yield (
        "export const KINDS = [\n"
        + "\n".join(f"  {json.dumps(k)}," for k in kinds)
        + "\n] as const;"
    )
    yield "export type Kind = (typeof KINDS)[number];"
    families = typing.get_args(traits.Family)
    yield f"export const FAMILIES = {json.dumps(list(families))} as const;"
    yield "export type Family = (typeof FAMILIES)[number];"
    yield "/** 0 nothing wrong, 1 worth a look, 2 an error. */\nexport type Severity = 0 | 1 | 2;"
    yield _record("FAMILY_OF", "Family", {kind: traits.family(kind) for kind in kinds})
    yield (
        "/** Of a kind by itself; an `llm.failed` that will be retried is only a warning. */\n"
        + _record("SEVERITY_OF", "Severity", {kind: traits.severity(_bare(kind)) for kind in kinds})
    )
    yield _set("OPENERS", (kind for kind in kinds if traits.opens_span(_bare(kind))))
    yield _set("CLOSERS", (kind for kind in kinds if traits.closes_span(_bare(kind))))
    yield _set("TERMINAL", (kind for kind in kinds if kind in traits.TERMINAL))


def _bare(kind: str) -> Event:
    """An event of a kind of which nothing else is known: traits then answer for the kind."""
    payload = Offloaded(of=kind, blob="", size=0, preview="")
    return Event(run_id="", seq=0, at=0, actor="", payload=payload, span=0)


def _record(name: str, value_type: str, values: dict[str, Any]) -> str:
    rows = "\n".join(f"  {json.dumps(k)}: {json.dumps(v)}," for k, v in values.items())
    return f"export const {name}: Readonly<Record<Kind, {value_type}>> = {{\n{rows}\n}};"


def _set(name: str, kinds: Iterable[str]) -> str:
    rows = "\n".join(f"  {json.dumps(kind)}," for kind in kinds)
    return f"export const {name}: ReadonlySet<string> = new Set<Kind>([\n{rows}\n]);"


def _is_payload(item: Any) -> bool:
    return isinstance(item, type) and item in KINDS.values()


def _nested_structs(classes: Iterable[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    """Structs that are fields of payloads, such as `Limits`, in order of appearance."""
    found: dict[type[msgspec.Struct], None] = {}
    for cls in classes:
        for hint in typing.get_type_hints(cls).values():
            for item in (hint, *typing.get_args(hint)):
                if isinstance(item, type) and issubclass(item, msgspec.Struct):
                    found.setdefault(item)
    return list(found)


def _field_documentation(cls: type) -> dict[str, str]:
    """Field name to the string that stands under it in the source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[field.target.id] = inspect.cleandoc(str(below.value.value))
    return found


def _comment(text: str, indent: str) -> list[str]:
    lines = inspect.cleandoc(text).splitlines()
    if not lines:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def main(arguments: list[str] | None = None) -> int:
    """Write or check the file; the exit status is 1 where `--check` finds it stale."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the file is fresh")
    parser.add_argument("--target", type=Path, default=TARGET, help="the file to write or check")
    options = parser.parse_args(arguments)
    target: Path = options.target
    text = render()
    if not options.check:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return 0
    there = target.read_text(encoding="utf-8") if target.exists() else ""
    if there == text:
        return 0
    sys.stderr.write(f"{target.name} is stale: the event schema changed; run `{COMMAND}`\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
