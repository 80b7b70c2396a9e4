"""Documents that are made, read back by the same process."""

from __future__ import annotations

import pytest

from aworld.tools.documents.markdown_blocks import Item, Span, Table, blocks_of, spans_of
from aworld.tools.documents.model import Cell, DocumentError, Produced, Wanted
from aworld.tools.documents.process import answer
from tests.tools.documents import made_files as made

REPORT = """# Voyage 航行

We sailed **north** at *dawn*, see [the log](https://example.org/log). Ελληνικά, Русский.

- rope
  - thin
1. sail

| Port | Tons |
|------|-----:|
| Oslo | 12.5 |
| A\\|B | 007 |

```
x = 1
```

## Return

Notes: speak slowly
"""


def written(name: str, text: str = "", before: bytes = b"", **more: object) -> Produced:
    wanted = Wanted(action="write", name=name, text=text, **more)  # type: ignore[arg-type]
    return answer(wanted, before).files[0]


def read_back(name: str, text: str = "", **more: object) -> str:
    made_file = written(name, text, b"", **more)
    return answer(Wanted(name=name), made_file.data).text


def test_a_pdf_shows_every_script_and_keeps_its_links() -> None:
    text = read_back("v.pdf", REPORT)
    assert "Title: Voyage 航行" in text
    for piece in ("We sailed north at dawn, see the log.", "Ελληνικά, Русский", "• rope", "12.5"):
        assert piece in text
    assert "Links: https://example.org/log" in text


def test_a_long_word_and_a_long_text_are_laid_out() -> None:
    text = read_back("w.pdf", "x" * 3_000 + " " + "word " * 3_000)
    assert text.startswith("w.pdf: PDF, ") and text.count("word") > 2_000


def test_a_word_document_has_headings_lists_and_tables() -> None:
    lines = read_back("v.docx", REPORT).splitlines()
    for line in ("# Voyage 航行", "- rope", "| Oslo | 12.5 |", "## Return", "1. sail"):
        assert line in lines


def test_each_heading_begins_a_slide_and_notes_go_below_it() -> None:
    text = read_back("v.pptx", REPORT)
    assert "v.pptx: PowerPoint presentation, 2 slides" in text
    assert "| Oslo | 12.5 |" in text
    assert "[slide 2]\n# Return\nNotes: speak slowly" in text


def test_a_web_page_escapes_what_is_no_markup() -> None:
    page = written("v.html", "# A <b>\n\n[x](javascript:alert(1)) `<i>`\n\n" + REPORT).data.decode()
    assert "<h1>A &lt;b&gt;</h1>" in page and "<code>&lt;i&gt;</code>" in page
    assert "javascript:" not in page
    assert "<ul>\n<li>rope\n<ul>\n<li>thin\n</li></ul>" in page
    assert "<td>Oslo</td>" in page


def test_tables_in_a_text_become_rows_with_numbers() -> None:
    assert written("t.csv", REPORT).data == b"Port,Tons\nOslo,12.5\nA|B,007\n"
    text = read_back("t.xlsx", REPORT)
    assert "2: A=Oslo | B=12.5" in text


def test_rows_become_sheets_with_formulas() -> None:
    sheets: dict[str, list[list[Cell]]] = {
        "Costs": [["Item", "Price"], ["Rope", 12.5], ["Twice", "=B2*2"]],
        "A/B?": [[None, True, "007"]],
    }
    text = read_back("t.xlsx", sheets=sheets)
    assert "3: A=Twice | B==B2*2" in text and "Formulas: B3: =B2*2" in text
    assert "[sheet 'A B']\n1: B=TRUE | C=007" in text


def test_cells_of_a_workbook_that_is_there_are_changed_and_the_rest_is_kept() -> None:
    changed = written(
        "c.xlsx", before=made.coloured_workbook(), range="B3", pages="Costs",
        sheets={"": [[250, 2]]},
    )  # fmt: skip
    text = answer(Wanted(name="c.xlsx"), changed.data).text
    assert "3: A=Sail | B=250 | C=2" in text
    assert "Fill #FF0000 red: A2:A3" in text and "Merged cells: A5:C5" in text


def test_rows_become_json_parquet_and_tsv() -> None:
    rows: dict[str, list[list[Cell]]] = {"": [["a", "b"], [1, "x"], [2.5, None]]}
    assert written("r.jsonl", sheets=rows).data == b'{"a": 1, "b": "x"}\n{"a": 2.5, "b": null}\n'
    assert written("r.tsv", sheets=rows).data == b"a\tb\n1\tx\n2.5\t\n"
    assert read_back("r.parquet", sheets=rows).endswith("| a | b |\n| 1.0 | x |\n| 2.5 |  |")


@pytest.mark.parametrize(
    ("name", "more", "why"),
    [
        ("x.exe", {"text": "x"}, "Documents of the kind '.exe' are not written"),
        ("x.json", {"text": "{"}, "is no JSON"),
        ("x.xlsx", {"text": "no table"}, "needs rows, or a text with a table"),
        ("x.csv", {"sheets": {"a": [[1]], "b": [[2]]}}, "can hold one table; 2 were given"),
        ("x.xlsx", {"sheets": {"": [["\1"]]}}, "a character that Excel cannot hold"),
        ("x.pdf", {"text": ""}, "needs a text or rows"),
        ("x.pdf", {"sheets": {"": [["x"] * 100]}}, "A table of 100 columns does not fit"),
        ("x.parquet", {"sheets": {"": [["a", "a"], [1, 2]]}}, "Two columns .* the same name"),
    ],
)
def test_what_cannot_be_made_says_why(name: str, more: dict[str, object], why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        answer(Wanted(action="write", name=name, **more), b"")  # type: ignore[arg-type]


def test_the_same_text_makes_the_same_pdf() -> None:
    assert written("a.pdf", REPORT).data == written("a.pdf", REPORT).data


def test_markdown_has_the_blocks_and_spans_that_models_write() -> None:
    assert spans_of("a **b** `c*d*` _e_ 2*3*4 snake_case_name") == [
        Span("a "),
        Span("b", bold=True),
        Span(" "),
        Span("c*d*", code=True),
        Span(" "),
        Span("e", italic=True),
        Span(" 2*3*4 snake_case_name"),
    ]
    assert blocks_of("- a\n  goes on\n    - b\n3. c") == [
        Item(0, False, 0, "a goes on"),
        Item(2, False, 0, "b"),
        Item(0, True, 3, "c"),
    ]
    assert blocks_of("a | b\n--|--\n1 | 2\n") == [Table([["a", "b"], ["1", "2"]], True)]
