"""The campus's materials as a student's library: rendered, read by page as any file is, and indexed."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sandbox.canvas.documents.html_text import page_file
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import Source, all_sources, course_facts
from services.files.documents.document_worker import read_document
from services.files.upload import FileRefused, Upload
from services.materials.material import Material, MaterialKind, MaterialPage, MaterialText, PageUnit

CLOSED = ("locked", "unpublished", "unlocks", "only")
UNREAD = ("encrypted", "login", "link", "png")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ENDINGS = {"gslides": "pptx", "gdoc": "html", "page": "html"}


def campus_texts(now: datetime) -> Iterator[tuple[Material, MaterialText]]:
    """Yield what a student may read of every course; the id of a material is its source's name."""
    for position, source in enumerate(all_sources()):
        if source.kind not in UNREAD and not any(source.head.get(fact) for fact in CLOSED):
            # As a student's library: what cannot be read is not in it.
            with suppress(FileRefused):
                yield _material(source, position, now), _text(source)


def _material(source: Source, position: int, now: datetime) -> Material:
    return Material(
        id=source.key,
        course_key=source.course,
        kind=MaterialKind.PAGE if source.kind == "page" else MaterialKind.FILE,
        title=source.title,
        module=str(source.head.get("module", "")),
        name=str(source.head.get("file", "")),
        position=position,
        dated_at=_posted_at(source.head.get("day", 0), now),
    )


def _posted_at(day: int | str, now: datetime) -> datetime:
    """The day as the campus means it: days from today, or a weekday, "tue-1" a week before the last one."""
    if isinstance(day, int):
        return now + timedelta(days=day)
    name, sign, weeks = day.partition("-") if "-" in day else day.partition("+")
    last = now - timedelta(days=(now.weekday() - WEEKDAYS.index(name)) % 7)
    return last + timedelta(weeks=int(f"{sign}{weeks}") if weeks else 0)


def _text(source: Source) -> MaterialText:
    name = str(source.head.get("file", f"{source.slug}.{_ENDINGS.get(source.kind, 'html')}"))
    content = page_file(source) if source.kind == "page" else rendered(source)
    records = list(read_document(Upload(name=name, content=content)))
    return MaterialText(
        unit=PageUnit(records[0]["unit"]),
        pages=[MaterialPage(**_page(record["page"])) for record in records if record.get("page") is not None],
    )


def _page(page: dict[str, object]) -> dict[str, object]:
    return {name: page[name] for name in ("number", "label", "text", "notes", "is_blank")}


def course_name(course: str) -> str:
    """Code and name of a course, as the library knows it."""
    facts = course_facts(course)
    return f"{facts['code']} {facts['name']}"


def today() -> datetime:
    return datetime.now(UTC)
