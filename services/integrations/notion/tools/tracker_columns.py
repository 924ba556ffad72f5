"""Columns of an assignment tracker: its own five, those that a student wants besides, and the values of an item."""

from collections.abc import Collection, Mapping
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.notion.column_values import value_error
from services.integrations.notion.payloads import Json
from services.integrations.notion.values import new_value_text, parse_value
from services.safety.text import one_line

STATUSES = {gettext_noop("Not started"): "gray", gettext_noop("In progress"): "blue", gettext_noop("Done"): "green"}
NAME, COURSE, DUE, STATUS, LINK = (
    gettext_noop("Name"),
    gettext_noop("Course"),
    gettext_noop("Due"),
    gettext_noop("Status"),
    gettext_noop("Link"),
)
MOST_COLUMNS = 10
Kind = Literal["text", "number", "select", "multi_select", "date", "checkbox", "url"]
ColumnName = Annotated[str, Field(min_length=1, max_length=60)]
MoreColumns = Annotated[
    dict[ColumnName, Kind],
    Field(
        max_length=MOST_COLUMNS,
        description='Columns besides name, course, due, status, link, with their kinds, like {"Priority": "select"}.',
    ),
]
OnlyThese = Annotated[
    bool,
    Field(
        description="True when columns are all there are but name, as for internships: then no course, due, status, "
        "link, unless columns names them."
    ),
]


class Item(BaseModel):
    """An assignment to keep track of. more: values of the columns besides, by name."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(min_length=1, max_length=300)]
    course: Annotated[str, Field(max_length=100)] = ""
    due: Annotated[str, Field(max_length=40)] = ""
    status: Literal["Not started", "In progress", "Done"] = "Not started"
    link: Annotated[str, Field(max_length=2_000)] = ""
    more: dict[str, str] = {}


def tracker_columns(more: Mapping[str, Kind], *, only_these: bool = False) -> Json:
    """Columns in the API's own form, its own named in the student's language; raises
    `BadArguments` for a name that is taken.

    only_these: whether `more` stands in place of all of its own but the name.
    """
    options = [{"name": gettext(name), "color": color} for name, color in STATUSES.items()]
    # Notion's API cannot make a property of the kind "status", so this one is a choice.
    kinds = {NAME: {"title": {}}, COURSE: {"select": {}}, DUE: {"date": {}}, STATUS: {"select": {"options": options}}}
    own: Json = {gettext(name): kind for name, kind in {**kinds, LINK: {"url": {}}}.items()}
    columns = {gettext(NAME): own[gettext(NAME)]} if only_these else dict(own)
    errors = ArgumentErrorCollector()
    for name, kind in more.items():
        if _find(columns, name):
            sentence = f"columns: there is a column “{name}” already; leave it out of columns."
            said = gettext("The column “{name}” is named twice.", name=name)
            errors.add(BadArguments(sentence, field="columns", said=said))
            continue
        wanted: Json = {"rich_text" if kind == "text" else kind: {}}
        named = _find(own, name) or " ".join(name.split())
        # Ours by name and kind keeps what it has: the choices of "Status" with their colours.
        columns[named] = own[named] if named in own and own[named].keys() == wanted.keys() else wanted
    errors.raise_found()
    return columns


def item_properties(item: Item, columns: Json, zone: ZoneInfo) -> Json:
    """Properties in the API's own form; raises `BadArguments`."""
    values = {name: value for name, _, value in _read_values(item, columns, zone)}
    return {gettext(NAME): {"title": [{"type": "text", "text": {"content": item.name}}]}, **values}


def item_card_text(item: Item, columns: Json, zone: ZoneInfo) -> str:
    """Text of an item on the card; raises `BadArguments`."""
    lines = [
        f"{name}: {new_value_text(_kind(columns, name), value, text, zone)}"
        for name, text, value in _read_values(item, columns, zone)
    ]
    return "\n".join([item.name, *lines])


def _read_values(item: Item, columns: Json, zone: ZoneInfo) -> list[tuple[str, str, Json]]:
    """Name, text and JSON of each column that has a value; raises `BadArguments` with all that is wrong."""
    errors, found = ArgumentErrorCollector(), []
    for name, text in _texts(item, columns, errors).items():
        kind = _kind(columns, name)
        try:
            value = parse_value({"type": kind, **columns[name]}, text, zone=zone, field="items")
        except BadArguments as problem:
            errors.add(value_error(problem, field="items", name=name, text=text, entry=item.name))
        else:
            found.append((name, text, value))
    errors.raise_found()
    return found


def _texts(item: Item, columns: Json, errors: ArgumentErrorCollector) -> dict[str, str]:
    """Text of each column that has a value, by the column's own name; what is no column goes to `errors`."""
    own = {"course": COURSE, "due": DUE, "status": STATUS, "link": LINK}
    texts = {gettext(name): getattr(item, field) for field, name in own.items() if getattr(item, field)}
    texts[gettext(STATUS)] = gettext(item.status)
    given = {gettext(own[field]) for field in own.keys() & item.model_fields_set} & texts.keys()
    for name in sorted(given - columns.keys()):
        errors.add(_unknown_column(item, name, columns, {gettext(NAME)}))
    texts = {name: text for name, text in texts.items() if name in columns}
    for name, text in item.more.items():
        found = _find(columns, name)
        if found is None or found == gettext(NAME) or found in given:
            errors.add(_unknown_column(item, name, columns, {gettext(NAME), *given}))
        else:
            texts[found] = text
    return {name: text for name, text in texts.items() if text}


def _unknown_column(item: Item, name: str, columns: Json, taken: Collection[str]) -> BadArguments:
    known = ", ".join(column for column in columns if column not in taken) or gettext("none")
    return BadArguments(
        f"items: “{one_line(item.name, 60)}”: there is no column “{name}” to fill; there are: {known}.",
        field="items",
        next_step="Give the column and its kind in columns too.",
        said=gettext("“{name}” is none of the other columns: {known}.", name=name, known=known),
    )


def _find(columns: Json, name: str) -> str | None:
    wanted = " ".join(name.casefold().split())
    return next((column for column in columns if column.casefold() == wanted), None)


def _kind(columns: Json, name: str) -> str:
    return str(next(iter(columns[name])))
