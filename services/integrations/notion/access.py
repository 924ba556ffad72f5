"""How Notion's tools reach the workspace, and how they find the page that somebody means."""

from services.errors import BadArguments, ItemNotFound
from services.integrations.notion.client import Notion
from services.integrations.notion.pages import Page, find_id, pick, read_page
from services.integrations.notion.problems import not_shared
from services.tools.base import Source, ToolExecutionContext

ID = "notion"
LOOKED_THROUGH = 25


def notion_of(context: ToolExecutionContext) -> Notion:
    """The student's workspace, with a fresh deadline for this call."""
    notion: Notion = context.client(ID).started()
    return notion


def find_page(notion: Notion, reference: str, *, field: str) -> Page:
    """The page or database behind an id, an address or words of a title.

    Raises `ItemNotFound` when nothing fits, `BadArguments` when several do.
    """
    id = find_id(reference)
    return _by_id(notion, id) if id else _by_title(notion, reference, field)


def sources(*pages: Page) -> tuple[Source, ...]:
    return tuple(Source(title=page.title, url=page.url) for page in pages if page.url)


def _by_id(notion: Notion, id: str) -> Page:
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
    return read_page(notion.data_source(inside[0]["id"]))


def _by_title(notion: Notion, title: str, field: str) -> Page:
    found = [read_page(json) for json in notion.search(title, most=LOOKED_THROUGH)]
    fitting = [page for page in pick(found, title) if not page.in_trash]
    if not fitting:
        raise not_shared()
    if len(fitting) > 1:
        raise BadArguments(
            f"{field}: {len(fitting)} pages fit these words; call notion_search and give the id of the right one.",
            field=field,
        )
    return fitting[0]
