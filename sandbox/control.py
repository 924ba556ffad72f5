"""The campus's own routes: an index page for people, the log, the failures and the reset."""

import json
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.faults import Faults, checked
from sandbox.log import RequestLog
from sandbox.lti.flavour import lms_base
from sandbox.pages import esc, page

Revoker = Callable[[Campus, str], object]


class Control:
    """Answers the control routes; `revokers` end all of a person's grants at one service each."""

    def __init__(
        self,
        campus: Campus,
        *,
        log: RequestLog,
        faults: Faults,
        reseed: Callable[[], None],
        revokers: Mapping[str, Revoker],
    ) -> None:
        self._campus = campus
        self._log = log
        self._faults = faults
        self._reseed = reseed
        self._revokers = revokers

    def routes(self) -> list[BaseRoute]:
        """Every control route, relative to /sandbox; in a demo's class, whose visitors are many, only the index."""
        if self._campus.personas:
            return [Route("/", self.index, methods=["GET"])]
        return [
            Route("/", self.index, methods=["GET"]),
            Route("/log", self.read_log, methods=["GET"]),
            Route("/log", self.clear_log, methods=["DELETE"]),
            Route("/faults", self.list_faults, methods=["GET"]),
            Route("/faults", self.add_fault, methods=["POST"]),
            Route("/faults", self.clear_faults, methods=["DELETE"]),
            Route("/reset", self.reset, methods=["POST"]),
            Route("/people", self.list_people, methods=["GET"]),
        ]

    async def index(self, request: Request) -> Response:
        """What the campus is, who lives there, and where to look."""
        origin = esc(self._campus.origin)
        people = "".join(
            f"<li>{esc(person.name)}, {esc(person.role)}, {esc(person.email)}</li>"
            for person in self._campus.people.values()
        )
        return page(
            "A campus to try Homeroom on",
            "<p>Everything here is made up. Homeroom talks to it over real HTTP, as it would talk to your school's "
            "Canvas, to Google Calendar, to Notion and to the model. Nothing leaves this machine.</p>"
            f"<h2>People</h2><ul>{people}</ul>"
            f'<h2>Look around</h2><ul><li><a href="{origin}/canvas/">Canvas: courses and assignments</a></li>'
            f'<li><a href="{esc(lms_base(self._campus))}/canvas/halvorsen/">Canvas with Homeroom in its courses (LTI)'
            "</a>, "
            f'<a href="{esc(lms_base(self._campus))}/moodle/lindgren/">a Moodle</a></li>'
            f'<li><a href="{origin}/canvas/profile/settings">Canvas: make an access token</a></li>'
            f'<li><a href="{origin}/canvas/calendar">Canvas: the addresses of calendar feeds</a></li>'
            f'<li><a href="{origin}/mail/">E-mails that arrived</a></li>'
            f'<li><a href="{origin}/push/">Pretend phones, and the notifications that arrived</a></li>'
            f'<li><a href="{origin}/log">The log of every request</a>'
            f' (<a href="{origin}/log?writes=1">writes only</a>)</li>'
            f'<li><a href="{origin}/faults">Failures that are set</a></li></ul>',
        )

    async def read_log(self, request: Request) -> Response:
        """GET /log?service=&method=&writes=1&since=ID"""
        query = request.query_params
        since = query.get("since", "0")
        if not since.isdigit() or set(query) - {"service", "method", "writes", "since"}:
            return _refuse("known parameters: service, method, writes=1, since=ID")
        entries = self._log.find(
            service=query.get("service"),
            method=query.get("method", "").upper() or None,
            writes=query.get("writes") == "1",
            since=int(since),
        )
        return JSONResponse({"entries": entries})

    async def clear_log(self, request: Request) -> Response:
        """Forget every entry."""
        self._log.clear()
        return Response(status_code=204)

    async def list_faults(self, request: Request) -> Response:
        """Every failure that is set, with how often it was seen and used."""
        return JSONResponse({"faults": self._faults.all()})

    async def add_fault(self, request: Request) -> Response:
        """Set one failure, or end a person's grants at a service ("revoke_tokens")."""
        try:
            wish = checked(dict(json.loads(await request.body())))
        except (ValueError, TypeError) as error:
            return _refuse(str(error))
        if wish["fault"] == "revoke_tokens":
            return self._revoke(wish["service"], wish["person"])
        return JSONResponse(self._faults.add(wish), 201)

    async def clear_faults(self, request: Request) -> Response:
        """Forget every failure; requests that hang are let go."""
        self._faults.clear()
        return Response(status_code=204)

    async def reset(self, request: Request) -> Response:
        """Make the campus as new: data seeded anew around today, no grants, no failures, an empty log."""
        self._reseed()
        return Response(status_code=204)

    async def list_people(self, request: Request) -> Response:
        """The people, for programs."""
        people = [vars(person) for person in self._campus.people.values()]
        return JSONResponse({"people": people})

    def _revoke(self, service: str, person: str) -> Response:
        if service not in self._revokers or person not in self._campus.people:
            return _refuse("no such service or person")
        return JSONResponse({"revoked": self._revokers[service](self._campus, person)}, 201)


def _refuse(reason: str) -> Response:
    return JSONResponse({"error": reason}, 400)
