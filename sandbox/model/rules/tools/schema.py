"""Schema reader: what each parameter of a tool is for, by its name, type, format and description."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sandbox.model.rules.language.text import fold


class Action(StrEnum):
    """Action that a student orders or a tool does."""

    READ = "read"
    SEARCH = "search"
    OPEN = "open"
    CREATE = "create"
    APPEND = "append"
    CHANGE = "change"
    DELETE = "delete"

    @property
    def is_write(self) -> bool:
        """Whether it changes something."""
        return self in (Action.CREATE, Action.APPEND, Action.CHANGE, Action.DELETE)


class Role(StrEnum):
    """Role of a parameter: what it is to be filled with."""

    ID = "id"
    REFERENCE = "reference"
    """An id or, as well, words that single the thing out."""
    START = "start"
    END = "end"
    DAY = "day"
    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"
    CLOCK_START = "clock_start"
    CLOCK_END = "clock_end"
    LIMIT = "limit"
    CHOICE = "choice"
    FLAG = "flag"
    COURSE = "course"
    NAME = "name"
    QUERY = "query"
    TITLE = "title"
    CONTENT = "content"
    PLACE = "place"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Param:
    """One parameter. choices: of an enum. shape: how a time is written, "day", "local", "offset" or "clock"."""

    name: str
    role: Role
    required: bool
    kind: str
    description: str
    choices: Sequence[Any] = ()
    shape: str = "offset"
    is_list: bool = False
    schema: Mapping[str, Any] = field(default_factory=dict)

    @property
    def entity(self) -> str:
        """Of an id, what it is the id of: "event" of "event_id"."""
        return re.sub(r"_?ids?$", "", _snake(self.name))


def read_params(schema: Mapping[str, Any]) -> list[Param]:
    """The parameters of an input schema, in its order."""
    required = set(schema.get("required", []))
    return [
        _param(name, _plain(part, schema), name in required) for name, part in (schema.get("properties") or {}).items()
    ]


def _param(name: str, part: Mapping[str, Any], required: bool) -> Param:
    is_list = part.get("type") == "array"
    inner = {**_plain(part.get("items") or {}, part), "description": part.get("description", "")} if is_list else part
    kind = inner.get("type", "string")
    return Param(
        name=name,
        role=_role(_snake(name), inner, kind),
        required=required,
        kind=kind,
        description=str(part.get("description", "")),
        choices=tuple(choice for choice in inner.get("enum", ()) if choice is not None),
        shape=_shape(inner),
        is_list=is_list,
        schema=inner,
    )


def _plain(part: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve `$ref` and take the first choice of `anyOf` that is not null; outer words win."""
    if not isinstance(part, Mapping):
        return {}
    flat = dict(part)
    if "$ref" in flat:
        target: Any = root
        for step in flat.pop("$ref").lstrip("#/").split("/"):
            target = target.get(step, {}) if isinstance(target, Mapping) else {}
        flat = {**_plain(target, root), **flat}
    for key in ("anyOf", "oneOf", "allOf"):
        options = [option for option in flat.pop(key, []) if option.get("type") != "null"]
        if options:
            flat = {**_plain(options[0], root), **flat}
    if isinstance(flat.get("type"), list):
        flat["type"] = next((kind for kind in flat["type"] if kind != "null"), "string")
    if "const" in flat and "enum" not in flat:
        flat["enum"] = [flat["const"]]
    return flat


