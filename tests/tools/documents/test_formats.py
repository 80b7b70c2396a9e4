"""What is read out of each kind of document."""

from __future__ import annotations

import pytest

from aworld.tools.documents.colours import name_of
from aworld.tools.documents.model import DocumentError, Reply, Wanted
from aworld.tools.documents.process import answer
from tests.tools.documents import made_files as made


def read(name: str, data: bytes, **wanted: object) -> Reply:
    return answer(Wanted(name=name, **wanted), data)  # type: ignore[arg-type]


def body(reply: Reply) -> list[str]:
    """The lines behind the head."""
    return reply.text.partition("\n\n")[2].splitlines()


def test_a_pdf_is_read_by_pages_with_its_contents_and_links() -> None:
    reply = read("r.pdf", made.report(12), pages="3,11-")
    assert reply.text.startswith("r.pdf: PDF, 12 pages\nTitle: Harbour report\n")
    assert "Contents:\n- Chapter 1, page 1\n" in reply.text
    assert body(reply)[:4] == [
        "[page 3]",
        "This is page 3.",
        "Ships counted: 21",
        "Links: https://example.org/tide",
    ]
    assert [line for line in body(reply) if line.startswith("[")] == [
        "[page 3]",
        "[page 11]",
        "[page 12]",
    ]


def test_a_scanned_page_gives_its_picture() -> None:
    reply = read("s.pdf", made.scan())
    assert "page 1 has no text; its pictures are attached" in reply.text
    assert [(file.name, file.media_type) for file in reply.files] == [("page-1-1.png", "image/png")]


def test_an_encrypted_pdf_asks_for_its_password() -> None:
    locked = made.report(2, password="tide")
    with pytest.raises(DocumentError, match="'r.pdf' is encrypted. Give its password"):
        read("r.pdf", locked)
    with pytest.raises(DocumentError, match="The password is wrong"):
        read("r.pdf", locked, password="ebb")
    assert "This is page 2." in read("r.pdf", locked, password="tide", pages="2").text


def test_a_workbook_tells_values_formulas_colours_and_what_is_hidden_or_merged() -> None:
    reply = read("c.xlsx", made.coloured_workbook())
    assert "- sheet 2 'Secrets' (up to B2, hidden)" in reply.text
    assert body(reply) == [
        "[sheet 'Costs']",
        "1: A=Item | B=Price | C=Count",
        "2: A=Rope | B=12.5 | C=4 | D==B2*C2",
        "3: A=Sail | B=300 | C=1",
        "5: A=Total",
        "Formulas: D2: =B2*C2",
        "Cells that were never calculated show their formula as value.",
        "Fill #FFFF00 yellow: A1:B1",
        "Fill #FF0000 red: A2:A3",
        "Fill #95B3D7 light blue: F9",
        "Text #0000FF blue: C3",
        "Merged cells: A5:C5",
        "Hidden rows: 3",
        "[sheet 'Secrets']",
        "2: B=found",
    ]


def test_a_range_of_a_sheet_is_read_and_each_cells_colour_where_that_is_asked() -> None:
    data = made.coloured_workbook()
    assert body(read("c.xlsx", data, pages="Costs", range="A2:B3"))[:3] == [
        "[sheet 'Costs']",
        "2: A=Rope | B=12.5",
        "3: A=Sail | B=300",
    ]
    coloured = body(read("c.xlsx", data, pages="1", range="A1:F9", show="colours"))
    assert "9: F=[#95B3D7 light blue]" in coloured
    assert "2: A=Rope [#FF0000 red] | B=12.5 | C=4 | D==B2*C2" in coloured
    with pytest.raises(DocumentError, match="'first row' is no range of cells"):
        read("c.xlsx", data, range="first row")


def test_dates_shared_formulas_and_truth_values_are_read_as_excel_shows_them() -> None:
    import datetime

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([datetime.date(2026, 3, 1), True, 17.0, 0.1 + 0.2, "a\nb"])
    rows = body(read("d.xlsx", made.saved(book)))
    assert rows == ["[sheet 'Sheet']", "1: A=2026-03-01 | B=TRUE | C=17 | D=0.3 | E=a b"]


def test_a_word_document_keeps_the_order_of_headings_lists_and_tables() -> None:
    reply = read("l.docx", made.letter())
    assert "Header: Log of the Aurora" in reply.text
    assert [line for line in body(reply) if line] == [
        "# Voyage",
        "We left at dawn.",
        "- rope",
        "| Port | Day |",
        "| --- | --- |",
        "| Oslo | 3 |",
        "## Return",
    ]


def test_slides_give_tables_figures_of_charts_and_notes() -> None:
    reply = read("p.pptx", made.presentation())
    assert "- slide 2: Figures (hidden)" in reply.text
    assert body(reply) == [
        *("[slide 1]", "# Fleet", "Three ships", "Notes: Mention the Aurora."),
        *("[slide 2]", "# Figures", "| Ships | 3 |", "| --- | --- |"),
        *("(chart)", "|  | 2024 | 2025 |", "| Cargo | 10 | 12.5 |"),
    ]


def test_a_picture_is_described_and_attached() -> None:
    reply = read("p.jpg", made.picture(kind="JPEG"))
    assert "Size: 80 x 40 pixels" in reply.text
    assert "EXIF Model: Sextant 3" in reply.text
    assert "EXIF place: 59.910000, -10.500000 (latitude, longitude)" in reply.text
    assert "Main colours: red #FE0000 7" in reply.text
    assert [(file.name, file.media_type) for file in reply.files] == [("p.jpg", "image/jpeg")]
    assert "Main colours: red #FF0000 75 %, blue #0000FF 25 %" in read("p.png", made.picture()).text


