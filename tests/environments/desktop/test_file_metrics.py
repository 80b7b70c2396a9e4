"""Metrics on office files, pictures and PDF, on files that their own libraries write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import numpy
import openpyxl
import pptx
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation
from PIL import Image, ImageEnhance, ImageFilter
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt
from reportlab.pdfgen.canvas import Canvas

from aworld.environments.desktop.metrics.registry import find


class Files:
    """Makes numbered files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def path(self, ending: str) -> str:
        self._count += 1
        return str(self._folder / f"{self._count}.{ending}")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def workbook(files: Files, change: Callable[[Any], None] = lambda sheet: None) -> str:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Data"
    for row in (["Name", "Size"], ["Ann", 1.00001], ["Bob", 2]):
        sheet.append(row)
    change(sheet)
    path = files.path("xlsx")
    book.save(path)
    return path


def both(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "sheet_idx0": 0, "sheet_idx1": "EI0", **fields}


def set_value(place: str, value: Any) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        sheet[place] = value

    return change


def chart(kind: str) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        bars = BarChart()
        bars.type = kind
        bars.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
        sheet.add_chart(bars, "D2")

    return change


def validation(formula: str) -> Callable[[Any], None]:
    def change(sheet: Any) -> None:
        rule = DataValidation(type="list", formula1=formula)
        rule.add("A2:A3")
        sheet.add_data_validation(rule)

    return change


def bold(sheet: Any) -> None:
    sheet["A1"].font = Font(bold=True)


def frozen(sheet: Any) -> None:
    sheet.freeze_panes = "A2"


def filtered(sheet: Any) -> None:
    sheet.auto_filter.ref = "A1:B3"
    sheet.auto_filter.add_filter_column(0, ["Ann"])


def hidden(sheet: Any) -> None:
    sheet.row_dimensions[2].hidden = True


def zoomed(sheet: Any) -> None:
    sheet.sheet_view.zoomScale = 150


FUZZY = [{"range": ["A2:A3"], "type": "exact_match", "ignore_case": True, "ignore_chars": "!"}]


@pytest.mark.parametrize(
    ("rule", "same", "other"),
    [
        (both("sheet_data"), set_value("B2", 1.00002), set_value("B2", 1.1)),
        (both("sheet_data"), set_value("A1", "Name"), set_value("C1", "more")),
        (both("sheet_fuzzy", rules=FUZZY), set_value("A2", "ANN!"), set_value("A2", "Ana")),
        (both("style", props=["font_bold"]), None, bold),
        (both("freeze"), None, frozen),
        (both("filter"), None, filtered),
        (both("row_props", props=["hidden"]), None, hidden),
        (both("chart", chart_props=["type", "direction"]), None, chart("bar")),
        ({"type": "zoom", "sheet_idx": 0, "method": "eq", "ref": 100}, None, zoomed),
        (
            {
                "type": "check_cell",
                "sheet_idx": "RNData",
                "coordinate": "B3",
                "props": {"value": {"method": "eq", "ref": 2}},
            },
            None,
            set_value("B3", "2"),
        ),
    ],
)
def test_a_rule_holds_for_one_workbook_and_not_for_another(
    rule: dict[str, Any],
    same: Callable[[Any], None] | None,
    other: Callable[[Any], None],
    files: Files,
) -> None:
    compare, gold = find("compare_table"), workbook(files)
    options = {"rules": [both("sheet_name"), rule]}
    alike = workbook(files, same) if same else workbook(files)
    assert compare(alike, gold, **options) == 1.0
    assert compare(workbook(files, other), gold, **options) == 0.0


def test_equal_charts_and_validations_are_found_equal(files: Files) -> None:
    def charted() -> str:
        return workbook(files, chart("col"))

    compare = find("compare_table")
    drawn = both("chart", chart_props=["type", "direction"])
    assert compare(charted(), charted(), rules=[drawn]) == 1.0
    assert compare(charted(), workbook(files, chart("bar")), rules=[drawn]) == 0.0
    wanted = {"type": {"method": "eq", "ref": "list"}, "formula1": {"method": "eq", "ref": '"x"'}}
    rule = {"type": "data_validation", "sheet_idx": 0, "dv_props": [wanted]}
    assert compare(workbook(files, validation('"x"')), rules=[rule]) == 1.0
    assert compare(workbook(files, validation('"y"')), rules=[rule]) == 0.0
    assert compare(None, rules=[rule]) == 0.0
    with pytest.raises(NotImplementedError, match="rule 'odd'"):
        compare(workbook(files), rules=[{"type": "odd"}])