BY_NAME: tuple[tuple[Role, str, str], ...] = (
    (Role.ID, r"(^|_)ids?$|_uuid$", "string integer"),
    (Role.CLOCK_START, r"^(day_start|earliest(_time)?|opens|from_time|start_hour|not_before)$", "string integer"),
    (Role.CLOCK_END, r"^(day_end|latest(_time)?|closes|to_time|end_hour|not_after)$", "string integer"),
    (Role.MINUTES, r"minutes|^mins?$|duration|length|minimum_gap|min_gap", "integer number"),
    (Role.HOURS, r"(^|_)hours?$", "integer number"),
    (Role.DAYS, r"(^|_)days?(_|$)", "integer number"),
    (Role.LIMIT, r"limit|max|count|top|page_size|number_of|how_many", "integer number"),
    (Role.FLAG, r".", "boolean"),
    (Role.START, r"(^|_)due_(from|after|since)$", "string"),
    (Role.END, r"(^|_)(due|deadline|due_(date|at|on|by)|remind_(at|on))($|_)|^by$", "string"),
    (Role.START, r"(^|_)(start|starts|begin|begins|from|after|since|earliest|time_min|desde|inicio)($|_)|"
                 r"^when$", "string"),
    (Role.END, r"(^|_)(end|ends|to|until|before|latest|time_max|through|hasta|fin|finish)($|_)", "string"),
    (Role.DAY, r"(^|_)(date|day|on|fecha|dia)($|_)", "string"),
    (Role.COURSE, r"course|class|subject_name|curso|asignatura|materia(?!l)", "string"),
    (Role.QUERY, r"query|search|keyword|term|^q$|^text$|topic|looking_for|contains|buscar", "string"),
    (Role.PLACE, r"location|place|where|room|lugar", "string"),
    (Role.CONTENT, r"content|body|markdown|description|details|notes?$|message|paragraph|contenido", "string"),
    (Role.TITLE, r"title|summary|subject|headline|task$|^name$|label|heading|titulo|what", "string"),
)  # fmt: skip


def _role(name: str, part: Mapping[str, Any], kind: str) -> Role:
    if "enum" in part:
        return Role.CHOICE
    if kind == "string" and _takes_words_or_id(name, part):
        return Role.REFERENCE
    for role, pattern, kinds in BY_NAME:
        if kind in kinds.split() and re.search(pattern, name):
            return _checked_role(role, part)
    return _role_by_words(part, kind)


def _takes_words_or_id(name: str, part: Mapping[str, Any]) -> bool:
    words = fold(str(part.get("description", "")))
    is_course = re.search(r"course|class|curso|asignatura|materia(?!l)", name)
    return not is_course and bool(
        re.search(r"\bids?\b", words) and re.search(r"\bwords? of\b|\btitle\b|\bname\b", words)
    )


def _checked_role(role: Role, part: Mapping[str, Any]) -> Role:
    # "subject" may be a course, and "notes" or "text" what to search for.
    words = fold(str(part.get("description", "")))
    if role in (Role.CONTENT, Role.TITLE) and re.search(r"search|words? to (find|look)|look(ing)? for", words):
        return Role.QUERY
    if role is Role.TITLE and re.search(r"\bcourse\b.*\bname\b|\bname\b.*\bcourse\b", words):
        return Role.COURSE
    return role


def _role_by_words(part: Mapping[str, Any], kind: str) -> Role:
    words = fold(str(part.get("description", "")))
    if part.get("format") in ("date-time", "date"):
        return Role.END if re.search(r"\b(end|until|due|latest|last)\b", words) else Role.START
    if kind != "string":
        return Role.OTHER
    if re.search(r"\d{4}-\d\d-\d\dt\d\d:\d\d", words):
        return Role.START
    for role, pattern in (
        (Role.ID, r"^(the )?id\b|\bid of\b|\bids?\b that"),
        (Role.COURSE, r"\bcourse\b|\bclass\b"),
        (Role.QUERY, r"search|look for|words to"),
        (Role.NAME, r"\bname\b|part of its (name|title)"),
        (Role.TITLE, r"\btitle\b|\bcalled\b"),
        (Role.CONTENT, r"\btext\b|markdown|content"),
    ):
        if re.search(pattern, words):
            return role
    return Role.NAME if part.get("format") != "uri" else Role.OTHER


def _shape(part: Mapping[str, Any]) -> str:
    words = str(part.get("description", ""))
    if part.get("format") == "date" or re.search(r"(?i)\byyyy-mm-dd\b(?!t)", words):
        return "day"
    if match := re.search(r"\d{4}-\d\d-\d\d(?P<time>T\d\d:\d\d(?::\d\d)?(?P<zone>Z|[+-]\d\d:\d\d)?)?", words):
        if not match["time"]:
            return "day"
        return "offset" if match["zone"] else "local"
    if re.search(r"\b\d\d:\d\d\b", words) or part.get("format") == "time":
        return "clock"
    return "day" if re.search(r"(?i)\b(first|last) day\b", words) else "offset"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_")
