"""Listing of a course's materials in the order of its modules, from one pass over its lists in Canvas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from services.i18n import ngettext
from services.integrations.canvas.materials.catalogue import Catalogue
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.course_lists import CourseLists, read_lists, read_singles
from services.integrations.canvas.materials.listing_caches import SingleFiles
from services.integrations.canvas.materials.locks import is_published, lock_reason, module_lock_reason
from services.integrations.canvas.materials.rows import CourseRows, number_of_id, slug_path
from services.integrations.canvas.payloads import Json, is_id, object_of, objects_of, safe_line
from services.materials.material import Material, MaterialKind
from services.materials.source import MaterialListing

MOST_SINGLES = 400
"""Files, and pages, that are asked for one by one where the list of them is hidden."""
_LAST = (
    MaterialKind.SYLLABUS,
    MaterialKind.PAGE,
    MaterialKind.FILE,
    MaterialKind.LINK,
    MaterialKind.ASSIGNMENT,
    MaterialKind.DISCUSSION,
    MaterialKind.ANNOUNCEMENT,
)
"""Order of what no module shows."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class CourseListing:
    """Listing of a course, and the texts that came with it by material id, as HTML."""

    listing: MaterialListing
    texts: dict[str, str] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class PublishedItem:
    """Published item of a module. closed: why it may not be read there, "" when it may."""

    row: Json
    module: str
    closed: str


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where modules show a material. closed: why, when each of them keeps it closed. title: as the module calls it."""

    module: str
    closed: str
    title: str


def list_course(client: MaterialsClient, course_id: int, now: datetime, known: SingleFiles) -> CourseListing:
    """List a course's materials; raises as `read_lists` does. known: files that were asked for one by one before."""
    lists = read_lists(client, course_id)
    items = list(module_items(lists.rows.get("modules", []), now))
    catalogue = Catalogue(CourseRows(course_id, client.origin, now), lists)
    _read_single_pages(client, catalogue, items)
    places = place_items(catalogue, items)
    linked = _linked(catalogue, places)
    _read_single_files(client, catalogue, [*places, *linked], known)
    ids = _order(catalogue, places, linked)
    materials = [_placed(catalogue, id, at, places, linked) for at, id in enumerate(ids)]
    texts = {m.id: catalogue.texts[m.id] for m in materials if not m.locked and m.id in catalogue.texts}
    return CourseListing(listing=MaterialListing(materials=materials, notes=_notes(lists, catalogue)), texts=texts)


def module_items(modules: Sequence[Json], now: datetime) -> Iterator[PublishedItem]:
    """List the published items of published modules."""
    for module in modules:
        if not is_published(module):
            continue
        closed, name = module_lock_reason(module, now), safe_line(module.get("name"))
        for item in objects_of(module.get("items")):
            if is_published(item):
                own = lock_reason(object_of(item.get("content_details")), now)
                yield PublishedItem(row=item, module=name, closed=own or closed)


def is_open_link(item: PublishedItem) -> bool:
    return item.row.get("type") == "ExternalUrl" and not item.closed


def place_items(catalogue: Catalogue, items: Sequence[PublishedItem]) -> dict[str, _Place]:
    """Find the material that each item shows; the first module that has it open is its place, else the first."""
    places: dict[str, _Place] = {}
    for item in items:
        try:
            id = _material_id(catalogue, item)
        except (KeyError, TypeError, ValueError, AttributeError):
            catalogue.broken += 1
            continue
        if id and (id not in places or (places[id].closed and not item.closed)):
            places[id] = _Place(module=item.module, closed=item.closed, title=safe_line(item.row.get("title")))
    return places


def _material_id(catalogue: Catalogue, item: PublishedItem) -> str:
    """Id of the material that an item shows, "" for none, such as a heading or a quiz."""
    row, rows = item.row, catalogue.rows
    number = number_of_id(row["content_id"]) if is_id(row.get("content_id")) else 0
    match row.get("type"):
        case "File" if number:
            return _closed_or(catalogue, item, rows.id("file", number), MaterialKind.FILE)
        case "Page":
            known = catalogue.page_id(str(row.get("page_url") or ""))
            return known or _closed_or(
                catalogue, item, rows.id("page", f"item{number_of_id(row['id'])}"), MaterialKind.PAGE
            )
        case "Assignment" if number:
            id = rows.id("assignment", number)
            return id if id in catalogue.materials else ""
        case "Discussion" if number:
            return catalogue.topic_id(number)
        case "ExternalUrl":
            return _link_id(catalogue, item)
    return ""


