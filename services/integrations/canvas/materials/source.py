"""`CanvasMaterials`: a student's Canvas as a source of course materials."""

from collections.abc import Collection, Sequence
from html import escape

from services.errors import ItemNotFound, PermissionMissing
from services.i18n import gettext
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import read_courses
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.materials.addresses import text_links
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.download import FILE_LIMIT_BYTES, file_too_large
from services.integrations.canvas.materials.linked_content import fetch_link
from services.integrations.canvas.materials.listing_caches import ListingCaches
from services.integrations.canvas.materials.listings import list_course, module_items
from services.integrations.canvas.materials.locks import file_lock_reason, is_published, is_said, lock_reason
from services.integrations.canvas.materials.rights import readable_ids
from services.integrations.canvas.materials.rows import (
    CourseRows,
    MaterialId,
    html_of,
    is_quiz,
    mark,
    parse_course_key,
    parse_material_id,
)
from services.integrations.canvas.payloads import Json, number_of
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.source import MaterialContent, MaterialListing
from services.runtime.clock import Clock, utc_now
from services.safety.fetch import SafeFetch
from services.safety.field_log import field_log

_LISTING_S = 60.0
_RIGHTS_S = 15.0
_CONTENT_S = 90.0


class CanvasMaterials:
    """Materials of the courses of one student, with their own token. Each call has a deadline of its own.

    fetch: opens what is not at the student's own Canvas. caches: shared by the sources of all students.
    What is read here is logged apart: a tool tells little of it, and declares who may have written that.
    """

    def __init__(self, client: CanvasClient, fetch: SafeFetch, caches: ListingCaches, clock: Clock = utc_now) -> None:
        self._client, self._fetch, self._caches, self._clock = client, fetch, caches, clock

    def courses(self) -> Sequence[MaterialCourse]:
        client = self._fresh(_RIGHTS_S)
        with field_log():
            courses, _ = read_courses(client.courses(), client.origin)
        return [
            MaterialCourse(key=f"canvas-{course.id}", name=course.name, code=course.code, url=course.url)
            for course in courses
        ]

    def listing(self, course_key: str) -> MaterialListing:
        with field_log():
            course_id, client = parse_course_key(course_key), self._fresh(_LISTING_S)
            listed = list_course(client, course_id, self._clock(), self._caches.files)
        self._caches.texts.store(self._client.account, course_key, listed.texts)
        return listed.listing

    def readable(self, materials: Collection[Material]) -> frozenset[str]:
        with field_log():
            return readable_ids(self._fresh(_RIGHTS_S), materials, self._clock())

    def content(self, material: Material) -> MaterialContent:
        """Fetch a material; also raises `TooLarge`, and `RequestRefused` where something else came in its place."""
        with field_log():
            return self._content(material)

    def _fresh(self, total_s: float) -> MaterialsClient:
        return self._client.successor(MaterialsClient, total_s=total_s)

    def _content(self, material: Material) -> MaterialContent:
        id, client = parse_material_id(material.id), self._fresh(_CONTENT_S)
        if material.locked:
            raise PermissionMissing(LABEL, material.locked)
        match material.kind:
            case MaterialKind.FILE:
                return self._file(client, id, material)
            case MaterialKind.LINK:
                return fetch_link(self._link_address(client, id), self._fetch)
        html = self._text(client, id)
        return MaterialContent(name=f"{material.kind.value}.html", content=_document(material.title, html))

    def _file(self, client: MaterialsClient, id: MaterialId, material: Material) -> MaterialContent:
        if material.size > FILE_LIMIT_BYTES:
            raise file_too_large()
        row = client.file(id.course_id, _number(id))
        if row.get("id") not in (_number(id), id.number):
            # The number of a replaced file leads to the new one, which the listing has as another material.
            raise _gone()
        _require_open(row, file_lock_reason(row, self._clock()))
        if (number_of(row.get("size")) or 0) > FILE_LIMIT_BYTES:
            raise file_too_large()
        now = CourseRows(id.course_id, client.origin, self._clock()).file(row)
        return MaterialContent(name=now.name, content=client.download(str(row["url"]), self._fetch).content)

    def _link_address(self, client: MaterialsClient, id: MaterialId) -> str:
        """The address of a link, as its module or its text has it now."""
        if id.text_id:
            html = self._text(client, parse_material_id(id.text_id))
            found = (link.address for link in text_links(html) if mark(link.address) == id.number.partition("x")[2])
            if address := next(found, ""):
                return address
            raise _gone()
        for item in module_items(client.course_modules(id.course_id), self._clock()):
            if str(item.row.get("id")) == id.number:
                _require_open(item.row, item.closed)
                return str(item.row.get("external_url") or "")
        raise _gone()

    def _text(self, client: MaterialsClient, id: MaterialId) -> str:
        """The HTML of a text, as it came with the last listing or as it is now."""
        listed = self._caches.texts.get(client.account, f"canvas-{id.course_id}.{id.kind}-{id.number}")
        if listed is not None:
            return listed
        row = _text_row(client, id)
        _require_open(row, lock_reason(row, self._clock()))
        if is_said(row.get("hide_from_students")) or (id.kind == "assignment" and is_quiz(row)):
            raise _gone()
        return html_of(row)


def _text_row(client: MaterialsClient, id: MaterialId) -> Json:
    match id.kind:
        case "page":
            return client.page(id.course_id, f"page_id:{_number(id)}")
        case "assignment":
            return client.assignment_text(id.course_id, _number(id))
        case "announcement" | "discussion":
            return client.topic(id.course_id, _number(id))
        case "syllabus":
            return client.course_text(id.course_id)
    raise _gone()


def _number(id: MaterialId) -> int:
    if not id.number.isdecimal():
        raise _gone()
    return int(id.number)


def _require_open(row: Json, locked: str) -> None:
    if locked:
        raise PermissionMissing(LABEL, locked)
    if not is_published(row):
        raise _gone()


def _gone() -> ItemNotFound:
    return ItemNotFound(LABEL, gettext("This is not in the course any more."))


def _document(title: str, html: str) -> bytes:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    page = f"<!DOCTYPE html><html><head>{head}</head><body><h1>{escape(title)}</h1>\n{html}\n</body></html>"
    return page.encode(errors="replace")
