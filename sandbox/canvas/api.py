"""One request to Canvas's REST API: who asks, what they may ask for, and how the answer is paged."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sandbox.campus import TIMEZONE, acting_as
from sandbox.canvas.answers import (
    answer,
    bad_request,
    bad_token,
    no_token,
    not_allowed,
    not_found,
    outside_scopes,
    with_string_ids,
)
from sandbox.canvas.pagination import paged
from sandbox.canvas.school import Row, School
from sandbox.canvas.throttle import Throttle
from sandbox.grants import Grants

STRING_IDS = "application/json+canvas-string-ids"
PAGING = {"page": None, "per_page": None}
STRICT = ("bucket",)
"""Parameters whose unknown values Canvas refuses (app/controllers/assignments_api_controller.rb)."""
TRUE = ("1", "true", "t", "on", "yes")
Choices = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One documented GET: parameter names without [], each with its known values or None for any.

    As Canvas does, what is not known is ignored, but for the names of `STRICT`. `read` returns something to send, or
    a list, which is then paged ("number") or paged by bookmark ("bookmark"). is_slow: answered beside the event loop.
    """

    path: str
    read: Callable[["Call"], Any]
    parameters: Mapping[str, Choices | None] = field(default_factory=dict)
    paging: str = "number"
    is_slow: bool = False


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request whose token and parameters are in order."""

    request: Request
    school: School
    user: Row
    fields: Mapping[str, list[str]]

    @property
    def user_id(self) -> int:
        """Who asks, in Canvas's numbers."""
        number: int = self.user["id"]
        return number

    @property
    def timezone(self) -> ZoneInfo:
        """The asker's time zone, in which bare dates are meant."""
        return TIMEZONE

    def value(self, name: str) -> str | None:
        """A single parameter; the last one wins, as in Rails."""
        return self.fields[name][-1] if self.fields.get(name) else None

    def values(self, name: str) -> list[str]:
        """A parameter that may be repeated."""
        return list(self.fields.get(name, []))

    def flag(self, name: str) -> bool:
        """A yes or no, no when missing."""
        return (self.value(name) or "").lower() in TRUE

    def includes(self, name: str) -> bool:
        """Whether include[] asks for this."""
        return name in self.fields.get("include", [])

    def moment(self, name: str, *, is_end: bool = False) -> datetime | None:
        """A parameter that is a date (from its midnight, or to its end) or an ISO 8601 moment; refuses others."""
        text = self.value(name)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise bad_request(f"Invalid {name}") from None
        if len(text) == len("yyyy-mm-dd"):
            moment = datetime.combine(moment, time.max if is_end else time.min)
        return moment if moment.tzinfo else moment.replace(tzinfo=self.timezone)

    def path(self, name: str) -> str:
        """A part of the path."""
        part: str = self.request.path_params[name]
        return part

    def course(self) -> Row:
        """The course of the path, if the asker is in it."""
        course = self.school.course(self.path("course_id"))
        if course is None:
            raise not_found()
        if course["is_restricted"] or not self.school.enrollment(course["id"], self.user_id):
            raise not_allowed()
        return course

    def is_teacher_of(self, course_id: int) -> bool:
        """Whether the asker teaches the course."""
        enrollment = self.school.enrollment(course_id, self.user_id)
        return enrollment is not None and enrollment["type"] == "TeacherEnrollment"

    def assignment(self) -> Row:
        """The assignment of the path, in the course of the path."""
        course = self.course()
        assignment = self.school.assignment(self.path("assignment_id"))
        if assignment is None or assignment["course_id"] != course["id"]:
            raise not_found()
        return assignment

    def is_self(self, number: str) -> bool:
        """Whether a user's id in a path or parameter means the asker."""
        return number in ("self", str(self.user_id))

    def context_courses(self) -> list[Row] | None:
        """The courses that context_codes[] names, or None when it is missing; refuses what the asker may not see."""
        if not self.values("context_codes"):
            return None
        courses = []
        for code in self.values("context_codes"):
            course = self.school.course(code.removeprefix("course_")) if code.startswith("course_") else None
            if course and (course["is_restricted"] or not self.school.enrollment(course["id"], self.user_id)):
                raise not_allowed()
            courses += [course] if course else []
        return courses

    def days_from_now(self, days: int) -> datetime:
        """The moment so many days from now."""
        return self.school.campus.now() + timedelta(days=days)


def route(school: School, grants: Grants, endpoint: Endpoint, throttle: Throttle) -> Route:
    """The endpoint as a route below /api/v1."""

    async def respond(request: Request) -> Response:
        throttle.take(request.headers.get("authorization", ""))
        call = _checked(request, school, grants, endpoint)
        content = await run_in_threadpool(endpoint.read, call) if endpoint.is_slow else endpoint.read(call)
        if STRING_IDS in request.headers.get("accept", ""):
            content = with_string_ids(content)
        if isinstance(content, list):
            return paged(request, content, by=endpoint.paging)
        return answer(content)

    return Route(f"/api/v1{endpoint.path}", respond, methods=["GET"])


def authorized(request: Request, school: School, grants: Grants, path: str = "") -> Row:
    """The user behind the request's token; refuses a missing or dead one, and one without leave for `path`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise no_token()
    grant = grants.holder(token.strip())
    if grant is None:
        raise bad_token()
    acting_as(request, grant["person"])
    # A token that asked for no scopes may read everything, as with a developer key that enforces none.
    if path and grant.get("scopes") and _pattern(f"url:GET|/api/v1{path}") not in map(_pattern, grant["scopes"]):
        raise outside_scopes()
    return school.user_of(grant["person"])


def _pattern(scope: str) -> str:
    """A scope without the names of its variable parts."""
    return re.sub(r":(?=\w+_?id\b|id\b)\w+|\{\w+\}", "*", scope)


def _checked(request: Request, school: School, grants: Grants, endpoint: Endpoint) -> Call:
    user = authorized(request, school, grants, endpoint.path)
    known = {**PAGING, **endpoint.parameters}
    fields: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        plain = name.removesuffix("[]")
        allowed = known.get(plain, ())
        if allowed is None or value in allowed:
            fields.setdefault(plain, []).append(value)
        elif plain in STRICT and plain in known:
            raise bad_request(f"{plain} name must be one of the following: {', '.join(allowed)}")
    return Call(request=request, school=school, user=user, fields=fields)
