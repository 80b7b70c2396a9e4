"""Files that are damaged, mislabelled, or made to do harm: a sentence, in bounded time."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest

from aworld.tools.documents.model import DocumentError, Wanted
from aworld.tools.documents.process import answer
from tests.tools.documents import made_files as made


def read(name: str, data: bytes) -> str:
    return answer(Wanted(name=name), data).text


def workbook_with(member: str, change: Callable[[bytes], bytes]) -> bytes:
    """A workbook one of whose members was changed by hand."""
    archive = zipfile.ZipFile(io.BytesIO(made.coloured_workbook()))
    members = {name: archive.read(name) for name in archive.namelist()}
    return made.zipped(members | {member: change(members.get(member, b""))})


def billion_laughs(_: bytes) -> bytes:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 9}">' for n in range(1, 9))
    return (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{levels}]>'
        "<sst><si><t>&l8;</t></si></sst>"
    ).encode()


def far_cell(sheet: bytes) -> bytes:
    rows = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    return sheet[: sheet.index(b"<row")] + rows + b"</sheetData></worksheet>"


def huge_picture() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("e.txt", lambda: b"", "is empty"),
        ("b.zip", lambda: made.zipped({"a": bytes(60_000_000)}), "a ZIP bomb. It was not opened"),
        ("c.pdf", lambda: made.report(3)[:400], "damaged or cut off PDF"),
        ("c.xlsx", lambda: made.coloured_workbook()[:2000], "damaged or cut off ZIP container"),
        ("c.docx", lambda: made.letter()[:2000], "damaged or cut off ZIP container"),
        ("c.png", lambda: made.picture()[:60], "damaged or cut off PNG picture"),
        ("c.parquet", lambda: made.parquet()[:900], "damaged or cut off Parquet file"),
        ("h.png", huge_picture, "60000 x 60000 pixels; up to"),
        ("x.pdf", lambda: bytes(range(256)), "is no pdf file: it begins with 00 01"),
        ("x.bin", lambda: bytes(range(256)), "of a kind that is not read here"),
        ("o.xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "before 2007"),
        (
            "l.xlsx",
            lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "encrypted with a password",
        ),
        (
            "laughs.xlsx",
            lambda: workbook_with("xl/sharedStrings.xml", billion_laughs),
            "declares entities in 'xl/sharedStrings.xml'",
        ),
    ],
)
def test_what_cannot_be_read_says_why(name: str, make: Callable[[], bytes], why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        read(name, make())


def test_entities_of_xml_are_not_put_in() -> None:
    text = read("laughs.xml", billion_laughs(b""))
    assert "it declares entities, which were not put in" in text
    assert len(text) < 2_000


def test_external_entities_are_not_fetched() -> None:
    evil = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>'
    assert "root:" not in read("x.xml", evil)


def test_a_cell_in_the_last_corner_costs_nothing() -> None:
    data = workbook_with("xl/worksheets/sheet1.xml", far_cell)
    assert "1048576: XFD=1" in read("far.xlsx", data)


def test_what_nests_without_end_is_read_as_far_as_it_goes() -> None:
    assert "it nests too deeply to be checked" in read("deep.json", b"[" * 100_000)
    assert read("deep.html", b"<div>" * 3_000 + b"bottom").endswith("bottom")
    assert "Excessive depth" in read("deep.xml", b"<a>" * 10_000)


def test_a_long_sheet_is_cut_with_the_way_to_go_on() -> None:
    data = made.long_workbook(5_000)
    text = read("long.xlsx", data)
    assert len(text) < 20_000
    assert text.endswith("Go on with first_line=797, or look for something with the action find.")
    rest = answer(Wanted(name="long.xlsx", first_line=797, lines=1), data)
    assert rest.text.endswith("797: A=797 | B=row 797")


def test_a_long_line_is_cut() -> None:
    text = read("line.txt", b"x" * 1_000_000)
    assert text.endswith("x… (cut: 1000000 characters)") and len(text) < 5_000


def test_an_archive_gives_nothing_that_would_leave_its_folder() -> None:
    data = made.zipped(
        {"ok.txt": b"1", "../up.txt": b"2", "/etc/x": b"3", "C:\\x": b"4", "a/../../b": b"5"},
        link="link",
    )
    reply = answer(Wanted(action="extract", name="z.zip"), data)
    assert [file.name for file in reply.files] == ["ok.txt"]
    notes = reply.data["notes"]
    assert isinstance(notes, list) and len(notes) == 5
    assert "'link' was not unpacked: it is a link." in notes


def test_a_member_that_lies_about_its_size_is_refused() -> None:
    packed = bytearray(made.zipped({"a.txt": b"x" * 100_000}))
    place = packed.rindex(b"PK\1\2") + 24
    packed[place : place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(DocumentError, match="'a.txt' cannot be unpacked"):
        answer(Wanted(action="extract", name="z.zip"), bytes(packed))
