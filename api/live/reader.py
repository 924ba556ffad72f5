"""Reader: pages of course materials for the panel beside the chat, with their facts and their text in blocks.

By POST, as what is to be marked on a page has no place in an address.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from api.auth import SignInClaims
from api.body import read_body
from api.errors import FRESH, ApiError, api_error
from api.live.page_checks import PageChecks, student_of
from api.live.rate_limits import PAGES, LiveLimits
from api.workers import Workers
from services.errors import HomeroomError
from services.i18n import formats, gettext, gettext_noop, locale_scope
from services.identity.students import Student
from services.materials.marked_passage import LONGEST_GAP, letters_of, marked_range
from services.materials.material import Material, MaterialKind, MaterialPage, PageUnit
from services.materials.page_blocks import text_blocks
from services.materials.results import MaterialPages, PagePicture
from services.safety.text import one_line
from services.wiring.container import ServiceContainer

DEADLINE_S = 60.0
WITHIN_S = 40.0
"""Seconds that a page which is not read in yet may take."""
THREADS = 8
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


class PageRequest(BaseModel):
    """Body of both routes. material: its id. passage: words to mark, "" for none; for a page shortened ones will do."""

    material: str = Field(min_length=1, max_length=300)
    page: int = Field(ge=1, le=100_000)
    passage: str = Field(default="", max_length=2 * LONGEST_GAP)


class MaterialReader:
    def __init__(self, services: ServiceContainer, limits: LiveLimits, checks: PageChecks) -> None:
        self._services, self._limits, self._checks = services, limits, checks
        self._workers = Workers(size=THREADS)

    async def page(self, request: Request) -> ASGIApp:
        """Text and facts of a page, as JSON."""
        return JSONResponse(await self._run(request, self._page), headers=FRESH)

    async def picture(self, request: Request) -> ASGIApp:
        """Picture of a page; where its mark stands goes along as a header, from 0 at the top to 1."""
        picture: PagePicture = await self._run(request, self._picture)
        top = {} if picture.mark_top is None else {"x-mark-top": f"{picture.mark_top:.4f}"}
        return Response(picture.content, media_type=picture.media_type, headers={**FRESH, **top})

    async def _run(self, request: Request, read: Any) -> Any:
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, PAGES)
        asked = await read_body(request, PageRequest)
        return await self._workers.run(
            "reader", DEADLINE_S, partial(self._as_student, claims, asked, read), lane=claims.lane
        )

    def _as_student(self, claims: SignInClaims, asked: PageRequest, read: Any) -> Any:
        student = student_of(self._services.students, claims)
        with locale_scope(student.locale):
            return read(student, asked)

    def _page(self, student: Student, asked: PageRequest) -> Any:
        try:
            found = self._services.materials.pages(student, asked.material, [asked.page], within_s=WITHIN_S)
        except HomeroomError as error:
            raise self._with_original(api_error(error), student, asked) from error
        return reader_page(found, asked.page, asked.passage, student, course=self._course(student, found.material))

    def _with_original(self, error: ApiError, student: Student, asked: PageRequest) -> ApiError:
        """The error with what is known of the material all the same: its title, and the way to the original."""
        with suppress(HomeroomError):
            material = self._services.materials.material(student, asked.material)
            error.details |= {"title": material.title, "url": material.url, "url_label": open_label(material)}
        return error

    def _picture(self, student: Student, asked: PageRequest) -> PagePicture:
        return self._services.materials.page_picture(student, asked.material, asked.page, asked.passage)

    def _course(self, student: Student, material: Material) -> str:
        listed = self._services.materials.courses(student, live=False).courses
        return next((status.course.name for status in listed if status.course.key == material.course_key), "")


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
