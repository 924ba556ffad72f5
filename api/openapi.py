"""OpenAPI 3.1 document, generated from the table of endpoints."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from api.endpoint import Endpoint, ErrorAnswer

VERSION = "1.0"
_REF = "#/components/schemas/{model}"
_EVERYWHERE = {405: "This address knows other methods only.", 500: "A mistake of ours; the message has its number."}
_WITH_KEY = {
    401: "No key, or one that is unknown, revoked or expired.",
    403: "The key lacks the scope, or the student has not agreed (`consent_required`, with `agree_at`).",
    429: "Too many requests; wait as long as Retry-After says.",
    503: "Too much is going on, or a part of Homeroom is down.",
    504: "This took too long.",
}
_WITH_BODY = {
    400: "The body is not JSON.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    415: "The body is not application/json.",
}
_FITTING = {422: "What was sent does not fit."}


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Homeroom",
            "version": VERSION,
            "description": "For a student's own programs, with a key from Settings. A key's scopes are under "
            "`x-scopes`: it needs one of them.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(endpoints),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "hr_…"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "security": [] if endpoint.is_public else [{"bearer": []}, {"key": []}],
        "x-scopes": sorted(endpoint.scopes),
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint)],
        "responses": {**_responses(endpoint), **_problems(endpoint)},
    }
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": _json(endpoint.body)}
    return operation


def _path_parameters(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"{(\w+)}", endpoint.path):
        words = endpoint.parameters[name]
        yield {"name": name, "in": "path", "required": True, "description": words, "schema": {"type": "string"}}


def _query_parameters(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    if endpoint.query is None:
        return
    schema = endpoint.query.model_json_schema()
    for name, prop in schema["properties"].items():
        yield {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": prop}


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    return {
        str(status): {"description": "Nothing has changed."}
        if model is None
        else {"description": model.__name__, "content": _json(model)}
        for status, model in endpoint.responses.items()
    }


def _problems(endpoint: Endpoint) -> dict[str, Any]:
    found = {
        **_EVERYWHERE,
        **({} if endpoint.is_public else _WITH_KEY),
        **(_WITH_BODY if endpoint.body else {}),
        **(_FITTING if endpoint.body or endpoint.query else {}),
        **endpoint.problems,
    }
    return {str(status): {"description": words, "content": _json(ErrorAnswer)} for status, words in found.items()}


def _json(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(model=model.__name__)}}}


def _schemas(endpoints: Sequence[Endpoint]) -> Mapping[str, Any]:
    wanted: dict[tuple[type[BaseModel], JsonSchemaMode], None] = {(ErrorAnswer, "serialization"): None}
    for endpoint in endpoints:
        wanted |= {(model, "serialization"): None for model in endpoint.responses.values() if model is not None}
        if endpoint.body is not None:
            wanted[(endpoint.body, "validation")] = None
    _, definitions = models_json_schema(list(wanted), ref_template=_REF)
    schemas: Mapping[str, Any] = definitions["$defs"]
    return schemas
