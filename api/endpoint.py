"""Endpoint of the HTTP API: one description builds its route and its operation in the OpenAPI document."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from api.workers import Workers
from services.errors import SignInRequired
from services.identity.api_keys import Caller, KeyScope
from services.identity.students import Student
from services.wiring.container import ServiceContainer

PUBLIC: frozenset[KeyScope] = frozenset()
"""Scopes of the few endpoints that answer without a key."""

DEADLINE_S = 15.0
NO_HEADERS: Mapping[str, str] = {}
_VARY = "authorization, x-api-key, accept-language"
"""Request headers on which an answer with a version depends: whose it is, and in which language."""

Result = TypeVar("Result")


class ApiRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ApiAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Problem(ApiAnswer):
    code: str = Field(description="For programs.")
    message: str = Field(description="For people: what happened, and what to do next.")
    agree_at: str | None = Field(default=None, description="With consent_required alone: where the student can agree.")


class ErrorAnswer(ApiAnswer):
    error: Problem


class OpenApiDocument(BaseModel):
    model_config = ConfigDict(extra="allow")

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """Status, body model and headers of a response; no body when None."""

    status: int = 200
    body: BaseModel | None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ApiCall:
    """Request that passed the checks: its caller, path, query and body."""

    services: ServiceContainer = field(repr=False)
    workers: Workers = field(repr=False)
    request: Request = field(repr=False)
    caller: Caller | None
    body: Any = field(default=None, repr=False)
    query: Any = field(default=None, repr=False)

    @property
    def key_holder(self) -> Caller:
        """Caller of an endpoint that is not public."""
        if self.caller is None:
            raise SignInRequired("This needs a key.")
        return self.caller

    @property
    def student(self) -> Student:
        return self.key_holder.student

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    async def run(
        self, function: Callable[..., Result], *arguments: object, kind: str = "own", deadline_s: float = DEADLINE_S
    ) -> Result:
        """Run a blocking function on a worker thread."""
        return await self.workers.run(kind, deadline_s, function, *arguments, lane=self.student.id)


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """scopes: a key needs one of these. parameters: of the path, each with its words. responses: bodies by status.

    problems: statuses of errors beyond those that every route has, each with its words.
    """

    method: str
    path: str
    name: str
    summary: str
    scopes: frozenset[KeyScope]
    handler: Callable[[ApiCall], Awaitable[Reply]]
    responses: Mapping[int, type[BaseModel] | None]
    parameters: Mapping[str, str] = field(default_factory=dict)
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    problems: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_public(self) -> bool:
        return self.scopes is PUBLIC


def etag_headers(tag: str) -> dict[str, str]:
    """The headers of an answer with a version: kept by the program only, and asked for anew each time."""
    return {"etag": tag, "cache-control": "private, no-cache", "vary": _VARY}


def not_modified(tag: str, headers: Mapping[str, str] = NO_HEADERS) -> Reply:
    """304 with what its 200 would tell (RFC 9110, section 15.4.5); Streamlit's compression
    adds its part only to a body.
    """
    return Reply(status=304, body=None, headers={**etag_headers(tag), **headers, "vary": f"{_VARY}, accept-encoding"})


def matches_etag(headers: Mapping[str, str], tag: str) -> bool:
    """Whether `If-None-Match` names the tag; weak and strong ones count as the same (section 13.1.2)."""
    given = [tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")]
    return tag.removeprefix("W/") in given or "*" in given