def test_a_large_picture_is_attached_smaller() -> None:
    import io

    from PIL import Image

    large = made.saved_picture(Image.effect_noise((1800, 600), 80))
    (attached,) = read("n.png", large).files
    assert Image.open(io.BytesIO(attached.data)).size == (1568, 523)
    assert len(attached.data) <= 1_500_000


def test_sound_tells_its_length_and_tags() -> None:
    wav = read("t.wav", made.tone(1.5))
    assert "Duration: 1.5 s (0:01)\nBit rate: 128 kbit/s\nSample rate: 8000 Hz" in wav.text
    song = read("s.mp3", made.song())
    assert "Title: Tide song\nArtist: The Pilots" in song.text
    assert "Duration: 2.6 s" in song.text


def test_a_csv_tells_its_delimiter_and_encoding() -> None:
    reply = read("p.csv", "名字;价格\n绳子;1,5\n帆;3,25\n".encode("gb18030"))
    assert "Delimiter: semicolon\nEncoding: gb18030\nRows: 3\nColumns: 2" in reply.text
    assert body(reply) == ["| 名字 | 价格 |", "| 绳子 | 1,5 |", "| 帆 | 3,25 |"]
    assert "Delimiter: tab" in read("p.tsv", b'a\tb\n1\t"x\ty"\n').text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Straße für Ämter", "cp1252"),
        ("Привет, как дела сегодня?", "cp1251"),
        ("今日は天気がいいですね", "shift_jis"),
        ("안녕하세요 세계", "euc_kr"),
        ("hello", "utf-16"),
        ("naïve", "utf-8"),
    ],
)
def test_the_encoding_of_a_text_is_found_out(text: str, encoding: str) -> None:
    reply = read("t.txt", text.encode(encoding))
    assert f"Encoding: {encoding}" in reply.text
    assert body(reply) == [text]


def test_a_web_page_becomes_markdown_with_whole_addresses() -> None:
    page = (
        b"<html><head><title>Tides</title><script>alert(1)</script></head><body><h1>Ebb</h1>"
        b"<p>See <a href='/flood'>flood</a>.</p><p style='display: none'>hidden</p>"
        b"<img src='data:image/png;base64,AAAA' alt='a wave'><ul><li>one<li>two</ul></body></html>"
    )
    reply = read("t.html", page, base_url="https://example.org/sea/")
    assert "Title: Tides" in reply.text
    assert [line for line in body(reply) if line] == [
        "# Ebb",
        "See [flood](https://example.org/flood).",
        "a wave",
        "- one",
        "- two",
    ]


def test_json_json_lines_and_xml_are_described() -> None:
    assert "Value: an object with 1 key: a" in read("x.json", b'{"a": [1]}').text
    assert "it is no valid JSON (Expecting" in read("x.json", b'{"a": ').text
    assert "line 2 is no JSON" in read("x.jsonl", b'{"a": 1}\n{"a"\n').text
    xml = b"<?xml version='1.0'?><ships><ship/><ship/></ships>"
    assert "Root: ships\nElements: ship 2, ships 1" in read("x.xml", xml).text
    assert read("nameless", b'{"a": 1}\n{"a": 2}\n').kind == "jsonl"


def test_parquet_gives_its_schema_and_rows() -> None:
    reply = read("t.parquet", made.parquet(), first_line=1000, lines=2)
    assert "Rows: 1000" in reply.text
    assert "Columns: ship (string), tons (int64)" in reply.text
    assert body(reply) == ["| ship 998 | 998 |", "| ship 999 | 999 |"]


def test_opendocument_and_epub_are_read() -> None:
    assert body(read("s.ods", made.sheet_of_opendocument())) == [
        "[sheet 'Stock']",
        "| Rope | 7 | 7 |",
    ]
    assert body(read("b.epub", made.book(), pages="2")) == [
        "[chapter 2]",
        "# Flood",
        "",
        "High water.",
    ]


def test_an_archive_is_listed_and_a_member_is_read_as_what_it_is() -> None:
    data = made.zipped({"a.csv": b"x,y\n1,2\n", "b/c.txt": b"deep", "in.zip": made.zipped({})})
    listed = read("z.zip", data)
    assert "- a.csv (8 bytes)\n- b/c.txt (4 bytes)" in listed.text and body(listed) == []
    assert body(read("z.zip", data, pages="a.csv"))[-2:] == ["| x | y |", "| 1 | 2 |"]
    assert "an archive inside an archive" in read("z.zip", data, pages="in.zip").text


def test_the_kind_is_told_by_the_content_and_not_by_the_name() -> None:
    reply = read("report.txt", made.report(1))
    assert reply.kind == "pdf"
    text = read("table.xlsx", b"only words")
    assert "its name says 'xlsx', its content 'text'" in text.text
    assert (
        read("atom.pdb", b"ATOM      1  N   ALA A   1      11.104   6.134  -6.504\n").kind == "text"
    )
    assert read("car.txt", b"BMW makes cars, ID3 tags songs").kind == "text"


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        *(("#FF0000", "red"), ("#C00000", "dark red"), ("#FFC000", "orange")),
        *(("#FFFF00", "yellow"), ("#92D050", "lime green"), ("#0070C0", "medium blue")),
        *(("#EAEAEA", "white"), ("#D9D9D9", "light grey"), ("#7030A0", "purple")),
    ],
)
def test_colours_have_the_names_that_people_give_them(colour: str, name: str) -> None:
    assert name_of(colour) == name
