"""Values of columns that Notion works out, or that point at people, files and other entries, as text.

https://developers.notion.com/reference/page-property-values
"""

from collections.abc import Callable
from typing import Any

from services.integrations.notion.payloads import Json, plain_text
from services.safety.text import one_line

COMPUTED = frozenset(
    {
        *("formula", "rollup", "relation", "unique_id", "people", "files", "verification", "place"),
        *("created_time", "last_edited_time", "created_by", "last_edited_by"),
    }
)
UNREAD = "(a value that Homeroom does not read; it stands in Notion)"
_PEOPLE_SHOWN = 12

Reader = Callable[[Json], str]
"""Text of a property, such as the date in a formula or each item of a rollup."""


def computed_text(kind: str, value: Any, read: Reader) -> str:
    """Text of such a value; `UNREAD` where Notion itself does not tell it."""
    match kind:
        case "formula":
            return _formula_text(value, read)
        case "rollup":
            return _rollup_text(value, read)
        case "relation":
            return _relation_text(value)
        case "unique_id":
            prefix, number = value.get("prefix"), value.get("number")
            return "" if number is None else one_line(f"{prefix}-{number}" if prefix else str(number))
        case "people":
            return _listed([_person(person) for person in value])
        case "files":
            return _listed([one_line(file.get("name") or "", 80) or "a file without a name" for file in value])
        case "created_by" | "last_edited_by":
            return _person(value)
        case "created_time" | "last_edited_time":
            return read({"type": "date", "date": {"start": value}})
        case "verification":
            return one_line(value.get("state") or "")
    return one_line(value.get("name") or value.get("address") or "") or UNREAD


def _formula_text(value: Json, read: Reader) -> str:
    kind = value["type"]
    if kind == "boolean":
        return read({"type": "checkbox", "checkbox": value[kind]}) if value[kind] is not None else ""
    return read({"type": kind, kind: value.get(kind)})


def _rollup_text(value: Json, read: Reader) -> str:
    """Text of a rollup: a number, a date, or the columns of the entries that it gathers."""
    if value["type"] != "array":
        # "incomplete" and "unsupported" come without a value: there are more entries than Notion adds up for programs.
        known = value["type"] in ("number", "date")
        return read({"type": value["type"], value["type"]: value.get(value["type"])}) if known else UNREAD
    return _listed([_item_text(item, read) for item in value["array"]])


def _item_text(item: Json, read: Reader) -> str:
    return one_line(plain_text(item["title"])) if item["type"] == "title" else read(item)


def _relation_text(value: list[Json]) -> str:
    """Ids of the linked entries: Notion tells nothing else of them here. At most 25 come with a page."""
    return f"links to {_listed([str(entry['id']) for entry in value])}" if value else ""


def _person(person: Json) -> str:
    return one_line(person.get("name") or "", 80) or "somebody whose name Notion does not tell"


def _listed(names: list[str]) -> str:
    said = [name for name in names if name]
    more = [f"and {len(said) - _PEOPLE_SHOWN} more"] if len(said) > _PEOPLE_SHOWN else []
    return ", ".join([*said[:_PEOPLE_SHOWN], *more])
