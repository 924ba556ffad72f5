"""`Catalogue`: the materials of a course by id, as its lists tell of them, before they are put in an order."""

from collections.abc import Callable, Iterator

from services.i18n import gettext
from services.integrations.canvas.materials.addresses import canvas_target, is_document_address, text_links
from services.integrations.canvas.materials.course_lists import CourseLists
from services.integrations.canvas.materials.locks import is_said
from services.integrations.canvas.materials.rows import LINKING_KINDS, CourseRows, html_of
from services.integrations.canvas.payloads import Json, Row, is_id, object_of, objects_of, safe_line
from services.materials.material import Material, MaterialKind

_TOPICS = (MaterialKind.DISCUSSION, MaterialKind.ANNOUNCEMENT)


class Catalogue:
    """Materials of one course. texts: HTML of those that have one of their own, by id. folders: by id of a file.
    attached: ids of files in the order in which a text brings them, by its id. broken: rows that could not be read.
    """

    def __init__(self, rows: CourseRows, lists: CourseLists) -> None:
        self.rows = rows
        self.materials: dict[str, Material] = {}
        self.texts: dict[str, str] = {}
        self.folders: dict[str, str] = {}
        self.attached: dict[str, list[str]] = {}
        self.broken = 0
        self._pages: dict[str, str] = {}
        self._read_lists(lists)

    def _read_lists(self, lists: CourseLists) -> None:
        if syllabus := self.rows.syllabus(lists.course, gettext("Syllabus")):
            self.add(syllabus, lists.course)
        folders = {str(row.get("id")): safe_line(row.get("full_name")) for row in lists.rows.get("folders", [])}
        for row in lists.published("files"):
            self.add_file(row, folders.get(str(row.get("folder_id")), "").partition("/")[2])
        for row in lists.published("pages"):
            self.add_page(row)
        for row in lists.published("assignments"):
            self._parse(row, self.rows.assignment)
        teachers = {str(teacher.get("id")) for teacher in objects_of(lists.course.get("teachers"))}
        prompts = [row for row in lists.published("topics") if is_of_school(row, teachers)]
        # Only who teaches announces.
        for row in [*prompts, *lists.published("announcements")]:
            topic = self._parse(row, self.rows.topic)
            if topic is None or not topic.locked:
                files = [int(file["id"]) for file in objects_of(row.get("attachments")) if is_id(file.get("id"))]
                ids = [self.rows.id("file", number) for number in files if number < 10**20]
                # One without a word of its own is no material, and what it brings is one all the same.
                self.attached.setdefault(topic.id if topic else "", []).extend(ids)

    def add(self, material: Material, row: Row) -> None:
        self.materials.setdefault(material.id, material)
        if not material.locked and material.kind in LINKING_KINDS.values() and (text := html_of(row)):
            self.texts.setdefault(material.id, text)

    def add_file(self, row: Json, folder: str = "") -> None:
        if material := self._parse(row, self.rows.file):
            self.folders[material.id] = folder

    def add_page(self, row: Json, slug: str = "") -> None:
        """Add a page under its url, and under `slug` where it was asked for by that."""
        if is_said(row.get("hide_from_students")):
            return
        if material := self._parse(row, self.rows.page):
            self._pages.update(dict.fromkeys((str(row.get("url")), slug), material.id))

    def page_id(self, slug: str) -> str:
        """Id of a page by its url, "" for none."""
        return self._pages.get(slug, "") if slug else ""

    def topic_id(self, number: int | str) -> str:
        """Id of a discussion or an announcement, "" for none."""
        ids = (self.rows.id(kind.value, number) for kind in _TOPICS)
        return next((id for id in ids if id in self.materials), "")

    def linked_id(self, address: str) -> str:
        """Id of what an address of this Canvas leads to in this course, which may be a file that is not listed; "" for
        everything else.
        """
        target = canvas_target(address, self.rows.origin)
        if target is None or target.course_id not in (None, self.rows.course_id):
            return ""
        match target.kind:
            case "page":
                return self.page_id(target.id)
            case "topic":
                return self.topic_id(target.id)
        id = self.rows.id(target.kind, target.id)
        return id if target.kind == "file" or id in self.materials else ""

    def linked_from(self, id: str) -> Iterator[str]:
        """Ids of the files and public documents that a text brings or leads to."""
        yield from self.attached.get(id, ())
        for link in text_links(self.texts.get(id, "")):
            if is_document_address(link.address):
                material = self.rows.text_link(self.materials[id], link)
                self.materials.setdefault(material.id, material)
                yield material.id
            elif ".file-" in (target := self.linked_id(link.address)):
                yield target

    def _parse(self, row: Json, read: Callable[[Row], Material | None]) -> Material | None:
        try:
            material = read(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.broken += 1
            return None
        if material:
            self.add(material, row)
        return material


def is_of_school(topic: Row, teachers: set[str]) -> bool:
    """Check that a topic is the course's own: what classmates began is theirs, and names them."""
    author = object_of(topic.get("author")).get("id")
    return author is None or str(author) in teachers or is_id(topic.get("assignment_id"))
