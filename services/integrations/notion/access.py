"""How Notion's tools reach the workspace, and how they find the page that somebody means."""

from services.errors import BadArguments, ItemNotFound
from services.i18n import gettext
from services.integrations.kit import localized
from services.integrations.notion.client import Notion
from services.integrations.notion.errors import not_shared
from services.integrations.notion.payloads import Page, find_id, pick, read_page
from services.tools.base import Source, ToolExecutionContext

ID = "notion"
LOOKED_THROUGH = 25
MOST_NAMED = 5
FRESH_S = 30.0
"""How long an answer is kept: long enough for the questions of one turn, too short for an edit to be missed."""


def notion_of(context: ToolExecutionContext, *, times: float = 1.0) -> Notion:
    """The student's workspace, with a fresh deadline for this call; `times` as long for one of many requests.

    An approved write has twice as long at least: after its request it may have to look what became of it.
    """
    notion: Notion = context.client(ID).started(times=max(times, 2.0) if context.operation_id else times)
    return notion


def find_page(notion: Notion, reference: str, *, field: str, wanted: str = "") -> Page:
    """The page or database behind an id, an address or words of a title.

    wanted: "page" or "database" when a title may mean only that; "place" for one that other pages stand in, which an
    entry of a database is only when nothing else fits. Raises `ItemNotFound` when nothing fits,
    `BadArguments` when several do.
    """
    id = find_id(reference)
    return _by_id(notion, id, field) if id else _by_title(notion, reference, field, wanted)


def sources(*pages: Page) -> tuple[Source, ...]:
    return tuple(Source(title=page.title, url=page.url) for page in pages if page.url)


def _by_id(notion: Notion, id: str, field: str) -> Page:
    """Ids do not say of what they are; a database's address carries the database's id, not that of its data source."""
    try:
        return read_page(notion.page(id))
    except ItemNotFound:
        pass
    try:
        return read_page(notion.data_source(id))
    except ItemNotFound:
        inside = notion.database(id).get("data_sources", [])
    if not inside:
        raise not_shared()
    if len(inside) > 1:
        raise BadArguments(
            gettext("This database has {n} tables: say which one.", n=len(inside)),
            field=field,
            next_step="Call notion_search and give the id of the right one.",
        )
    return read_page(notion.data_source(inside[0]["id"]))


def _by_title(notion: Notion, title: str, field: str, wanted: str) -> Page:
    kind = {"database": "data_source", "page": "page"}.get(wanted, "")
    found = [read_page(json) for json in notion.search(title, most=LOOKED_THROUGH, kind=kind)]
    fitting = [page for page in pick(found, title) if not page.in_trash]
    if wanted == "place":
        fitting = [page for page in fitting if not page.is_entry] or fitting
    return one_of(fitting, field=field)


def one_of(fitting: list[Page], *, field: str) -> Page:
    """The one page that fits; raises `ItemNotFound` for none, `BadArguments` for several."""
    if not fitting:
        raise not_shared()
    if len(fitting) > 1:
        names = ", ".join(f"“{page.title}” (id: {page.id})" for page in fitting[:MOST_NAMED])
        more = ", …" if len(fitting) > MOST_NAMED else ""
        raise BadArguments(
            f"{field}: {len(fitting)} pages fit these words; call notion_search and give the id of the right one: "
            f"{names}{more}.",
            field=field,
            next_step="When it is not clear which one, ask the student.",
            said=gettext(
                "More than one page fits these words: {names}.",
                names=localized.list_choices([(page.title, page.id) for page in fitting]),
            ),
        )
    return fitting[0]
