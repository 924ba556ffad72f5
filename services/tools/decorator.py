"""`@tool`: one decorator turns a typed, documented function into a tool; the schema is never written twice."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from services.errors import BadArguments
from services.safety.known import Told
from services.tools.base import Effect, Example, Preview, RatePer, ToldOf, Tool, ToolResult, Undo


def tool(
    *,
    label: str,
    category: str,
    contexts: tuple[str, ...],
    title: str = "",
    summary: str = "",
    told: Told | ToldOf = Told.MIXED,
    service: str = "",
    effect: Effect = Effect.READ,
    integration: str | None = None,
    preview: Preview | None = None,
    undo: Undo | None = None,
    timeout_s: float = 20.0,
    is_optional: bool = False,
    usage_hint: str = "",
    when: tuple[str, ...] = (),
    when_not: tuple[str, ...] = (),
    capabilities: tuple[str, ...] = (),
    produces: tuple[str, ...] = (),
    examples: tuple[Example, ...] = (),
    rate: RatePer | None = None,
    fresh_for_s: float = 0.0,
    asks_student: bool = False,
) -> Callable[[Callable[..., ToolResult]], Tool]:
    """Make a tool of a function whose first parameter is the context and whose others are keyword-only.

    Name, description and schema come from the function: its name, its docstring, and its annotated parameters
    (`Annotated[str, Field(description="…")]`).
    """

    def make(function: Callable[..., ToolResult]) -> Tool:
        arguments = _arguments_model(function)
        return Tool(
            name=function.__name__,
            description=inspect.cleandoc(function.__doc__ or ""),
            label=label,
            title=title or label,
            summary=summary,
            told=told,
            service=service,
            category=category,
            contexts=contexts,
            effect=effect,
            integration=integration,
            schema=_schema(arguments),
            validate=_validator(arguments),
            function=function,
            preview=preview,
            undo=undo,
            timeout_s=timeout_s,
            is_optional=is_optional,
            usage_hint=usage_hint,
            when=when,
            when_not=when_not,
            capabilities=capabilities,
            produces=produces,
            examples=examples,
            rate=rate,
            fresh_for_s=fresh_for_s,
            asks_student=asks_student,
        )

    return make


def _arguments_model(function: Callable[..., ToolResult]) -> type[BaseModel]:
    hints = get_type_hints(function, include_extras=True)
    _context, *parameters = inspect.signature(function).parameters.values()
    fields: dict[str, Any] = {
        p.name: (hints[p.name], ... if p.default is inspect.Parameter.empty else p.default) for p in parameters
    }
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid", str_strip_whitespace=True), **fields)


def _schema(arguments: type[BaseModel]) -> dict[str, Any]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    for prop in schema.get("properties", {}).values():
        prop.pop("title", None)
    schema.setdefault("properties", {})
    return schema


def _validator(arguments: type[BaseModel]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    def validate(raw: Mapping[str, Any]) -> dict[str, Any]:
        try:
            checked = arguments.model_validate(dict(raw))
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            sentence = "; ".join(f"{_path(p['loc'])}: {p['msg']}" for p in problems[:5])
            raise BadArguments(sentence, field=_path(problems[0]["loc"])) from None
        return {name: getattr(checked, name) for name in arguments.model_fields}

    return validate


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "arguments"
