"""Rows of Canvas's lists as materials: one function for each kind."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from mimetypes import guess_extension
from typing import Any
from urllib.parse import quote, unquote_plus, urljoin, urlsplit

from services.errors import ItemNotFound
from services.i18n import gettext
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.materials.addresses import TextLink
from services.integrations.canvas.materials.locks import file_lock_reason, is_said, lock_reason
from services.integrations.canvas.payloads import Row, canvas_link, id_of, number_of, object_of, read_time, safe_line
from services.materials.material import Material, MaterialKind
from services.safety.text import one_line

_COURSE_KEY = re.compile(r"canvas-(\d{1,20})", re.ASCII)
_ID = re.compile(r"canvas-(\d{1,20})\.([a-z]{1,20})-([a-z0-9]{1,50})", re.ASCII)
_LONGEST_TITLE = 200
_TEXT_LINK = re.compile(r"([padns])(\d{1,20})x[0-9a-f]{20}", re.ASCII)
_MOST_BYTES = 2**50
_TEXTS = ("body", "description", "message", "syllabus_body")
_PER_READER = re.compile(
    r"(?:[?&]|&amp;)(?:verifier|sf_verifier|download_frd|wrap|token|expires|signature)=[^&\"'<>\s]*"
)
"""Parts of addresses in a text that Canvas writes anew for each reader or day."""


LINKING_KINDS = {
    "p": MaterialKind.PAGE,
    "a": MaterialKind.ASSIGNMENT,
    "d": MaterialKind.DISCUSSION,
    "n": MaterialKind.ANNOUNCEMENT,
    "s": MaterialKind.SYLLABUS,
}
"""Kinds of texts by the letter with which the ids of links in them begin."""


@dataclass(frozen=True, kw_only=True)
class MaterialId:
    """Id of a material taken apart, such as "canvas-101.file-7". number: of the thing in Canvas, as text."""

    course_id: int
    kind: str
    number: str

    @property
    def text_id(self) -> str:
        """Id of the text in which this link stands, such as "canvas-101.page-3" of "canvas-101.link-p3x…"; else ""."""
        found = _TEXT_LINK.fullmatch(self.number) if self.kind == "link" else None
        return f"canvas-{self.course_id}.{LINKING_KINDS[found[1]].value}-{found[2]}" if found else ""


def number_of_id(value: Any) -> int:
    """Return an id of Canvas, at most 20 digits; raises `ValueError` for anything else."""
    number = id_of(value)
    if not 0 < number < 10**20:
        raise ValueError("not an id")
    return number


def parse_course_key(key: str) -> int:
    """Read the course id of a key such as "canvas-101"; raises `ItemNotFound` for any other."""
    if found := _COURSE_KEY.fullmatch(key):
        return int(found[1])
    raise _unknown()


def parse_material_id(id: str) -> MaterialId:
    """Take the id of a material apart; raises `ItemNotFound` for one that is none of Canvas."""
    if found := _ID.fullmatch(id):
        return MaterialId(course_id=int(found[1]), kind=found[2], number=found[3])
    raise _unknown()


def _unknown() -> ItemNotFound:
    return ItemNotFound(LABEL, gettext("Canvas has nothing there."), next_step=gettext("Check the name or the id."))


class CourseRows:
    """Parser of one course's rows. now: when they were listed; origin: of the student's Canvas."""

    def __init__(self, course_id: int, origin: str, now: datetime) -> None:
        self.course_id = course_id
        self.origin = origin
        self.now = now
        self.key = f"canvas-{course_id}"
        self.web = f"{origin}/courses/{course_id}"

    def id(self, kind: str, number: int | str) -> str:
        return f"{self.key}.{kind}-{number}"

    def file(self, row: Row) -> Material:
        """Read a file: https://developerdocs.instructure.com/services/canvas/resources/files#file"""
        number = number_of_id(row.get("id"))
        title, name = _file_names(row)
        changed_at, _ = read_time(row.get("modified_at") or row.get("updated_at") or row.get("created_at"))
        opened_at, _ = read_time(row.get("unlock_at"))
        size = number_of(row.get("size")) or 0
        return Material(
            id=self.id("file", number),
            course_key=self.key,
            kind=MaterialKind.FILE,
            title=title,
            name=name,
            url=f"{self.web}/files/{number}",
            version=mark(*(row.get(field) for field in ("uuid", "updated_at", "modified_at", "size"))),
            size=int(size) if 0 <= size < _MOST_BYTES else 0,
            # What opens by a date was uploaded long before anybody saw it.
            dated_at=max((at for at in (changed_at, opened_at) if at and at <= self.now), default=changed_at),
            locked=file_lock_reason(row, self.now),
        )

    def page(self, row: Row) -> Material:
        """Read a page: https://developerdocs.instructure.com/services/canvas/resources/pages#page"""
        number, slug = number_of_id(row.get("page_id")), str(row.get("url") or "")
        text = html_of(row, "body")
        return self._text(
            row,
            id=self.id("page", number),
            kind=MaterialKind.PAGE,
            url=f"{self.web}/pages/{slug_path(slug)}" if slug else f"{self.web}/pages",
            version=mark(row.get("updated_at"), "" if row.get("updated_at") else text),
            changed=row.get("updated_at") or row.get("created_at"),
        )

    def assignment(self, row: Row) -> Material | None:
        """Read an assignment; None for a quiz, for what its own page or topic tells, and for one without a text."""
        if is_quiz(row) or _submission_types(row) & {"discussion_topic", "wiki_page"}:
            return None
        number = number_of_id(row.get("id"))
        if not html_of(row, "description").strip() and not lock_reason(row, self.now):
            return None
        return self._text(
            row,
            id=self.id("assignment", number),
            kind=MaterialKind.ASSIGNMENT,
            url=canvas_link(row.get("html_url"), self.origin),
            version=mark(row.get("name"), html_of(row, "description")),
            changed=row.get("updated_at") or row.get("created_at"),
        )

    def topic(self, row: Row) -> Material | None:
        """Read an announcement or a discussion's prompt, without what others answered; None for one without a text."""
        if not html_of(row, "message").strip() and not lock_reason(row, self.now):
            return None
        is_news = bool(row.get("is_announcement")) or "context_code" in row
        kind = MaterialKind.ANNOUNCEMENT if is_news else MaterialKind.DISCUSSION
        return self._text(
            row,
            id=self.id(kind.value, number_of_id(row.get("id"))),
            kind=kind,
            url=canvas_link(row.get("html_url"), self.origin),
            version=mark(row.get("title"), html_of(row, "message")),
            changed=row.get("posted_at") or row.get("created_at"),
        )

    def syllabus(self, row: Row, title: str) -> Material | None:
        """Read the syllabus of a course; None where it has no text."""
        text = html_of(row, "syllabus_body")
        if not text.strip():
            return None
        return Material(
            id=self.id("syllabus", self.course_id),
            course_key=self.key,
            kind=MaterialKind.SYLLABUS,
            title=title,
            url=f"{self.web}/assignments/syllabus",
            version=mark(text),
            size=len(text.encode(errors="replace")),
        )

    def is_own(self, address: str) -> bool:
        """Check whether an address is at this Canvas, where no stranger is asked to open it."""
        try:
            named, home = urlsplit(urljoin(f"{self.origin}/", address)), urlsplit(self.origin)
        except ValueError:
            return False
        return named.netloc.lower() == home.netloc.lower() and f"{named.path}/".startswith(f"{home.path}/")

    def link(self, item: Row, address: str) -> Material:
        """Read a link of a module, whose id is that of its item."""
        return Material(
            id=self.id("link", number_of_id(item.get("id"))),
            course_key=self.key,
            kind=MaterialKind.LINK,
            title=_title(item),
            url=address,
            version=self._mark_of_week(address),
            locked=lock_reason(object_of(item.get("content_details")), self.now),
        )

    def text_link(self, text: Material, link: TextLink) -> Material:
        """Read a link in a text, whose id is that of the text with a mark of the address."""
        kind = next(letter for letter, kind in LINKING_KINDS.items() if kind is text.kind)
        return Material(
            id=self.id("link", f"{kind}{parse_material_id(text.id).number}x{mark(link.address)}"),
            course_key=self.key,
            kind=MaterialKind.LINK,
            title=safe_line(link.words, _LONGEST_TITLE) or text.title,
            url=link.address,
            version=self._mark_of_week(link.address),
        )

    def locked_item(self, item: Row, id: str, kind: MaterialKind, reason: str) -> Material:
        """Item of a module that is closed, so that nothing more of it is asked for."""
        return Material(
            id=id,
            course_key=self.key,
            kind=kind,
            title=_title(item),
            name=_title(item) if kind is MaterialKind.FILE else "",
            url=canvas_link(item.get("html_url"), self.origin),
            locked=reason,
        )

    def _mark_of_week(self, address: str) -> str:
        """Mark of a web page, which has none of its own: it is read anew each week."""
        return mark(address, *self.now.isocalendar()[:2])

    def _text(self, row: Row, *, id: str, kind: MaterialKind, url: str, version: str, changed: Any) -> Material:
        return Material(
            id=id,
            course_key=self.key,
            kind=kind,
            title=_title(row),
            url=url,
            version=version,
            size=len(html_of(row).encode(errors="replace")),
            dated_at=read_time(changed)[0],
            locked=lock_reason(row, self.now),
        )


