"""Entries of databases, added each exactly once, and put into the trash again as long as nobody has changed them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from services.errors import ItemNotFound, ServiceError
from services.i18n import gettext_noop
from services.integrations.kit.writes import StillUnderway
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import changed_error, unknown_outcome_error
from services.integrations.notion.fingerprint import page_fingerprint
from services.integrations.notion.payloads import Json, NotionPage, read_page
from services.integrations.notion.values import has_values
from services.integrations.notion.writes import CLOCK_SLACK, send_once

MOST_SEARCHED = 100
ADDED = gettext_noop("the entry was added")
EMPTY: Json = {"markdown": ""}
"""Text of a new entry."""


@dataclass(frozen=True, kw_only=True)
class NewEntry:
    """An entry to create. properties: in the API's own form, the title among them."""

    title: str
    properties: Json


@dataclass(frozen=True, kw_only=True)
class AddedEntries:
    """Entries that were added, in order. problem: why the others were not.

    changed: ids of those that somebody changed before they were found again.
    """

    pages: Sequence[NotionPage]
    problem: ServiceError | None = None
    changed: Collection[str] = ()

    @property
    def undo(self) -> list[dict[str, str]]:
        """Arguments of `trash_entries`."""
        known = [page for page in self.pages if page.id not in self.changed]
        return [
            *({"id": page.id, "fingerprint": page_fingerprint(page, EMPTY)} for page in known),
            *({"id": id, "fingerprint": ""} for id in self.changed),
        ]


def add_entries(
    notion: NotionClient,
    source_id: str,
    rows: Sequence[NewEntry],
    *,
    since: datetime,
    there: Collection[str] | None = (),
    is_repeat: bool,
) -> AddedEntries:
    """Add the entries in order; entries that an earlier try of the operation has added are reused.

    there: ids of entries that were there before it; None when that is not known: none can be called ours then. After
    the first failure those before it stay and the rest is not tried. Raises the failure of the first entry, and
    `StillUnderway` for any of them.
    """
    ours = created_by_us(notion, source_id, since, but=there or ()) if is_repeat else []
    pages: list[NotionPage] = []
    changed: list[str] = []
    for row in rows:
        try:
            found = _take_by_title(ours, row.title)
            if found and there is None:
                raise unknown_outcome_error(ADDED)
            taken = {*there, *(page.id for page in pages)} if there is not None else None
            json, is_new = (found, False) if found else _add(notion, source_id, row, since, taken)
        except ServiceError as problem:
            if not pages or isinstance(problem, StillUnderway):
                raise
            return AddedEntries(pages=pages, problem=problem, changed=changed)
        pages.append(page := read_page(json))
        if not is_new and not (page.is_first_version and has_values(page.json["properties"], row.properties)):
            changed.append(page.id)
    return AddedEntries(pages=pages, changed=changed)


def created_by_us(notion: NotionClient, source_id: str, since: datetime, *, but: Collection[str] = ()) -> list[Json]:
    """Entries that this connection has created since then, without those of the ids `but`."""
    edge = (since - CLOCK_SLACK).isoformat()
    found = notion.rows(
        source_id,
        most=MOST_SEARCHED,
        filter={"timestamp": "created_time", "created_time": {"on_or_after": edge}},
    )
    bot = notion.me()["id"] if found else ""
    return [json for json in found if json["created_by"]["id"] == bot and json["id"] not in but]


def trash_entries(notion: NotionClient, source_id: str, rows: Sequence[Mapping[str, str]]) -> int:
    """Move entries to the trash, unless one of them was changed since; how many were still there."""
    found = {page.id: page for page in map(read_page, notion.rows(source_id, most=MOST_SEARCHED))}
    if len(found) == MOST_SEARCHED:
        # There may be more, and newer ones come first: what was not among them is looked for by itself.
        found |= {page.id: page for page in _read_each(notion, [row["id"] for row in rows if row["id"] not in found])}
    there = [(found[row["id"]], row) for row in rows if row["id"] in found]
    for page, row in there:
        if page_fingerprint(page, notion.markdown(page.id)) != row.get("fingerprint"):
            raise changed_error(gettext_noop("An entry was changed"))
    for page, _ in there:
        notion.trash(page.id)
    return len(there)


def _read_each(notion: NotionClient, ids: Sequence[str]) -> Iterator[NotionPage]:
    for id in ids:
        with suppress(ItemNotFound):
            page = read_page(notion.page(id))
            if not page.in_trash:
                yield page


def _add(
    notion: NotionClient, source_id: str, row: NewEntry, since: datetime, taken: Collection[str] | None
) -> tuple[Json, bool]:
    """Add one entry, once; its JSON, and whether that is the answer itself and was not found by looking for it.

    taken: ids that are not its own; None when they are not known. Raises `OutcomeUnknown` when it may have been added
    and cannot be found out.
    """
    parent = {"type": "data_source_id", "data_source_id": source_id}

    def find() -> tuple[Json, bool] | None:
        found = _take_by_title(created_by_us(notion, source_id, since, but=taken or ()), row.title)
        if found and taken is None:
            raise unknown_outcome_error(ADDED)
        return (found, False) if found else None

    def create() -> tuple[Json, bool]:
        return notion.create(parent=parent, properties=row.properties, markdown=""), True

    return send_once(notion, create, find, done=ADDED)


def _take_by_title(there: list[Json], title: str) -> Json | None:
    """Remove and return the first entry of this title."""
    for json in there:
        if read_page(json).title == (" ".join(title.split()) or "Untitled"):
            there.remove(json)
            return json
    return None
