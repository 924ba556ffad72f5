"""Who is calling the Calendar API, what their token allows, and what they ask."""

import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.campus import Campus, acting_as
from sandbox.google.discovery import method, read_query
from sandbox.google.errors import bad_request, changed, refused, required
from sandbox.google.shapes import only_fields
from sandbox.grants import Grants
from sandbox.people import Person

# These appear in the scope lists of many methods but open only free/busy, public events or calendars made by the app.
NARROW_SCOPES = frozenset(
    f"https://www.googleapis.com/auth/calendar.{name}"
    for name in ("events.freebusy", "app.created", "events.public.readonly")
)


@dataclass(frozen=True, kw_only=True)
class Call:
    """An admitted request: the person, the typed query parameters, and what the path and the headers say."""

    request: Request
    person: Person
    arguments: dict[str, Any]

    @property
    def calendar_id(self) -> str:
        """The calendar named in the path."""
        return self.request.path_params["calendar_id"]

    @property
    def event_id(self) -> str:
        """The event named in the path."""
        return self.request.path_params["event_id"]

    async def body(self) -> Any:
        """The JSON body; raises Refused."""
        try:
            return json.loads(await self.request.body())
        except ValueError:
            raise bad_request("Parse Error") from None

    def answer(self, shape: dict[str, Any]) -> Response:
        """The resource, or the part that `fields` asks for; 304 for a GET whose If-None-Match names its etag."""
        etag = shape.get("etag")
        known = [tag.strip().removeprefix("W/") for tag in self.request.headers.get("if-none-match", "").split(",")]
        headers = {"etag": etag} if etag else None
        if etag and self.request.method == "GET" and (etag in known or "*" in known):
            return Response(status_code=304, headers=headers)
        kept = only_fields(shape, self.arguments["fields"]) if "fields" in self.arguments else shape
        return JSONResponse(kept, headers=headers)

    def check_match(self, etag: str) -> None:
        """Raise Refused (412) when the caller's If-Match names another version than this one."""
        wanted = self.request.headers.get("if-match")
        if wanted is not None and wanted != "*" and etag not in [tag.strip() for tag in wanted.split(",")]:
            raise changed()


class Access:
    """Admits requests by bearer token and scope."""

    def __init__(self, campus: Campus, grants: Grants) -> None:
        self._campus = campus
        self._grants = grants

    def admit(self, request: Request, name: str) -> Call:
        """The call of the method `name` ("events.list"); raises Refused (401, 403, 400)."""
        grant = self._grant(request)
        person = self._campus.people[grant["person"]]
        acting_as(request, person.id)
        _check_scope(name, grant["scopes"])
        return Call(request=request, person=person, arguments=read_query(name, request.query_params))

    def _grant(self, request: Request) -> dict[str, Any]:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            raise refused(401, "required", "Login Required.", location="Authorization", location_type="header")
        grant = self._grants.holder(token.strip())
        if grant is None:
            raise refused(401, "authError", "Invalid Credentials", location="Authorization", location_type="header")
        return grant


def _check_scope(name: str, granted: list[str]) -> None:
    enough = set(method(name)["scopes"])
    if not name.startswith("freebusy."):
        enough -= NARROW_SCOPES
    if not enough & set(granted):
        raise refused(403, "insufficientPermissions", "Request had insufficient authentication scopes.")


def need_argument(arguments: dict[str, Any], name: str) -> Any:
    """A parameter that must be there; raises Refused."""
    if arguments.get(name) in (None, ""):
        raise required(f"Missing required parameter: {name}", location=name)
    return arguments[name]
