"""Listing of a course's materials, in the order of its modules, from one pass over its lists in Canvas."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import quote

from services.errors import ItemNotFound, PermissionMissing, RequestRefused, ServiceError, ServiceUnavailable
from services.i18n import gettext, ngettext
from services.integrations.canvas.errors import ScopeMissing
from services.integrations.canvas.materials.addresses import CanvasTarget, canvas_target, linked_addresses
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.locks import is_published, is_said, lock_reason, module_lock_reason
from services.integrations.canvas.materials.rows import TEXT_FIELDS, CourseRows, html_of, is_quiz
from services.integrations.canvas.payloads import Json, Row, is_id, object_of, objects_of, safe_line
from services.materials.material import Material, MaterialKind
from services.materials.source import MaterialListing

MOST_SINGLE_FILES = 400
"""Files that are asked for one by one, where a list of them is hidden."""
_MOST_UNTOLD = 3
_LISTS = ("modules", "files", "folders", "pages", "assignments", "topics", "announcements")


@dataclass(frozen=True, kw_only=True)
class CourseLists:
    """Rows of a course's lists by name; a list that this account may not see is missing, with the refusal."""

    course: Json
    rows: dict[str, list[Json]]
    refusals: dict[str, ServiceError]


@dataclass(frozen=True, kw_only=True)
class CourseListing:
    """Listing of a course, and the texts that came with it by material id, as HTML."""

    listing: MaterialListing
    texts: dict[str, str] = field(repr=False)


def read_lists(client: MaterialsClient, course_id: int) -> CourseLists:
    """Read all lists of a course, a few at once.

    Raises the refusal of the course itself, and `ServiceUnavailable` when any list fails for the moment: half a listing
    would pass for one from which the rest was taken away.
    """
    course = client.course_text(course_id)
    readers: dict[str, Callable[[], list[Json]]] = {
        "modules": lambda: client.course_modules(course_id),
        "files": lambda: client.files(course_id),
        "folders": lambda: client.folders(course_id),
        "pages": lambda: client.pages(course_id),
        "assignments": lambda: client.assignment_texts(course_id),
        "topics": lambda: client.topics(course_id),
        "announcements": lambda: client.topics(course_id, are_announcements=True),
    }
    answers = dict(zip(_LISTS, client.map_each(_LISTS, lambda name: _rows_or_refusal(readers[name])), strict=True))
    return CourseLists(
        course=course,
        rows={name: rows for name, rows in answers.items() if isinstance(rows, list)},
        refusals={name: refusal for name, refusal in answers.items() if isinstance(refusal, ServiceError)},
    )


def _rows_or_refusal(read: Callable[[], list[Json]]) -> list[Json] | ServiceError:
    try:
        return read()
    except (PermissionMissing, ItemNotFound, RequestRefused) as refusal:
        return refusal


def list_course(client: MaterialsClient, course_id: int, now: datetime) -> CourseListing:
    """List a course's materials; raises as `read_lists` does."""
    builder = _Builder(client, read_lists(client, course_id), CourseRows(course_id, client.origin, now))
    return builder.build()


@dataclass
class _Placed:
    """Where modules show a material. reasons: of each place why it is closed, "" where it is open."""

    module: str
    reasons: list[str] = field(default_factory=list)


