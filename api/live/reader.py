"""Reader: pages of course materials for the panel beside the chat.

By POST, as what is to be marked on a page has no place in an address.
"""

from contextlib import suppress
from functools import partial
from typing import Any

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from api.auth import SignInClaims
from api.body import read_body
from api.errors import FRESH, ApiError, api_error
from api.live.limits import PAGES, LiveLimits
from api.live.reader_page import open_label, reader_page
from api.live.sign_in import PageChecks, student_of
from api.workers import Workers
from services.errors import HomeroomError
from services.i18n import locale_scope
from services.identity.students import Student
from services.materials.marked_passage import LONGEST_GAP
from services.materials.material import Material
from services.materials.results import PagePicture
from services.wiring.container import ServiceContainer

DEADLINE_S = 60.0
WITHIN_S = 40.0
"""Seconds that a page which is not read in yet may take."""
THREADS = 8


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
        return await self._workers.run("reader", DEADLINE_S, partial(self._as_student, claims, asked, read))

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
