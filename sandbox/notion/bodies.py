"""Request bodies that the Notion API takes, everything else refused in Notion's words."""

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sandbox.notion.errors import invalid

MOST_ITEMS = 100
LONGEST_TEXT = 2000
KINDS = {
    "string_type": "a string",
    "bool_type": "a boolean",
    "int_type": "a number",
    "float_type": "a number",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}


class Body(BaseModel):
    """A JSON object without surprises: unknown fields and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


BodyT = TypeVar("BodyT", bound=Body)
PageSize = Annotated[int, Field(ge=1, le=MOST_ITEMS)]


class OneOf(Body):
    """An object that has exactly one of some fields, named by `type` when that is given."""

    type: str | None = None

    @model_validator(mode="after")
    def _has_one(self) -> "OneOf":
        others = ("type", "object", "property", "annotations", "plain_text", "href")
        given = [name for name in type(self).model_fields if name not in others and name in self.model_fields_set]
        if len(given) != 1 or self.type not in (None, given[0]):
            known = ", ".join(name for name in type(self).model_fields if name not in others)
            raise ValueError(f"should have exactly one of {known}")
        return self

    @property
    def kind(self) -> str:
        """The one field that was given."""
        others = ("type", "object", "property", "annotations", "plain_text", "href")
        return next(name for name in type(self).model_fields if name in self.model_fields_set and name not in others)


class Link(Body):
    """Where a text leads."""

    url: Annotated[str, Field(max_length=LONGEST_TEXT)]


class Text(Body):
    """A run of text."""

    content: Annotated[str, Field(max_length=LONGEST_TEXT)]
    link: Link | None = None


class Annotations(Body):
    """How a run looks."""

    bold: bool = False
    italic: bool = False
    strikethrough: bool = False
    underline: bool = False
    code: bool = False
    color: str = "default"


class Equation(Body):
    """A formula in LaTeX."""

    expression: Annotated[str, Field(max_length=1000)]


class RichText(OneOf):
    """One run of rich text."""

    text: Text | None = None
    equation: Equation | None = None
    annotations: Annotations = Annotations()
    plain_text: str | None = None
    href: str | None = None


Runs = Annotated[list[RichText], Field(max_length=MOST_ITEMS)]


class Parent(OneOf):
    """Where a new page goes."""

    page_id: str | None = None
    data_source_id: str | None = None
    database_id: str | None = None
    workspace: Literal[True] | None = None


class External(Body):
    """A file elsewhere."""

    url: Annotated[str, Field(max_length=LONGEST_TEXT)]


class Icon(OneOf):
    """A page's icon or cover."""

    emoji: str | None = None
    external: External | None = None


class Position(Body):
    """Where new content goes."""

    type: Literal["start", "end", "after_block", "page_start", "page_end"]
    after_block: dict[str, str] | None = None


class Search(Body):
    """POST /v1/search"""

    query: str = ""
    sort: dict[str, Any] | None = None
    filter: dict[str, Any] | None = None
    start_cursor: str | None = None
    page_size: PageSize = MOST_ITEMS


class Query(Body):
    """POST /v1/data_sources/{id}/query"""

    filter: dict[str, Any] | None = None
    sorts: list[dict[str, Any]] = []
    start_cursor: str | None = None
    page_size: PageSize = MOST_ITEMS
    archived: bool | None = None
    in_trash: bool | None = None
    result_type: Literal["page", "data_source"] | None = None


def read_body(model: type[BodyT], value: Any) -> BodyT:
    """The body as the model has it; raises Refused (400 validation_error) with every fault in Notion's words."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = [_fault(entry) for entry in error.errors(include_url=False)]
        head = "body failed validation: " if len(faults) == 1 else "body failed validation. Fix one:\n"
        raise invalid(head + "\n".join(faults)) from error


def _fault(entry: Any) -> str:
    path = "body" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in entry["loc"])
    given, context = entry["input"], entry.get("ctx", {})
    match entry["type"]:
        case "missing":
            return f"{path} should be defined, instead was `undefined`."
        case "extra_forbidden":
            return f"{path} should be not present, instead was {_quoted(given)}."
        case "string_too_long" | "too_long":
            return f"{path}.length should be ≤ `{context['max_length']}`, instead was `{len(given)}`."
        case "less_than_equal":
            return f"{path} should be ≤ `{context['le']}`, instead was {_quoted(given)}."
        case "greater_than_equal":
            return f"{path} should be ≥ `{context['ge']}`, instead was {_quoted(given)}."
        case "literal_error":
            choices = str(context["expected"]).replace("'", '"')
            return f"{path} should be {choices}, instead was {_quoted(given)}."
        case "value_error":
            return f"{path} {context['error']}, instead was {_quoted(given)}."
    return f"{path} should be {KINDS.get(entry['type'], 'valid')}, instead was {_quoted(given)}."


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return f"`{text[:80]}...`" if len(text) > 80 else f"`{text}`"
