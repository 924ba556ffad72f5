"""Files, pages and links of a course, from the sources in `materials/<course>/`."""

import hashlib
import re
import unicodedata
from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.documents.source import LAYOUTS, Source, sources
from sandbox.canvas.seeds.times import at, written

Row = dict[str, Any]
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)([+-]\d+)?")
DEFAULT_ORDER = 50
DEFAULT_TIME = "09:00"


def seed_materials(campus: Campus, course: Row, stem: str) -> None:
    """Write what stands in the course's folder; modules must be there already."""
    numbers = {module["name"]: module["id"] for module in campus.state.all("canvas.modules", course_id=course["id"])}
    for source in sources(stem).values():
        module = source.head.get("module")
        if module is not None and module not in numbers:
            raise KeyError(f"{source.key}: no such module: {module}")
        kind, row = material_row(campus, course["id"], source, numbers.get(module))
        campus.state.put(kind, row["id"], row)


def material_row(campus: Campus, course_id: int, source: Source, module_id: int | None) -> tuple[str, Row]:
    """The kind of state that a source belongs to, and its row."""
    head, time = source.head, source.head.get("time", DEFAULT_TIME)
    # Slides of this morning's lecture stand there before the hour of their posting, rather than being of the future.
    posted_at = min(at(campus, day_of(campus, head["day"]), time) or "", written(campus.now()))
    changed = head.get("changed")
    row = {
        "id": source.number,
        "course_id": course_id,
        "source": source.key,
        "title": source.title,
        "module_id": module_id,
        "order": head.get("order", DEFAULT_ORDER),
        "created_at": posted_at,
        "updated_at": posted_at if changed is None else at(campus, day_of(campus, changed), time),
        "unlock_at": at(campus, head.get("unlocks", "undated"), "00:00"),
        "lock_at": at(campus, head.get("locks", "undated"), "23:59"),
        "locked": head.get("locked", False),
        "hidden": head.get("hidden", False),
        "unpublished": head.get("unpublished", False),
        "only": head.get("only"),
    }
    if source.kind in LAYOUTS:
        file = {"name": head["file"], "folder": head.get("folder", ""), "type": LAYOUTS[source.kind]}
        return "canvas.files", {**row, **file, "attached": head.get("attached")}
    if source.kind == "page":
        return "canvas.pages", {**row, "slug": slug(source.title)}
    return "canvas.links", {**row, "url": head.get("url") or f"{{origin}}{document_path(source)}"}


def document_path(source: Source) -> str:
    """Where a public document stands on the web, as addresses of Google's documents are built."""
    kind = "document" if source.kind == "gdoc" else "presentation"
    return f"/web/docs/{kind}/d/{document_id(source)}/edit?usp=sharing"


def document_id(source: Source) -> str:
    """An id such as Google's, made of the source's name."""
    return f"1{hashlib.sha256(source.key.encode()).hexdigest()[:32]}"


def day_of(campus: Campus, day: int | str) -> int:
    """A day counted from today; "tue" is the last Tuesday up to today, "tue-1" the one before, "thu+1" the next."""
    if isinstance(day, int):
        return day
    found = WEEKDAY.fullmatch(day)
    if found is None:
        raise ValueError(f"no such day: {day}")
    back = (campus.today.weekday() - WEEKDAYS.index(found[1])) % 7
    return 7 * int(found[2] or 0) - back


def slug(title: str) -> str:
    """A page's address as Canvas makes it of the title: plain letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "page"
