"""`@tool`: one decorator turns a typed, documented function into a tool; the schema is never written twice."""

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from services.errors import BadArguments
from services.i18n import validation_messages
from services.tools.coercion import find_mistyped_values, without_nulls
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Effect, Example, Preview, Tool, Undo


def tool(
    *,
    label: str,
    category: str,
    contexts: tuple[str, ...],
    title: str = "",
    summary: str = "",
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
    also_changes: tuple[str, ...] = (),
    produces: tuple[str, ...] = (),
    examples: tuple[Example, ...] = (),
    rate: CallRate | None = None,
    fresh_for_s: float = 0.0,
    asks_student: bool = False,
    provenance: Any = None,
    told: Any = None,
) -> Callable[[Callable[..., ToolResult]], Tool]:
    """Make a tool of a function whose first parameter is the context and whose others are keyword-only.

    Name, description and schema come from the function: its name, its docstring, and its annotated parameters
    (`Annotated[str, Field(description="…")]`). provenance, told: no longer read.
    """
    if provenance is not None or told is not None:
        sentence = "@tool(provenance=…) says nothing any more: declare fields where they are read."
        warnings.warn(sentence, DeprecationWarning, stacklevel=2)

    def make(function: Callable[..., ToolResult]) -> Tool:
        arguments = _arguments_model(function)
        schema = _schema(arguments)
        return Tool(
            name=function.__name__,
            description=inspect.cleandoc(function.__doc__ or ""),
            label=label,
            title=title or label,
            summary=summary,
            service=service,
            category=category,
            contexts=contexts,
            effect=effect,
            integration=integration,
            schema=schema,
            validate=_validator(arguments, schema),
            function=function,
            preview=preview,
            undo=undo,
            timeout_s=timeout_s,
            is_optional=is_optional,
            usage_hint=usage_hint,
            when=when,
            when_not=when_not,
            capabilities=capabilities,
            also_changes=also_changes,
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


def _validator(arguments: type[BaseModel], schema: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    def validate(raw: Mapping[str, Any]) -> dict[str, Any]:
        mistyped = find_mistyped_values(raw, schema)
        try:
            checked = arguments.model_validate(without_nulls(raw, schema))
        except ValidationError as error:
            raise _misfit(mistyped, error, arguments) from None
        if mistyped:
            raise _misfit(mistyped, None, arguments)
        return {name: getattr(checked, name) for name in arguments.model_fields}

    return validate


def _misfit(
    mistyped: Mapping[str, Sequence[str]], error: ValidationError | None, model: type[BaseModel]
) -> BadArguments:
    """Error that tells all that is wrong at once: for the model with what was given, for a form without."""

    def messages(*, with_given: bool) -> Mapping[str, Sequence[str]]:
        if error is None:
            return mistyped
        return {**validation_messages.errors_by_place(error, model, "arguments", with_given=with_given), **mistyped}

    for_a_form = messages(with_given=False)
    return BadArguments(
        validation_messages.first_sentences(messages(with_given=True)),
        field=next(iter(for_a_form)),
        wrong=validation_messages.sentence_by_place(for_a_form),
        said=validation_messages.first_sentences(for_a_form),
    )