class _Builder:
    """Builder of one course's listing: collects materials by id, then puts them in the order of the modules."""

    def __init__(self, client: MaterialsClient, lists: CourseLists, rows: CourseRows) -> None:
        self._client, self._lists, self._rows = client, lists, rows
        self._found: dict[str, Material] = {}
        self._texts: dict[str, str] = {}
        self._slugs: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._placed: dict[str, _Placed] = {}
        self._broken = 0

    def build(self) -> CourseListing:
        self._read_rows()
        self._read_single_pages()
        self._place_module_items()
        self._place_linked_files()
        self._read_single_files()
        materials = [self._in_place(id, at) for at, id in enumerate(self._order())]
        texts = {m.id: self._texts[m.id] for m in materials if not m.locked and m.id in self._texts}
        return CourseListing(listing=MaterialListing(materials=materials, notes=self._notes()), texts=texts)

    def _read_rows(self) -> None:
        syllabus = self._rows.syllabus(self._lists.course, gettext("Syllabus"))
        if syllabus:
            self._keep(syllabus, self._lists.course)
        folders = self._lists.rows.get("folders", [])
        names = {str(row.get("id")): safe_line(row.get("full_name")).partition("/")[2] for row in folders}
        for row in self._published("files"):
            if material := self._parsed(row, self._rows.file):
                self._folders[material.id] = names.get(str(row.get("folder_id")), "")
        for row in self._published("pages"):
            self._page(row)
        for row in self._published("assignments"):
            self._parsed(row, self._rows.assignment)
        teachers = {str(teacher.get("id")) for teacher in objects_of(self._lists.course.get("teachers"))}
        for row in [*self._published("topics"), *self._published("announcements")]:
            if _is_of_school(row, teachers):
                self._parsed(row, self._rows.topic)

    def _published(self, name: str) -> list[Json]:
        return [row for row in self._lists.rows.get(name, []) if is_published(row)]

    def _parsed(self, row: Json, read: Callable[[Row], Material | None]) -> Material | None:
        try:
            material = read(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            self._broken += 1
            return None
        if material and (material.locked or material.kind in _WITHOUT_TEXT or html_of(row, *TEXT_FIELDS).strip()):
            self._keep(material, row)
        return material

    def _keep(self, material: Material, row: Row) -> None:
        self._found.setdefault(material.id, material)
        if text := html_of(row, *TEXT_FIELDS):
            self._texts.setdefault(material.id, text)

    def _page(self, row: Json) -> None:
        if is_said(row.get("hide_from_students")):
            return
        if material := self._parsed(row, self._rows.page):
            self._slugs[str(row.get("url"))] = material.id

    def _modules(self) -> Iterable[tuple[Json, str]]:
        for module in self._lists.rows.get("modules", []):
            if is_published(module):
                yield module, module_lock_reason(module, self._rows.now)

    def _items(self) -> Iterable[tuple[Json, str, str]]:
        """List the published items with the name of their module and why they are closed there."""
        for module, closed in self._modules():
            for item in objects_of(module.get("items")):
                if is_published(item):
                    reason = lock_reason(object_of(item.get("content_details")), self._rows.now)
                    yield item, safe_line(module.get("name")), reason or closed

    def _read_single_pages(self) -> None:
        """Read pages of modules that no list told, because the course hides its list of pages."""
        wanted = [
            str(item["page_url"])
            for item, _, closed in self._items()
            if item.get("type") == "Page" and item.get("page_url") and not closed
        ]
        unknown = [slug for slug in dict.fromkeys(wanted) if slug not in self._slugs][:MOST_SINGLE_FILES]
        read = lambda slug: self._client.page(self._rows.course_id, quote(slug, safe=""))  # noqa: E731
        for slug, row in zip(unknown, self._each(unknown, read), strict=True):
            if isinstance(row, dict) and is_published(row):
                self._page({**row, "url": row.get("url") or slug})

    def _each(self, items: Sequence[str], read: Callable[[str], Json]) -> list[Json | ServiceError]:
        """Read single things; a few may fail for the moment, but more of it means that Canvas is away."""

        def attempt(item: str) -> Json | ServiceError:
            try:
                return read(item)
            except (PermissionMissing, ItemNotFound, RequestRefused, ServiceUnavailable) as problem:
                return problem

        answers = self._client.map_each(items, attempt)
        failures = [answer for answer in answers if isinstance(answer, ServiceUnavailable)]
        if len(failures) > _MOST_UNTOLD or (failures and len(failures) == len(items)):
            raise failures[0]
        return answers

    def _place_module_items(self) -> None:
        for item, module, closed in self._items():
            try:
                id = self._item_id(item, closed)
            except (KeyError, TypeError, ValueError, AttributeError):
                self._broken += 1
                continue
            if id:
                self._placed.setdefault(id, _Placed(module)).reasons.append(closed)

    def _item_id(self, item: Json, closed: str) -> str:
        """Id of the material that an item of a module shows, "" for none."""
        match item.get("type"):
            case "File" if is_id(item.get("content_id")):
                return self._file_id(item, str(int(item["content_id"])), closed)
            case "Page":
                return self._page_id(item, closed)
            case "Assignment" if is_id(item.get("content_id")):
                return self._known(self._rows.id("assignment", int(item["content_id"])))
            case "Discussion" if is_id(item.get("content_id")):
                return self._topic_id(int(item["content_id"]))
            case "ExternalUrl":
                return self._link_id(item, closed)
        return ""

    def _known(self, id: str) -> str:
        return id if id in self._found else ""

    def _topic_id(self, number: int | str) -> str:
        kinds = (MaterialKind.DISCUSSION, MaterialKind.ANNOUNCEMENT)
        return next((id for kind in kinds if (id := self._known(self._rows.id(kind.value, number)))), "")

    def _file_id(self, item: Json, number: str, closed: str) -> str:
        id = self._rows.id("file", number)
        if closed and id not in self._found:
            self._found[id] = self._rows.locked_item(item, id, MaterialKind.FILE, closed)
        return id

    def _page_id(self, item: Json, closed: str) -> str:
        known = self._slugs.get(str(item.get("page_url")), "")
        if known or not closed:
            return known
        id = self._rows.id("page", f"item{int(item['id'])}")
        self._found[id] = self._rows.locked_item(item, id, MaterialKind.PAGE, closed)
        return id

    def _link_id(self, item: Json, closed: str) -> str:
        address = str(item.get("external_url") or "").strip()
        if target := canvas_target(address, self._client.origin):
            return self._target_id(target, item, closed)
        if not address.lower().startswith(("http://", "https://")):
            return ""
        link = self._rows.link(item, str(int(item["id"])), address)
        self._found[link.id] = link
        return link.id

    def _target_id(self, target: CanvasTarget, item: Json, closed: str) -> str:
        """Id of the thing of this course that an address leads to, "" for those of another course."""
        if target.course_id not in (None, self._rows.course_id):
            return ""
        match target.kind:
            case "file":
                return self._file_id(item, target.id, closed)
            case "page":
                return self._slugs.get(target.id, "")
            case "assignment":
                return self._known(self._rows.id("assignment", target.id))
        return self._topic_id(target.id)

    def _place_linked_files(self) -> None:
        """Place files behind the text that leads to them, where no module shows them."""
        for id in (*self._placed, *(id for id in self._texts if id not in self._placed)):
            material = self._found.get(id)
            if material is None or self._reason(id):
                continue
            for address in linked_addresses(self._texts.get(id, "")):
                target = canvas_target(address, self._client.origin)
                if target and target.kind == "file" and target.course_id in (None, self._rows.course_id):
                    linked = self._rows.id("file", target.id)
                    module = self._placed[id].module if id in self._placed else ""
                    self._linked.setdefault(linked, (id, module))

    def _reason(self, id: str) -> str:
        material, placed = self._found.get(id), self._placed.get(id)
        closed = placed.reasons[0] if placed and all(placed.reasons) and placed.reasons else ""
        return (material.locked if material else "") or closed