def _closed_or(catalogue: Catalogue, item: PublishedItem, id: str, kind: MaterialKind) -> str:
    """Id of a file or page; of a closed one that no list tells, only what the module says is known."""
    if id not in catalogue.materials:
        if item.closed:
            catalogue.materials[id] = catalogue.rows.locked_item(item.row, id, kind, item.closed)
        elif kind is MaterialKind.PAGE:
            return ""
    return id


def _link_id(catalogue: Catalogue, item: PublishedItem) -> str:
    address = str(item.row.get("external_url") or "").strip()
    if catalogue.rows.is_own(address):
        id = catalogue.linked_id(address)
        return _closed_or(catalogue, item, id, MaterialKind.FILE) if ".file-" in id else id
    if not address.lower().startswith(("http://", "https://")):
        return ""
    link = catalogue.rows.link(item.row, address)
    catalogue.materials[link.id] = link
    return link.id


def _read_single_pages(client: MaterialsClient, catalogue: Catalogue, items: Sequence[PublishedItem]) -> None:
    """Read pages of modules that no list told, because the course hides that list."""
    slugs = [str(i.row.get("page_url") or "") for i in items if i.row.get("type") == "Page" and not i.closed]
    unknown = [slug for slug in dict.fromkeys(slugs) if slug.strip(".") and not catalogue.page_id(slug)][:MOST_SINGLES]
    course_id = catalogue.rows.course_id
    for slug, row in read_singles(client, unknown, lambda slug: client.page(course_id, slug_path(slug))).items():
        if is_published(row):
            catalogue.add_page(row, slug)


def _linked(catalogue: Catalogue, places: dict[str, _Place]) -> dict[str, str]:
    """What texts lead to and no module shows, each with the text that does so first."""
    linked: dict[str, str] = {}
    placed = (id for id in places if id in catalogue.texts)
    for id in dict.fromkeys((*placed, *catalogue.texts, *catalogue.attached)):
        is_closed = id in places and places[id].closed
        for target in () if is_closed else catalogue.linked_from(id):
            if target not in places:
                linked.setdefault(target, id)
    return linked


def _read_single_files(client: MaterialsClient, catalogue: Catalogue, ids: Sequence[str], known: SingleFiles) -> None:
    """Ask for files that modules or texts lead to and no list told."""
    prefix, course_id = catalogue.rows.id("file", ""), catalogue.rows.course_id

    def read(id: str) -> Json:
        return known.get_or_read(client.account, int(id), lambda: client.file(course_id, int(id)))

    unknown = [id.removeprefix(prefix) for id in ids if id.startswith(prefix) and id not in catalogue.materials]
    for row in read_singles(client, unknown[:MOST_SINGLES], read).values():
        if is_published(row):
            catalogue.add_file(row)


def _order(catalogue: Catalogue, places: dict[str, _Place], linked: dict[str, str]) -> list[str]:
    """Ids in the course's order: the syllabus, the modules with what their texts lead to, then the rest by kind."""
    behind: dict[str, list[str]] = {}
    for target, text in linked.items():
        behind.setdefault(text, []).append(target)

    def late(id: str) -> tuple[int, float, str]:
        material = catalogue.materials[id]
        # Announcements: the newest first.
        age = -(material.dated_at or _LONG_AGO).timestamp() if material.kind is MaterialKind.ANNOUNCEMENT else 0.0
        return _LAST.index(material.kind), age, catalogue.folders.get(id, "")

    syllabus = [id for id, material in catalogue.materials.items() if material.kind is MaterialKind.SYLLABUS]
    rest = sorted((id for id in catalogue.materials if id not in places and id not in linked), key=late)
    ordered = dict.fromkeys(each for id in (*syllabus, *places, *rest, "") for each in (id, *behind.get(id, ())))
    return [id for id in ordered if id in catalogue.materials]


def _placed(catalogue: Catalogue, id: str, at: int, places: dict[str, _Place], linked: dict[str, str]) -> Material:
    material = catalogue.materials[id]
    place = places.get(id) or places.get(linked.get(id, ""))
    closed = places[id].closed if id in places else ""
    module = place.module if place else catalogue.folders.get(id, "")
    # Teachers call a file by what it is about, and upload it as "Lec07_v3_final.pptx".
    title = places[id].title if id in places and material.kind is MaterialKind.FILE else ""
    return replace(
        material, title=title or material.title, module=module, position=at, locked=material.locked or closed
    )


def _notes(lists: CourseLists, catalogue: Catalogue) -> list[str]:
    n = catalogue.broken
    unread = ngettext("{n} item in Canvas could not be read.", "{n} items in Canvas could not be read.", n)
    return [*lists.notes(), *([unread] if n else [])]
