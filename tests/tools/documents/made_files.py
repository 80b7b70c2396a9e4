"""Documents that the tests read, made by the libraries that people make them with."""

from __future__ import annotations

import io
import math
import struct
import wave
import zipfile
from typing import Any


def coloured_workbook() -> bytes:
    """Two sheets: costs with formulas, colours and merged cells, and a hidden one."""
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill
    from openpyxl.styles.colors import Color

    book = Workbook()
    sheet: Any = book.active
    sheet.title = "Costs"
    for row in (["Item", "Price", "Count"], ["Rope", 12.5, 4], ["Sail", 300, 1]):
        sheet.append(row)
    sheet["D2"] = "=B2*C2"
    sheet["A1"].fill = sheet["B1"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet["A2"].fill = sheet["A3"].fill = PatternFill("solid", fgColor="FF0000")
    sheet["F9"].fill = PatternFill("solid", fgColor=Color(theme=4, tint=0.4))
    sheet["C3"].font = Font(color="0000FF")
    sheet["A5"] = "Total"
    sheet.merge_cells("A5:C5")
    sheet.row_dimensions[3].hidden = True
    hidden: Any = book.create_sheet("Secrets")
    hidden.sheet_state = "hidden"
    hidden["B2"] = "found"
    return saved(book)


def long_workbook(rows: int) -> bytes:
    """One sheet of two columns."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Long")
    for number in range(1, rows + 1):
        sheet.append([number, f"row {number}"])
    return saved(book)


def saved(document: Any) -> bytes:
    """What a library's `save` writes."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def report(pages: int, *, password: str = "") -> bytes:
    """A PDF whose page n says so, with a link and a table of contents."""
    from pypdf import PdfWriter
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.setTitle("Harbour report")
    for number in range(1, pages + 1):
        canvas.bookmarkPage(f"p{number}")
        canvas.addOutlineEntry(f"Chapter {number}", f"p{number}")
        canvas.drawString(72, 700, f"This is page {number}.")
        canvas.drawString(72, 680, f"Ships counted: {number * 7}")
        canvas.linkURL("https://example.org/tide", (72, 690, 200, 710))
        canvas.showPage()
    canvas.save()
    if not password:
        return out.getvalue()
    writer = PdfWriter(clone_from=out)
    writer.encrypt(password, algorithm="AES-256")
    locked = io.BytesIO()
    writer.write(locked)
    return locked.getvalue()


def scan() -> bytes:
    """A PDF of one page that is a picture."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawImage(ImageReader(io.BytesIO(picture())), 72, 500, 200, 100)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def letter() -> bytes:
    """A Word document with what Word documents have."""
    from docx import Document

    document: Any = Document()
    document.add_heading("Voyage", 1)
    document.add_paragraph("We left at dawn.")
    document.add_paragraph("rope", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("Port", "Day", "Oslo", "3"), strict=True):
        cell.text = text
    document.add_heading("Return", 2)
    document.sections[0].header.paragraphs[0].text = "Log of the Aurora"
    document.add_picture(io.BytesIO(picture()))
    return saved(document)


def presentation() -> bytes:
    """Slides with a table, a chart, notes and a hidden slide."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck: Any = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Fleet"
    first.placeholders[1].text = "Three ships"
    first.notes_slide.notes_text_frame.text = "Mention the Aurora."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Figures"
    cells = second.shapes.add_table(1, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    cells.cell(0, 0).text, cells.cell(0, 1).text = "Ships", "3"
    chart: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    chart.categories = ["2024", "2025"]
    chart.add_series("Cargo", (10, 12.5))
    place = (Inches(1), Inches(4), Inches(4), Inches(2))
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, chart)
    second._element.set("show", "0")
    return saved(deck)


def picture(*, kind: str = "PNG") -> bytes:
    """Three quarters red, one quarter blue; as JPEG with a camera and a place."""
    from PIL import Image

    image = Image.new("RGB", (80, 40), (255, 0, 0))
    image.paste((0, 0, 255), (60, 0, 80, 40))
    out = io.BytesIO()
    if kind == "JPEG":
        exif = Image.Exif()
        exif[0x0110] = "Sextant 3"
        place = exif.get_ifd(0x8825)
        place[1], place[2], place[3], place[4] = "N", (59.0, 54.0, 36.0), "W", (10.0, 30.0, 0.0)
        image.save(out, kind, exif=exif, quality=95)
    else:
        image.save(out, kind)
    return out.getvalue()


def tone(seconds: float = 1.5) -> bytes:
    """A WAV file of one pitch."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        samples = (int(9000 * math.sin(n / 4)) for n in range(int(8000 * seconds)))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return out.getvalue()


def song() -> bytes:
    """An MP3 file: an ID3 tag and 100 silent frames of 26 ms."""

    def frame(name: bytes, text: str) -> bytes:
        body = b"\3" + text.encode()
        return name + len(body).to_bytes(4, "big") + b"\0\0" + body

    tags = frame(b"TIT2", "Tide song") + frame(b"TPE1", "The Pilots")
    size = bytes((len(tags) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    silence = b"\xff\xfb\x90\xc0" + bytes(413)
    return b"ID3\3\0\0" + size + tags + silence * 100


def zipped(members: dict[str, bytes], *, link: str = "") -> bytes:
    """An archive; `link` adds a symbolic link of that name to /etc/passwd."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        if link:
            info = zipfile.ZipInfo(link)
            info.external_attr = 0o120777 << 16
            archive.writestr(info, "/etc/passwd")
    return out.getvalue()


def parquet() -> bytes:
    """A table of 1,000 rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    table = {"ship": [f"ship {n}" for n in range(1000)], "tons": list(range(1000))}
    pq.write_table(pa.table(table), out)
    return out.getvalue()


def sheet_of_opendocument() -> bytes:
    """An .ods file, by hand: one sheet, a repeated cell, and filling up to the edge."""
    content = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>'
        '<office:spreadsheet><table:table table:name="Stock"><table:table-row>'
        "<table:table-cell><text:p>Rope</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/>'
        "</table:table-row></table:table></office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": kind, "content.xml": content.encode()})


def book() -> bytes:
    """An EPUB of two chapters."""
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title>'
        '</metadata><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/>'
        '</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    return zipped(
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": container.encode(),
            "OPS/book.opf": package.encode(),
            "OPS/a.xhtml": b"<html><body><h1>Ebb</h1><p>Low water.</p></body></html>",
            "OPS/b.xhtml": b"<html><body><h1>Flood</h1><p>High water.</p></body></html>",
        }
    )


def saved_picture(image: Any) -> bytes:
    """A picture as PNG."""
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
