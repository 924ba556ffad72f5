"""Page of a course material as the reader shows it: its facts in the student's language, and its text in blocks."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.materials.marked_passage import letters_of, marked_range
from services.materials.material import Material, MaterialKind, MaterialPage, PageUnit
from services.materials.page_blocks import text_blocks
from services.materials.results import MaterialPages
from services.safety.text import one_line

UNIT_NAMES = {
    PageUnit.PAGE: gettext_noop("Page"),
    PageUnit.SLIDE: gettext_noop("Slide"),
    PageUnit.SECTION: gettext_noop("Section"),
}
PLACES = {
    PageUnit.PAGE: gettext_noop("“{title}”, page {n}"),
    PageUnit.SLIDE: gettext_noop("“{title}”, slide {n}"),
    PageUnit.SECTION: gettext_noop("“{title}”, section {n}"),
}
LONGEST_TITLE = 120


def reader_page(found: MaterialPages, number: int, passage: str, student: Student, *, course: str) -> Mapping[str, Any]:
    """The page as JSON. number: the one that was asked for; where there is no such page, `page` is None.

    passage: words to mark, as `services.llm.citations.shorten_quote` shortens them. course: name of the course.
    """
    material = found.material
    page = next((page for page in found.pages if page.number == number), None)
    return {
        "title": material.title,
        "course": course,
        "module": material.module,
        "dated": _day(material, student),
        "url": material.url,
        "url_label": open_label(material),
        "unit": gettext(UNIT_NAMES[found.unit]),
        "is_slide": found.unit is PageUnit.SLIDE,
        "count": found.count,
        "has_pictures": found.has_pictures,
        "is_live": found.is_live,
        "as_of": formats.moment(found.as_of.astimezone(ZoneInfo(student.timezone)), ZoneInfo(student.timezone)),
        "notes": list(found.notes),
        "place": _place(found, number),
        "page": None if page is None else _page(page, passage, is_wrapped=found.unit is PageUnit.SECTION),
    }


def _page(page: MaterialPage, passage: str, *, is_wrapped: bool) -> Mapping[str, Any]:
    marked = marked_range(page.text, passage)
    return {
        "number": page.number,
        # In full, for the page's picture.
        "passage": page.text[slice(*marked)] or passage,
        # Most texts begin with their own heading.
        "label": "" if letters_of(page.text).startswith(letters_of(page.label)) else page.label,
        "blocks": list(text_blocks(page.text, marked, is_wrapped=is_wrapped)),
        "speaker_notes": list(text_blocks(page.notes, marked_range(page.notes, passage))),
        "is_blank": page.is_blank,
    }


def _place(found: MaterialPages, number: int) -> str:
    """The page in the middle of a sentence; of a material with one page its title says it all."""
    title = one_line(found.material.title, LONGEST_TITLE)
    if found.count < 2:
        return gettext("“{title}”", title=title)
    return gettext(PLACES[found.unit], title=title, n=number)


def _day(material: Material, student: Student) -> str:
    if material.dated_at is None:
        return ""
    return formats.pattern(material.dated_at.astimezone(ZoneInfo(student.timezone)).date(), "d MMM y")


def open_label(material: Material) -> str:
    """Words for the link to the original; "" for none."""
    if material.kind is MaterialKind.UPLOAD or not material.url:
        return ""
    return gettext("Open the link") if material.kind is MaterialKind.LINK else gettext("Open in Canvas")
