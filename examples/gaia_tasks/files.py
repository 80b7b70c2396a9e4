"""Writers of the attachments: the same bytes each time, without clocks."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence

Row = Sequence[object]
_WHEN = (2026, 1, 1, 0, 0, 0)


def csv_file(rows: Sequence[Row]) -> bytes:
    """Rows with commas."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def zip_file(members: Mapping[str, bytes]) -> bytes:
    """An archive of these paths."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


def _settled(office_file: bytes) -> bytes:
    """An Office file whose archive and properties tell no time."""
    with zipfile.ZipFile(io.BytesIO(office_file)) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    core = members["docProps/core.xml"]
    members["docProps/core.xml"] = re.sub(
        rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*", rb"\g<1>2026-01-01T00:00:00Z", core
    )
    return zip_file(members)


def xlsx_file(
    sheets: Mapping[str, Sequence[Row]], fills: Mapping[str, Mapping[str, str]] | None = None
) -> bytes:
    """Sheets of rows; `fills` colours a sheet's cells, such as `{"Map": {"A1": "00B050"}}`."""
    import openpyxl
    from openpyxl.styles import PatternFill

    book = openpyxl.Workbook()
    assert book.active is not None
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        for cell, colour in (fills or {}).get(title, {}).items():
            sheet[cell].fill = PatternFill("solid", start_color=colour, end_color=colour)
    out = io.BytesIO()
    book.save(out)
    return _settled(out.getvalue())


def pdf_file(pages: Sequence[Sequence[str | Sequence[Row]]], title: str) -> bytes:
    """Pages of paragraphs and tables (a list of rows)."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

    style = getSampleStyleSheet()
    flow: list[object] = [Paragraph(title, style["Title"])]
    for place, page in enumerate(pages):
        if place:
            flow.append(PageBreak())
        for part in page:
            if isinstance(part, str):
                flow += [Paragraph(part, style["BodyText"]), Spacer(1, 6)]
            else:
                grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.grey)]
                cells = [[str(cell) for cell in row] for row in part]
                flow += [Table(cells, style=grid), Spacer(1, 6)]
    out = io.BytesIO()
    SimpleDocTemplate(out, title=title, invariant=1).build(flow)
    return out.getvalue()


def docx_file(parts: Sequence[str | Sequence[Row]], title: str) -> bytes:
    """Paragraphs and tables; a paragraph that begins with `# ` is a heading."""
    import docx

    document = docx.Document()
    document.core_properties.author = ""
    document.add_heading(title, 0)
    for part in parts:
        if not isinstance(part, str):
            table = document.add_table(rows=0, cols=len(part[0]))
            for row in part:
                for cell, value in zip(table.add_row().cells, row, strict=True):
                    cell.text = str(value)
        elif part.startswith("# "):
            document.add_heading(part[2:], 1)
        else:
            document.add_paragraph(part)
    out = io.BytesIO()
    document.save(out)
    return _settled(out.getvalue())


def pptx_file(slides: Sequence[tuple[str, Sequence[str], str]]) -> bytes:
    """Slides of a title, lines and the speaker's notes."""
    import pptx

    deck = pptx.Presentation()
    for title, lines, notes in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    out = io.BytesIO()
    deck.save(out)
    return _settled(out.getvalue())


def png_file(
    rows: Sequence[Sequence[tuple[int, int, int]]],
    scale: int,
    texts: Mapping[str, str] | None = None,
) -> bytes:
    """Squares of `scale` pixels in these colours (R, G, B), top row first; `texts` is metadata."""
    from PIL import Image, PngImagePlugin

    picture = Image.new("RGB", (len(rows[0]), len(rows)))
    picture.putdata([colour for row in rows for colour in row])
    large = picture.resize((len(rows[0]) * scale, len(rows) * scale), Image.Resampling.NEAREST)
    info = PngImagePlugin.PngInfo()
    for name, text in (texts or {}).items():
        info.add_text(name, text)
    out = io.BytesIO()
    large.save(out, "PNG", pnginfo=info)
    return out.getvalue()


# MPEG-2 layer III, 8 kbit/s, 22,050 Hz, mono: the smallest frames there are.
_FRAME = bytes((0xFF, 0xF3, 0x10, 0xC4)) + bytes(22)
_SAMPLES_A_FRAME = 576
_RATE = 22_050


def mp3_file(seconds: float, tags: Mapping[str, str]) -> bytes:
    """A silent recording with ID3v2.3 text frames, such as `{"TIT2": "Title"}`."""
    frames = b"".join(_id3_frame(name, text) for name, text in tags.items())
    size = len(frames)
    sync_safe = bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))
    count = round(seconds * _RATE / _SAMPLES_A_FRAME)
    return b"ID3\x03\x00\x00" + sync_safe + frames + _FRAME * count


def mp3_seconds(seconds: float) -> float:
    """How long a recording of about this length really is: whole frames."""
    return round(seconds * _RATE / _SAMPLES_A_FRAME) * _SAMPLES_A_FRAME / _RATE


def _id3_frame(name: str, text: str) -> bytes:
    data = b"\x01" + text.encode("utf-16")
    return name.encode() + len(data).to_bytes(4, "big") + b"\x00\x00" + data
