"""Columns of a database: which one a name means, its options, and which of them mean "done"."""

from collections.abc import Sequence
from typing import Any

from services.errors import BadArguments, RequestRefused
from services.i18n import gettext
from services.integrations.notion.errors import LABEL
from services.integrations.notion.payloads import Json, NotionPage
from services.safety.text import one_line

# In English and in Spanish, as students name them and as our own trackers do.
DUE = (
    *("due", "due date", "deadline", "due on", "date", "when", "fällig"),
    *("vence", "vencimiento", "entrega", "fecha de entrega", "fecha límite", "fecha", "cuándo"),
)
STATUS = ("status", "state", "progress", "stage", "estado", "progreso", "avance", "etapa")
DONE_BOXES = (
    *("done", "completed", "complete", "finished", "submitted"),
    *("hecho", "hecha", "completado", "completada", "terminado", "terminada", "entregado", "entregada"),
)
DONE_WORDS = frozenset({*DONE_BOXES, "handed in", "closed", "cerrado", "cerrada"})
LINK = ("link", "url", "address", "website", "enlace", "vínculo", "dirección")
COURSE = ("course", "class", "subject", "curso", "clase", "materia", "asignatura")
NAMES = {"due": DUE, "status": STATUS, "link": LINK, "course": COURSE}
TITLE = ("name", "title", "nombre", "título")
MOST_NAMED = 20
OPTIONS_SHOWN = 12
COLUMNS_STEP = "Call notion_query_database to see the columns, then use one of those."


def schema_of(database: NotionPage) -> dict[str, Json]:
    """Columns of a data source, by name."""
    properties: dict[str, Json] = database.json.get("properties", {})
    return properties


def options_of(prop: Json) -> list[Json]:
    """Options of a select, multi-select or status column."""
    inner: Any = prop.get(prop["type"]) or {}
    options: list[Json] = inner.get("options", [])
    return options


def title_property(source: Json) -> str:
    """Name of a data source's title column; raises `RequestRefused` when it has none."""
    for name, prop in source.get("properties", {}).items():
        if prop.get("type") == "title":
            return str(name)
    raise RequestRefused(LABEL, gettext("This database has no title property to write into."))


def columns_line(database: NotionPage) -> str:
    """Line that lists the columns with their types and options, for the model."""
    return f"Columns: {'; '.join(_column_text(name, prop) for name, prop in schema_of(database).items())}."


def due_column(database: NotionPage) -> str | None:
    """Name of the due date's column: the one with such a name, else the only date there is."""
    return _find_by_name_or_type(database, ("date",), DUE)


def status_column(database: NotionPage) -> str | None:
    """Name of the progress column: a status, a select of such a name, or a checkbox."""
    found = _find_by_name_or_type(database, ("status",), STATUS) or _find_by_name(database, ("select",), STATUS)
    return found or _find_by_name(database, ("checkbox",), DONE_BOXES)


def find_column(database: NotionPage, name: str, *, field: str) -> str:
    """Column of this name in the database's own spelling; raises `BadArguments`."""
    wanted = name.strip().casefold()
    own = {known.casefold(): known for known in schema_of(database)}
    if wanted in own:
        return own[wanted]
    if wanted in TITLE:
        return next(known for known, prop in schema_of(database).items() if prop["type"] == "title")
    found = {"due": due_column, "status": status_column}.get(wanted, lambda _: None)(database)
    found = found or _find_by_name(database, ("url",), LINK if wanted in LINK else ())
    found = found or _find_by_name(
        database, ("select", "rich_text", "multi_select"), COURSE if wanted in COURSE else ()
    )
    if found is None:
        known = ", ".join(one_line(known, 60) for known in schema_of(database))
        raise BadArguments(
            gettext("{field}: there is no such column. The columns: {known}.", field=field, known=known), field=field
        )
    return found


def find_option(prop: Json, name: str, *, field: str) -> str:
    """Option of a select or status in the database's own spelling; raises `BadArguments`."""
    wanted = name.strip().casefold()
    for option in options_of(prop):
        if option["name"].casefold() == wanted:
            return str(option["name"])
    known = ", ".join(one_line(option["name"], 60) for option in options_of(prop)[:MOST_NAMED])
    raise BadArguments(
        gettext("{field}: there is no such choice. The choices: {known}.", field=field, known=known or gettext("none")),
        field=field,
    )


def done_options(prop: Json) -> list[str]:
    """Options that mean "done": those in the group "Complete" of a status, else those with such names."""
    groups: Sequence[Json] = (prop.get(prop["type"]) or {}).get("groups") or ()
    complete = {id for group in groups if group["name"] == "Complete" for id in group["option_ids"]}
    return [
        option["name"]
        for option in options_of(prop)
        if option.get("id") in complete or (not complete and option["name"].casefold() in DONE_WORDS)
    ]


def _find_by_name_or_type(database: NotionPage, kinds: Sequence[str], names: Sequence[str]) -> str | None:
    fitting = [name for name, prop in schema_of(database).items() if prop["type"] in kinds]
    return _find_by_name(database, kinds, names) or (fitting[0] if len(fitting) == 1 else None)


def _find_by_name(database: NotionPage, kinds: Sequence[str], names: Sequence[str]) -> str | None:
    own = {name.casefold(): name for name, prop in schema_of(database).items() if prop["type"] in kinds}
    return next((own[name] for name in names if name in own), None)


def _column_text(name: str, prop: Json) -> str:
    kind = str(prop["type"]).replace("_", " ")
    names = [one_line(option["name"], 40) for option in options_of(prop)]
    more = ", …" if len(names) > OPTIONS_SHOWN else ""
    given = f": {', '.join(names[:OPTIONS_SHOWN])}{more}" if names else ""
    return f"{one_line(name, 60)} ({kind}{given})"