def document(files: Files, *paragraphs: str, look: Callable[[Any], None] = lambda d: None) -> str:
    made = docx.Document()
    for text in paragraphs:
        made.add_paragraph(text)
    look(made)
    path = files.path("docx")
    made.save(path)
    return path


@pytest.mark.parametrize(
    ("options", "second", "score"),
    [
        ({}, ["One  two", "Three"], 1.0),
        ({}, ["One two"], 0.0),
        ({"ignore_blanks": False}, ["One  two", "Three"], 0.0),
        ({"ignore_case": True}, ["ONE two", "three"], 1.0),
        ({"ignore_order": True}, ["Three", "One two"], 1.0),
        ({"ignore_blanks": False, "delete_empty_lines": True}, ["One two", " ", "Three"], 1.0),
        ({"content_only": True}, ["One two", "Thrxx"], 22 / 26),
        ({"ignore_blanks": False, "fuzzy_match": True}, ["One two", "Thrxx"], (1 + 6 / 10) / 2),
    ],
)
def test_documents_are_compared_as_the_options_say(
    options: dict[str, Any], second: list[str], score: float, files: Files
) -> None:
    first = document(files, "One two", "Three")
    compare = find("compare_docx_files")
    assert compare(first, document(files, *second), **options) == pytest.approx(score)


def test_looks_of_documents_are_seen(files: Files) -> None:
    def shape(made: Any) -> None:
        made.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER
        for spacing, paragraph in zip((1.0, 2.0, 1.5), made.paragraphs, strict=True):
            paragraph.paragraph_format.line_spacing = spacing
        made.paragraphs[1].add_run().add_break(WD_BREAK.PAGE)
        made.paragraphs[2].runs[0].font.strike = True
        made.paragraphs[2].runs[0].font.name = "Arial"
        made.sections[0].footer.paragraphs[0].text = "page 1"
        made.add_table(1, 1).cell(0, 0).text = "cell"

    plain, shaped = (
        document(files, "a", "b", "c"),
        document(files, "a", "b", "c", look=shape),
    )
    for name, arguments in {
        "is_first_line_centered": (),
        "evaluate_spacing": (),
        "contains_page_break": ({"page_break_count": 1},),
        "has_page_numbers_in_footers": (),
    }.items():
        assert (name, find(name)(shaped, *arguments)) == (name, 1.0)
        assert (name, find(name)(plain, *arguments)) == (name, 0.0)
    for name in ("compare_line_spacing", "compare_docx_tables"):
        assert (name, find(name)(shaped, shaped)) == (name, 1.0)
        assert (name, find(name)(shaped, plain)) == (name, 0.0)
    assert find("evaluate_strike_through_last_paragraph")(shaped, plain) == 1.0
    assert find("evaluate_strike_through_last_paragraph")(plain, shaped) == 0.0
    assert find("compare_font_names")(shaped, {"font_name": "Arial"}) == 0.0
    assert find("evaluate_conversion")(plain) == 1.0
    assert find("evaluate_conversion")(document(files, "ABC")) == 0.0


def slides(files: Files, change: Callable[[Any, Any], None] = lambda slide, box: None) -> str:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.text = "Title"
    change(slide, box)
    path = files.path("pptx")
    made.save(path)
    return path


def moved(slide: Any, box: Any) -> None:
    box.left = Inches(2)


def nudged(slide: Any, box: Any) -> None:
    box.left = Inches(1.001)


def _red() -> Any:
    colour: Any = RGBColor
    return colour(255, 0, 0)


def red(slide: Any, box: Any) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = _red()


def large(slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(40)


def struck(slide: Any, box: Any) -> None:
    box.text_frame.paragraphs[0].runs[0].font._element.set("strike", "sngStrike")


def noted(slide: Any, box: Any) -> None:
    slide.notes_slide.notes_text_frame.text = "say this"


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (moved, "shape"),
        (large, "font_size"),
        (red, "background_color"),
        (struck, "strike_through"),
        (noted, "note"),
    ],
)
def test_presentations_differ_only_in_what_is_looked_at(
    change: Callable[[Any, Any], None], part: str, files: Files
) -> None:
    compare, gold = find("compare_pptx_files"), slides(files)
    assert compare(slides(files, nudged), gold) == 1.0
    assert compare(slides(files, change), gold) == 0.0
    assert compare(slides(files, change), gold, **{f"examine_{part}": False}) == 1.0


