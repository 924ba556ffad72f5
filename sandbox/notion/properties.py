"""Property values of pages: what a request may write, how they are kept, and how the API gives them back."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field

from sandbox.notion.bodies import LONGEST_TEXT, Body, OneOf, Runs, read_body
from sandbox.notion.errors import invalid
from sandbox.notion.ids import seeded_id
from sandbox.notion.richtext import plain_runs, words_of

Json = dict[str, Any]
COLORS = ("default", "gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red")
TITLE_ONLY: Json = {"title": {"id": "title", "type": "title"}}


class Option(Body):
    """An option of a select, multi-select or status property."""

    id: str | None = None
    name: Annotated[str, Field(max_length=100)] | None = None
    color: str | None = None
    description: str | None = None


class DateSpan(Body):
    """A day or a moment, or a span of them."""

    start: str
    end: str | None = None
    time_zone: str | None = None


class Value(OneOf):
    """A property's value in a request."""

    title: Runs | None = None
    rich_text: Runs | None = None
    number: int | float | None = None
    url: Annotated[str, Field(max_length=LONGEST_TEXT)] | None = None
    email: str | None = None
    select: Option | None = None
    status: Option | None = None
    multi_select: list[Option] | None = None
    date: DateSpan | None = None
    checkbox: bool | None = None


class Values(Body):
    """The properties of a request."""

    properties: dict[str, Value] = {}


def read_values(properties: Json, schema: Json) -> tuple[Json, list[tuple[str, Json]]]:
    """The values to keep, by property name, and the options that they bring new; raises Refused."""
    wishes = read_body(Values, {"properties": {key: _typed(key, value, schema) for key, value in properties.items()}})
    kept: Json = {}
    new_options: list[tuple[str, Json]] = []
    for key, wish in wishes.properties.items():
        name, spec = _property(key, schema)
        if wish.kind != spec["type"]:
            raise invalid(f"{name} is expected to be {spec['type']}.")
        kept[name], fresh = _kept(name, wish, spec)
        new_options += [(name, option) for option in fresh]
    return kept, new_options


def value_shape(spec: Json, value: Any) -> Json:
    """A property's value as the API gives it."""
    return {"id": spec["id"], "type": spec["type"], spec["type"]: _shown(spec, value)}


def schema_shape(name: str, spec: Json) -> Json:
    """A property's configuration in a data source."""
    config: Json = {}
    if spec["type"] == "number":
        config = {"format": spec.get("format", "number")}
    elif "options" in spec:
        config = {"options": [option | {"description": None} for option in spec["options"]]}
    if spec["type"] == "status":
        config["groups"] = _groups(spec["options"])
    return {"id": spec["id"], "name": name, "description": None, "type": spec["type"], spec["type"]: config}


def new_option(name: str, position: int) -> Json:
    """An option of a select property."""
    return {"id": seeded_id("option", name)[:8], "name": name, "color": COLORS[position % len(COLORS)]}


def moment(text: str) -> date | datetime | None:
    """A day or a moment as Notion writes them, or None."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def _typed(key: str, value: Any, schema: Json) -> Any:
    # For a title Notion also takes the bare list: {"title": [...]} for {"title": {"title": [...]}}.
    is_bare_title = key == "title" and isinstance(value, list) and "title" in schema
    return {"title": value} if is_bare_title else value


def _property(key: str, schema: Json) -> tuple[str, Json]:
    for name, spec in schema.items():
        if key in (name, spec["id"]):
            return name, spec
    raise invalid(f"{key} is not a property that exists.")


def _kept(name: str, wish: Value, spec: Json) -> tuple[Any, list[Json]]:
    given = getattr(wish, wish.kind)
    if wish.kind in ("title", "rich_text"):
        return words_of(given or []), []
    if wish.kind in ("select", "status"):
        return _chosen(name, [given] if given else [], spec)
    if wish.kind == "multi_select":
        return _several(name, given or [], spec)
    if wish.kind == "date" and given is not None:
        if any(moment(text) is None for text in (given.start, given.end) if text is not None):
            raise invalid(f"body.properties.{name}.date.start should be a valid ISO 8601 date string.")
        return given.model_dump(), []
    return given, []


def _chosen(name: str, options: list[Option], spec: Json) -> tuple[str | None, list[Json]]:
    names, fresh = _several(name, options, spec)
    return (names[0] if names else None), fresh


def _several(name: str, options: list[Option], spec: Json) -> tuple[list[str], list[Json]]:
    names, fresh = [], []
    for option in options:
        known = next((o for o in spec["options"] if option.id == o["id"] or option.name == o["name"]), None)
        if known is None and (option.name is None or spec["type"] == "status"):
            message = f'Invalid status option. Status option "{option.name or option.id}" does not exist.'
            raise invalid(message if spec["type"] == "status" else f"{name}: there is no option {option.id}.")
        if known is None:
            if "," in str(option.name):
                raise invalid("Invalid select option, commas not allowed: " + str(option.name))
            known = new_option(str(option.name), len(spec["options"]) + len(fresh))
            fresh.append(known)
        names.append(known["name"])
    return names, fresh


def _shown(spec: Json, value: Any) -> Any:
    match spec["type"]:
        case "title" | "rich_text":
            return plain_runs(value or "")
        case "select" | "status":
            return next((option for option in spec["options"] if option["name"] == value), None)
        case "multi_select":
            return [option for name in value or [] for option in spec["options"] if option["name"] == name]
        case "checkbox":
            return bool(value)
    return value


def _groups(options: list[Json]) -> list[Json]:
    ids = [option["id"] for option in options]
    parts = (("To-do", "gray", ids[:1]), ("In progress", "blue", ids[1:-1]), ("Complete", "green", ids[-1:]))
    return [
        {"id": seeded_id("group", name)[:8], "name": name, "color": color, "option_ids": held}
        for name, color, held in parts
    ]
