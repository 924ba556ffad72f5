"""Access to a student's workspace for the tools: the client of a call, page lookup, and the parent of a new page."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, RequestRefused
from services.i18n import gettext, gettext_noop
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import near_matches
from services.integrations.kit.writes import RepeatGate, is_card_stale
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import LABEL, SHARE, gone_error, not_shared_error, undo_refused_error
from services.integrations.notion.payloads import NotionPage, id_in_reference, matching_pages, read_page
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Undo

ID = "notion"
MOST_TITLE_MATCHES = 25
MOST_PARENTS = 500
MOST_KNOWN = 100
"""Pages, the last edited, among which a title that fits nothing finds its closest."""
FITTING_WORDS = 2
FRESH_S = 30.0
"""Cache lifetime of an answer: long enough for the questions of a turn, too short to miss an edit."""
CHOSEN_PARENT = gettext_noop("{place} (chosen by Homeroom, because no place was named)")
_EMPTY_WORDS = frozenset(
    {"a", "an", "and", "for", "in", "my", "of", "on", "the", "to", "note", "notes", "page", "plan", "study"}
)
ParentReference = Annotated[
    str,
    Field(
        max_length=500,
        description="Where it goes: an id, an address, or words of a title. Empty when the student named no "
        "place: the card shows which.",
    ),
]


def notion_of(context: ToolExecutionContext, *, times: float = 1.0) -> NotionClient:
    """Client of the student's workspace with a fresh deadline; `times` as long for a call of many requests.

    An approved write has at least twice as long: after its request it may have to find out what became of it.
    """
    client: NotionClient = context.client(ID)
    if context.operation_id is None:
        return client.with_deadline(times=times)
    return client.with_deadline(times=max(times, 2.0), gate=RepeatGate(context, LABEL))


def undo_when_settled(undo: Undo) -> Undo:
    """Wrap an undo: while an earlier try of it may still take effect it raises `StillUnderway` where it finds something
    changed or gone, as nobody knows yet how that ends.
    """

    @wraps(undo)
    def settled(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        gate = RepeatGate(context, LABEL)
        try:
            return undo(context, arguments)
        except ChangedElsewhere as error:
            gate.require_settled()
            # A write's own sentence speaks of its card, and this is about one that was done.
            raise undo_refused_error() from error
        except ItemNotFound:
            gate.require_settled()
            raise

    return settled


def find_page(notion: NotionClient, reference: str, *, field: str, wanted: str = "") -> NotionPage:
    """Look up a page or database by id, address or words of its title.

    wanted: "page" or "database" when a title may mean only that; "place" for a parent of other pages, which an entry
    of a database is only when nothing else fits. Raises `ItemNotFound` for an id of nothing that is shared,
    `BadArguments` with the closest titles when no title or several fit.
    """
    id = id_in_reference(reference)
    return _by_id(notion, id, field) if id else _by_title(notion, reference, field, wanted)


def find_text_page(notion: NotionClient, reference: str, *, field: str = "page") -> NotionPage:
    """Look up a page; raises `RequestRefused` for a database."""
    page = find_page(notion, reference, field=field)
    if page.is_database:
        raise RequestRefused(
            LABEL,
            gettext("This is a database, and text can be added to pages only."),
            next_step=gettext("Create an entry in it, or choose one of its pages."),
        )
    return page


def single_match(
    fitting: Sequence[NotionPage], title: str, known: Callable[[], Sequence[NotionPage]], *, field: str
) -> NotionPage:
    """The only page that fits a title; raises `BadArguments` for several, and for none with the closest of `known`,
    `ItemNotFound` where nothing is known.
    """
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise several_fit(field, title, _choices(fitting))
    pages = known()
    if not pages:
        raise not_shared_error()
    near = near_matches(pages, title, lambda page: (page.title,))
    note = gettext("Only what is shared with Homeroom in Notion can be found.")
    problem = none_fits(field, title, _choices(pages), near=_choices(near), note=note)
    problem.next_step += "" if near else f" {gettext(SHARE)}"
    raise problem


def find_target(context: ToolExecutionContext, find: Callable[[], NotionPage]) -> NotionPage:
    """What a write goes to; raises what `find` raises, and `ItemNotFound` for what is gone since the card was made."""
    try:
        found = find()
    except ItemNotFound:
        if not any(row.resolved for row in context.approved_rows):
            raise
        raise gone_error() from None
    if found.in_trash:
        raise gone_error()
    return found


def parent_for(notion: NotionClient, parent: str, title: str) -> NotionPage:
    """Parent of a new page: what `parent` means, or else the page that fits the title best.

    That is the shared page whose title has the most words in common (at least two, or all of its own), else a page at
    the top of the workspace: of several the one that holds most others, then the oldest.
    Raises `ItemNotFound`, `BadArguments`.
    """
    if parent:
        return find_page(notion, parent, field="parent", wanted="place")
    shared = [read_page(json) for json in notion.search("", most=MOST_PARENTS, kind="page")]
    holds, known = Counter(page.parent_url_id for page in shared), {page.url_id for page in shared}
    # A page of the same title may be the very one that an earlier try has made.
    places = [p for p in shared if not p.in_trash and not p.is_entry and p.title.casefold() != title.casefold()]
    if not places:
        raise ItemNotFound(LABEL, gettext("No page in Notion is shared with Homeroom yet."), next_step=gettext(SHARE))

    def rank(page: NotionPage) -> tuple[object, ...]:
        height = (page.is_at_the_top, page.parent_url_id not in known)
        return _fit(page.title, title), height, holds[page.url_id], -page.created_at.timestamp(), page.id

    return max(places, key=rank)


def parent_page_for(notion: NotionClient, parent: str, title: str) -> NotionPage:
    """As `parent_for`, for what can only stand under a page; raises `RequestRefused` for a database."""
    place = parent_for(notion, parent, title)
    if place.is_database:
        step = gettext("Name a page, or leave the place out.")
        raise RequestRefused(
            LABEL, gettext("This can only stand under a page, and that is a database."), next_step=step
        )
    return place


def parent_row(place: NotionPage, parent: str) -> PreviewRow:
    """Card row that names the parent, and pins it. parent: how it was named, "" when it was chosen."""
    title = place.title
    where = (
        gettext("in the database “{title}”", title=title)
        if place.is_database
        else gettext("under the page “{title}”", title=title)
    )
    value = where if parent else gettext(CHOSEN_PARENT, place=where)
    return PreviewRow(label=gettext_noop("Where"), value=value, resolved={"parent": place.id})


def is_place_stale(context: ToolExecutionContext, place: NotionPage) -> bool:
    """Whether the parent has another name than on the card."""
    return all(is_card_stale(context, (parent_row(place, named),)) for named in ("", place.id))


def page_sources(*pages: NotionPage) -> tuple[Source, ...]:
    return tuple(Source(title=page.title, url=page.url) for page in pages if page.url)


def _by_id(notion: NotionClient, id: str, field: str) -> NotionPage:
    """An id does not tell its kind; a database's address carries the database's id, not that of its data source."""
    try:
        return read_page(notion.page(id))
    except ItemNotFound:
        pass
    try:
        return read_page(notion.data_source(id))
    except ItemNotFound:
        inside = notion.database(id).get("data_sources", [])
    if not inside:
        raise not_shared_error()
    if len(inside) > 1:
        raise BadArguments(
            gettext("This database has {n} tables: say which one.", n=len(inside)),
            field=field,
            next_step="Call notion_search and give the id of the right one.",
        )
    return read_page(notion.data_source(inside[0]["id"]))


def _by_title(notion: NotionClient, title: str, field: str, wanted: str) -> NotionPage:
    kind = {"database": "data_source", "page": "page"}.get(wanted, "")
    found = [read_page(json) for json in notion.search(title, most=MOST_TITLE_MATCHES, kind=kind)]
    fitting = [page for page in matching_pages(found, title) if not page.in_trash]
    if wanted == "place":
        fitting = [page for page in fitting if not page.is_entry] or fitting

    def shared() -> list[NotionPage]:
        pages = [*found, *(read_page(json) for json in notion.search("", most=MOST_KNOWN, kind=kind))]
        return [page for page in {page.id: page for page in pages}.values() if not page.in_trash]

    return single_match(fitting, title, shared, field=field)


def _choices(pages: Sequence[NotionPage]) -> list[NameChoice]:
    return [NameChoice(name=page.title, id=page.id) for page in pages]


def _fit(page_title: str, title: str) -> int:
    """Number of significant words that both titles have; 0 for too few."""
    own, wanted = _words(page_title), _words(title)
    shared = len(own & wanted)
    return shared if shared >= FITTING_WORDS or (own and own <= wanted) else 0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+|\d+", text.casefold())) - _EMPTY_WORDS