def test_what_single_presentations_look_like_is_seen(files: Files) -> None:
    fill = find("evaluate_presentation_fill_to_rgb_distance")
    assert fill(slides(files, red), {"rgb": (255, 0, 0)}) == 1.0
    assert fill(slides(files, red), {"rgb": (0, 0, 0)}) == pytest.approx(1 - 1 / 3**0.5)
    first = {"slide_index_s": [0], "shape_index_s": [0], "paragraph_index_s": [0]}
    assert find("check_strikethrough")(slides(files, struck), first) == 1.0
    assert find("check_strikethrough")(slides(files), first) == 0.0
    with pytest.raises(NotImplementedError, match="examine_right_position"):
        find("compare_pptx_files")(slides(files), slides(files), examine_right_position=True)


@pytest.fixture
def picture() -> Image.Image:
    random = numpy.random.default_rng(1)
    small = random.integers(40, 200, (12, 16, 3), dtype=numpy.uint8)
    return Image.fromarray(small).resize((160, 120), Image.Resampling.BICUBIC)


def test_pictures_are_compared_by_structure_size_and_looks(
    picture: Image.Image, files: Files
) -> None:
    def saved(image: Image.Image) -> str:
        path = files.path("png")
        image.save(path)
        return path

    gold = saved(picture)
    darker = saved(ImageEnhance.Brightness(picture).enhance(0.6))
    stronger = saved(ImageEnhance.Contrast(picture).enhance(1.4))
    turned = saved(picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    blurred = saved(picture.filter(ImageFilter.GaussianBlur(4)))
    shifted = saved(ImageEnhance.Brightness(picture).enhance(1.02))
    assert find("check_structure_sim")(shifted, gold) == 1.0
    assert find("check_structure_sim")(turned, gold) == 0.0
    assert find("check_structure_sim_resized")(saved(picture.resize((80, 60))), gold) == 1.0
    assert find("check_image_mirror")(turned, gold) == 1.0
    assert find("check_image_mirror")(gold, gold) == 0.0
    assert find("check_brightness_decrease_and_structure_sim")(darker, gold) == 1.0
    assert find("check_brightness_decrease_and_structure_sim")(gold, darker) == 0.0
    assert find("check_contrast_increase_and_structure_sim")(stronger, gold) == 1.0
    assert find("check_contrast_increase_and_structure_sim")(gold, stronger) == 0.0
    assert find("check_sharper")(gold, blurred) == 1.0
    assert find("check_sharper")(blurred, gold) == 0.0
    assert find("compare_images")(gold, gold) == pytest.approx(1.0)
    assert find("compare_image_list")([gold, turned], [gold, turned]) == 1.0
    assert find("compare_image_list")([gold, turned], [turned, gold]) == 0.0
    assert find("check_image_size")(gold, {"width": 160, "height": 120}) == 1.0
    assert find("check_image_size")(gold, {"width": 161}) == 0.0
    assert find("check_image_file_size")(gold, {"max_size": 10}) == 0.0


def test_pdf_files_are_compared_by_their_text(files: Files) -> None:
    def pdf(*pages: str) -> str:
        path = files.path("pdf")
        canvas = Canvas(path)
        for page in pages:
            canvas.drawString(72, 720, page)
            canvas.showPage()
        canvas.save()
        return path

    assert find("check_pdf_pages")(pdf("a", "b"), {"relation": "eq", "ref_value": 2}) == 1.0
    assert find("check_pdf_pages")(pdf("a"), {"relation": "gt", "ref_value": 1}) == 0.0
    assert find("compare_pdfs")(pdf("abcd"), pdf("abcd")) == 1.0
    assert find("compare_pdfs")(pdf("abcd"), pdf("abxx")) == pytest.approx(0.5)
    assert find("compare_pdfs")([pdf("a"), None], [pdf("a"), pdf("b")]) == 0.5