def slug_path(slug: str) -> str:
    """The url of a page as a part of an address."""
    return quote(slug, safe="", errors="replace")


def html_of(row: Row, *fields: str) -> str:
    """The text of a row as HTML, "" when there is none. fields: where to look, all that hold one when left out."""
    return next((str(row[field]) for field in fields or _TEXTS if isinstance(row.get(field), str)), "")


def is_quiz(row: Row) -> bool:
    """Check whether an assignment is a quiz, or may be one of another maker: its text is part of what is graded."""
    types = _submission_types(row)
    is_other_makers = "external_tool" in types and row.get("is_quiz_lti_assignment") is not False
    says_so = any(is_said(row.get(field)) for field in ("quiz_id", "is_quiz_assignment", "is_quiz_lti_assignment"))
    return says_so or is_other_makers or "online_quiz" in types


def _submission_types(row: Row) -> set[str]:
    kinds = row.get("submission_types")
    return {str(kind) for kind in kinds} if isinstance(kinds, list) else {str(kinds)}


def mark(*values: Any) -> str:
    """Mark of change: the same values, the same mark; nothing to go by gives ""."""
    texts = [_PER_READER.sub("", str(value)) if value is not None else "" for value in values]
    joined = "\x1f".join(texts)
    return hashlib.sha256(joined.encode(errors="replace")).hexdigest()[:20] if any(texts) else ""


def _title(row: Row) -> str:
    return safe_line(row.get("title") or row.get("name"), _LONGEST_TITLE) or "(untitled)"


def _file_names(row: Row) -> tuple[str, str]:
    """Title of a file, and its name with the extension that tells its type."""
    shown = safe_line(row.get("display_name"), _LONGEST_TITLE)
    stored = one_line(unquote_plus(str(row.get("filename") or "")), _LONGEST_TITLE)
    kind = str(row.get("content-type") or "").partition(";")[0].strip().lower()
    names = [name for name in (shown, stored) if re.search(r"\.\w{1,5}$", name)]
    name = names[0] if names else f"{shown or stored or 'file'}{guess_extension(kind) or ''}"
    return shown or stored or "(untitled)", re.sub(r"[\\/:\x00]+", "_", name)
