"""Every message of the server is there in Chinese."""

from __future__ import annotations

import ast
import gettext
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "apps" / "shell" / "locale" / "zh_Hans" / "LC_MESSAGES"


def said_in(file: Path) -> set[str]:
    """What a module passes to `_`."""
    calls = [
        node
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    return {
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id == "_"
        and isinstance(call.args[0], ast.Constant)
    }


def shown_in(file: Path) -> set[str]:
    """What a template passes to `translate` and `blocktranslate`."""
    text = file.read_text(encoding="utf-8")
    blocks = re.findall(r"{% blocktranslate %}(.*?){% endblocktranslate %}", text, re.DOTALL)
    return {
        *re.findall(r'{% translate "(.*?)" %}', text),
        *(re.sub(r"{{ (\w+) }}", r"%(\1)s", block) for block in blocks),
    }


def compiled() -> gettext.GNUTranslations:
    with (FOLDER / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_no_message_is_left_in_english() -> None:
    modules = [*(ROOT / "apps").rglob("*.py"), *(ROOT / "aworld_web").glob("*.py")]
    messages = set[str]().union(
        *map(said_in, modules), *map(shown_in, (ROOT / "templates").glob("*.html"))
    )
    chinese = compiled()

    assert len(messages) > 50
    assert [text for text in sorted(messages) if chinese.gettext(text) == text] == []


def test_a_translation_names_the_same_things_as_its_message() -> None:
    source = (FOLDER / "django.po").read_text(encoding="utf-8")
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', source, re.MULTILINE)

    def names(text: str) -> list[str]:
        return sorted(set(re.findall(r"%\(\w+\)[srd]", text)))

    assert len(pairs) > 50
    assert [text for text, chinese in pairs if names(text) != names(chinese)] == []


def test_the_compiled_messages_are_those_of_the_source() -> None:
    source = (FOLDER / "django.po").read_text(encoding="utf-8")
    pairs = re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', source, re.MULTILINE)
    chinese = compiled()

    def plain(text: str) -> str:
        return text.replace('\\"', '"')

    assert [text for text, told in pairs if chinese.gettext(plain(text)) != plain(told)] == []
