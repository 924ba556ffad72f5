"""Adding several entries to a database, each exactly once, and taking them out again (R34)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from services.errors import ItemNotFound, ServiceError
from services.i18n import gettext_noop
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import changed
from services.integrations.notion.making import CLOCK_SLACK
from services.integrations.notion.payloads import Json, Page, read_page
from services.integrations.notion.writes import once

MOST_ROWS = 100


@dataclass(frozen=True, kw_only=True)
class Row:
    """An entry to be made. properties: in the API's own form, the title among them."""

    title: str
    properties: Json


@dataclass(frozen=True, kw_only=True)
class Added:
    """The entries that are there now, in order; `problem`: why the others are not."""

    pages: Sequence[Page]
    problem: ServiceError | None = None

    @property
    def undo(self) -> list[dict[str, str]]:
        """What `take_out` needs."""
        return [{"id": page.id, "edited_at": page.edited_at.isoformat()} for page in self.pages]


def add_rows(notion: Notion, source_id: str, rows: Sequence[Row], *, since: datetime, is_repeat: bool) -> Added:
    """Add the entries one after the other; those that an earlier try of a repeat has added are taken as they are.

    When one cannot be added, those before it stay and the rest is not tried. Raises what went wrong with the first.
    """
    there = _ours(notion, source_id, since) if is_repeat else []
    pages: list[Page] = []
    for row in rows:
        try:
            json = _taken(there, row.title) or _add(notion, source_id, row, since, {page.id for page in pages})
        except ServiceError as problem:
            if not pages:
                raise
            return Added(pages=pages, problem=problem)
        pages.append(read_page(json))
    return Added(pages=pages)


def take_out(notion: Notion, source_id: str, rows: Sequence[Mapping[str, str]]) -> int:
    """Put entries into the trash, unless one of them was changed since; how many were still there."""
    found = {page.id: page for page in map(read_page, notion.rows(source_id, most=MOST_ROWS))}
    if len(found) == MOST_ROWS:
        # There may be more, and newer ones come first: what was not among them is looked for by itself.
        found |= {page.id: page for page in _read_each(notion, [row["id"] for row in rows if row["id"] not in found])}
    there = [(found[row["id"]], row) for row in rows if row["id"] in found]
    if any(page.edited_at.isoformat() != row["edited_at"] for page, row in there):
        raise changed(gettext_noop("An entry was changed"))
    for page, _ in there:
        notion.trash(page.id)
    return len(there)


def _read_each(notion: Notion, ids: Sequence[str]) -> Iterator[Page]:
    for id in ids:
        with suppress(ItemNotFound):
            page = read_page(notion.page(id))
            if not page.in_trash:
                yield page


def _add(notion: Notion, source_id: str, row: Row, since: datetime, taken: set[str]) -> Json:
    """Add one entry, once; raises `OutcomeUnknown` when that may have happened and cannot be found out."""
    parent = {"type": "data_source_id", "data_source_id": source_id}
    return once(
        notion,
        lambda: notion.create(parent=parent, properties=row.properties, markdown=""),
        lambda: _made(notion, source_id, row, since, taken),
        done=gettext_noop("the entry was added"),
    )


def _made(notion: Notion, source_id: str, row: Row, since: datetime, taken: set[str]) -> Json | None:
    return _taken([json for json in _ours(notion, source_id, since) if json["id"] not in taken], row.title)


def _ours(notion: Notion, source_id: str, since: datetime) -> list[Json]:
    """The entries that this connection has made since then."""
    edge = (since - CLOCK_SLACK).isoformat()
    found = notion.rows(
        source_id,
        most=MOST_ROWS,
        filter={"timestamp": "created_time", "created_time": {"on_or_after": edge}},
    )
    bot = notion.me()["id"] if found else ""
    return [json for json in found if json["created_by"]["id"] == bot]


def _taken(there: list[Json], title: str) -> Json | None:
    """The first entry of this title, which counts as used up from then on."""
    for json in there:
        if read_page(json).title == (" ".join(title.split()) or "Untitled"):
            there.remove(json)
            return json
    return None
