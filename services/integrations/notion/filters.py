"""Plain words as filters of Notion's own form (https://developers.notion.com/reference/post-database-query-filter)."""

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.notion.payloads import Json, Page
from services.integrations.notion.schema import (
    COLUMNS_STEP,
    DONE_WORDS,
    choices,
    done_options,
    option_named,
    schema_of,
    status_column,
)
from services.integrations.notion.values import number_in, yes_or_no

OPEN_WORDS = frozenset(
    {
        *("open", "not done", "undone", "incomplete", "unfinished", "still open", "to do", "todo"),
        *("abierto", "abierta", "pendiente", "sin hacer", "sin terminar", "por hacer"),
    }
)
MOST_IN_OR = 100


def status_filter(database: Page, status: str) -> Json:
    """Entries of a status, of everything that is done, or of everything that is not; raises `BadArguments`."""
    name = status_column(database)
    if name is None:
        raise BadArguments(gettext("The database has no status to go by."), field="status", next_step=COLUMNS_STEP)
    prop, wanted = schema_of(database)[name], status.strip().casefold()
    if prop["type"] == "checkbox":
        return {"property": name, "checkbox": {"equals": wanted not in OPEN_WORDS and yes_or_no(status, "status")}}
    kind, named = prop["type"], {option["name"].casefold() for option in choices(prop)}
    if wanted not in named and wanted in OPEN_WORDS | DONE_WORDS:
        joint, test = ("and", "does_not_equal") if wanted in OPEN_WORDS else ("or", "equals")
        return {joint: [{"property": name, kind: {test: option}} for option in _done(prop)]}
    return {"property": name, kind: {"equals": option_named(prop, status, field="status")}}


def _done(prop: Json) -> list[str]:
    found = done_options(prop)
    if not found:
        raise BadArguments(gettext("No status of this database says done."), field="status", next_step=COLUMNS_STEP)
    return found


def words_filter(database: Page, words: str) -> Json:
    """Entries with these words in a title or a text."""
    kinds = ("title", "rich_text")
    named = [(name, prop["type"]) for name, prop in schema_of(database).items() if prop["type"] in kinds]
    return {"or": [{"property": name, kind: {"contains": words}} for name, kind in named[:MOST_IN_OR]]}


def matches(database: Page, name: str, value: str) -> Json:
    """Entries whose property has a value, as one would write it; raises `BadArguments`."""
    prop = schema_of(database)[name]
    kind, value = prop["type"], value.strip()
    condition: Json
    match kind:
        case "select" | "status":
            condition = {"equals": option_named(prop, value, field="where")}
        case "multi_select":
            condition = {"contains": option_named(prop, value, field="where")}
        case "checkbox":
            condition = {"equals": yes_or_no(value, "where")}
        case "number":
            condition = {"equals": number_in(value, "where")}
        case "title" | "rich_text" | "url" | "email" | "phone_number":
            condition = {"contains": value}
        case "date":
            condition = {"equals": value}
        case _:
            raise BadArguments(gettext("That column cannot be asked for."), field="where", next_step=COLUMNS_STEP)
    return {"property": name, kind: condition}
