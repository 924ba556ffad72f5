"""PDFs by page: reading order, tables, hyphens, running lines, printed numbers, scans and broken text layers."""

import pytest

from services.files.documents.document import DocumentPage
from tests.document_samples import BLACK_PIXEL, drawn_pdf, words_at
from tests.services.files.documents.reading import pages_of, text_of

LONG = ("Water moves through the membrane", "from where there is more of it", "to where there is less of it")


def lines_at(*lines: str, extra: str = "") -> str:
    return "".join(words_at(72, 700 - 14 * at, line, extra=extra) for at, line in enumerate(lines))


def only_page(commands: str, **options: object) -> DocumentPage:
    (page,) = pages_of(drawn_pdf(commands, **options))  # type: ignore[arg-type]
    return page


def test_lines_of_a_paragraph_are_joined_and_a_cut_word_is_put_together() -> None:
    lines = (
        "Osmosis is the movement of water through a semi-",
        "permeable membrane, as the cells of an onion",
        "show.",
    )
    text = only_page("".join(words_at(72, 700 - 14 * at, line) for at, line in enumerate(lines))).text

    assert text.replace("semi-permeable", "semipermeable") == (
        "Osmosis is the movement of water through a semipermeable membrane, as the cells of an onion show."
    )


def test_two_columns_that_the_file_writes_line_by_line_are_read_one_after_the_other() -> None:
    rows = [
        words_at(72, 700 - 14 * at, f"Left column, line number {at} here")
        + words_at(330, 700 - 14 * at, f"Right column, line number {at} there")
        for at in range(8)
    ]
    text = only_page("".join(rows)).text

    assert text.index("Left column, line number 7") < text.index("Right column, line number 0")


def test_text_in_an_order_that_jumps_over_the_page_is_read_from_top_to_bottom() -> None:
    order = (5, 2, 7, 0, 4, 1, 6, 3)
    text = only_page("".join(words_at(72, 700 - 40 * at, f"Step {at} of the recipe") for at in order)).text

    assert [int(line.split()[1]) for line in text.splitlines() if line] == list(range(8))


def test_a_row_of_a_table_is_a_line_with_its_cells_parted() -> None:
    cells = (("Phase", "Cells", "Share"), ("Prophase", "12", "20 %"), ("Anaphase", "3", "5 %"))
    drawn = (
        words_at(72 + 150 * across, 700 - 20 * down, cell)
        for down, row in enumerate(cells)
        for across, cell in enumerate(row)
    )

    assert only_page("".join(drawn)).text.splitlines() == ["\t".join(row) for row in cells]


def test_what_every_page_repeats_is_left_out_and_the_printed_number_becomes_the_label() -> None:
    pages = [
        words_at(72, 770, "BIO 201 Reader")
        + words_at(300, 20, str(number))
        + words_at(72, 500, f"Chapter text {number}, of its own")
        for number in range(41, 49)
    ]
    found = pages_of(drawn_pdf(*pages))

    assert [page.text for page in found] == [f"Chapter text {number}, of its own" for number in range(41, 49)]
    assert [page.label for page in found] == [str(number) for number in range(41, 49)]


def test_the_labels_that_the_file_gives_its_pages_are_told() -> None:
    labels = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 1 >>] >>"
    found = pages_of(drawn_pdf(*[words_at(72, 500, f"Words of page {n}") for n in range(4)], catalog=labels))

    assert [page.label for page in found] == ["i", "ii", "1", "2"]


def test_the_title_of_a_slide_is_its_label() -> None:
    commands = (
        words_at(60, 480, "Photosynthesis", 36)
        + words_at(60, 400, "Light reactions", 18)
        + words_at(60, 370, "Calvin cycle", 18)
    )

    assert only_page(commands, size=(960, 540)).label == "Photosynthesis"


def test_a_page_that_is_turned_is_read_as_it_is_shown() -> None:
    turned = "".join(f"BT /F1 14 Tf 0 1 -1 0 {100 + 60 * at} 80 Tm (Line {at} of the slide) Tj ET\n" for at in range(4))
    page = only_page(turned, page_entries="/Rotate 90")

    assert [line for line in page.text.splitlines() if line] == [f"Line {at} of the slide" for at in range(4)]


@pytest.mark.parametrize(
    ("commands", "is_blank"),
    [
        (BLACK_PIXEL.format(w=612, h=792), True),
        (BLACK_PIXEL.format(w=612, h=792) + words_at(72, 20, "Scanned by the library"), True),
        (words_at(72, 400, "Part II"), False),
        (lines_at(*LONG), False),
        ("", False),
    ],
    ids=["scan", "scan with a stamp", "a few words", "text", "nothing"],
)
def test_a_page_of_which_only_the_picture_tells_is_blank(commands: str, is_blank: bool) -> None:
    assert only_page(commands).is_blank is is_blank


def test_a_scan_with_recognised_letters_laid_over_it_is_read() -> None:
    page = only_page(BLACK_PIXEL.format(w=612, h=792) + lines_at(*LONG, extra="3 Tr"))

    assert (page.text.split(), page.is_blank, page.has_hidden_text) == (" ".join(LONG).split(), False, False)


def test_a_text_layer_that_is_no_language_counts_as_none() -> None:
    page = only_page(lines_at(*["Zdwxr pryhv wkrxjk wkh phpzdqh zkhrx wkhr lv pxrh ri lw wkdq hovhz"] * 6))

    assert (page.is_blank, page.text) == (True, "")


def test_what_stands_raised_is_told_as_an_exponent() -> None:
    power = "BT /F1 12 Tf 72 700 Td (dx/x) Tj /F1 8 Tf 5 Ts (3/2) Tj /F1 12 Tf 0 Ts (. Write H) Tj (2O) Tj ET"

    assert only_page(power).text == "dx/x^(3/2). Write H2O"


def test_pages_beyond_the_limit_are_counted_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.files.documents.pdf.pages.MOST_DOCUMENT_PAGES", 3)

    assert text_of(drawn_pdf(*[words_at(72, 500, f"Page {n}") for n in range(5)])).split("\n") == [
        "Page 0",
        "Page 1",
        "Page 2",
    ]
