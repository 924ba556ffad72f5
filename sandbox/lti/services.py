"""Services for tools: access tokens by signed assertion, and names and roles (Names and Role Provisioning 2.0)."""

import json
from typing import Any
from urllib.parse import urlencode

from joserfc import jws
from joserfc.errors import JoseError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas.school import Row
from sandbox.grants import Grants
from sandbox.lti.flavour import CANVAS, FLAVOURS, MOODLE, Flavour
from sandbox.lti.messages import roles_of
from sandbox.lti.people import LmsPeople, context_id, subject
from sandbox.lti.switches import LmsSwitches
from sandbox.lti.tool_signatures import BadSignature, ToolSignatures
from sandbox.lti.tools import ROSTER_SCOPE, LmsTools
from sandbox.people import Person

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
MEDIA_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
TOKEN_LIFETIME_S = 3600
PAGE, LARGEST_PAGE = 10, 100


class LmsServices:
    """What a tool asks for without a browser."""

    def __init__(self, campus: Campus, people: LmsPeople) -> None:
        self._campus, self._people, self._tools = campus, people, LmsTools(campus)
        self._signatures, self._grants = ToolSignatures(campus), Grants(campus, "lti")

    def routes(self) -> list[BaseRoute]:
        """The token endpoints and the rosters."""
        course = "/{course_id:int}"
        tokens = [
            Route(f"/{flavour.name}/{{school}}{flavour.token}", self._token_of(flavour), methods=["POST"])
            for flavour in FLAVOURS.values()
        ]
        return [
            *tokens,
            Route(f"/canvas/{{school}}/api/lti/courses{course}/names_and_roles", self.canvas_roster),
            Route(
                f"/moodle/{{school}}/mod/lti/services.php/CourseSection{course}/bindings/2/memberships",
                self.moodle_roster,
            ),
        ]

    def _token_of(self, flavour: Flavour) -> Any:
        async def answer(request: Request) -> Response:
            return await self.token(request, flavour)

        return answer

    async def token(self, request: Request, flavour: Flavour) -> Response:
        """RFC 7523 client credentials: the assertion is signed by the tool, for this endpoint, and used once."""
        form = await request.form()
        fields = {name: str(value) for name, value in form.multi_items()}
        if len(fields) < len(form.multi_items()) or fields.get("grant_type") != "client_credentials":
            return _error(400, "unsupported_grant_type", "grant_type must be client_credentials")
        if fields.get("client_assertion_type") != ASSERTION:
            return _error(400, "invalid_request", "client_assertion_type is not supported")
        assertion = fields.get("client_assertion", "")
        tool = self._tools.of_client(_claimed_subject(assertion))
        if tool is None or tool["flavour"] != flavour.name:
            return _error(401, "invalid_client", "the client is unknown")
        try:
            claims = await self._signatures.claims(tool, assertion, once="jti")
        except BadSignature as error:
            return _error(401, "invalid_client", str(error))
        audience = claims.get("aud")
        allowed = flavour.endpoint(self._campus, tool["school"], flavour.token)
        if claims.get("iss") != claims.get("sub") or allowed not in (
            audience if isinstance(audience, list) else [audience]
        ):
            return _error(401, "invalid_client", "iss and sub must be the client id, aud this endpoint")
        wanted = fields.get("scope", "").split()
        if not wanted or not set(wanted) <= set(tool["scopes"]):
            return _error(400, "invalid_scope", "the tool may not have this scope")
        grant = self._grants.open(person="", client_id=tool["client_id"], school=tool["school"], scopes=wanted)
        token = self._grants.token(grant, "access", lifetime_s=TOKEN_LIFETIME_S)
        told = {"access_token": token, "token_type": "Bearer", "expires_in": TOKEN_LIFETIME_S}
        return JSONResponse({**told, "scope": " ".join(wanted)}, headers={"cache-control": "no-store"})

    async def canvas_roster(self, request: Request) -> Response:
        """Ten people to a page unless asked otherwise; who keeps an e-mail address private has none in it."""
        return self._roster(request, CANVAS)

    async def moodle_roster(self, request: Request) -> Response:
        """Everybody at once unless a limit is given."""
        return self._roster(request, MOODLE)

    def _roster(self, request: Request, flavour: Flavour) -> Response:
        school, course = request.path_params["school"], self._people.course(request.path_params["course_id"])
        if not self._may_read(request, flavour, school):
            return _error(401, "invalid_token", "an access token with the scope of names and roles is needed")
        if course is None or not self._has_tool(flavour, school):
            return _error(404, "not_found", "no such course")
        link = request.query_params.get("rlid")
        if link and link != context_id(flavour, school, course) and not self._is_link(course, link):
            return _error(400, "invalid_request", "Tool does not have access to rlid")
        people = [_member(flavour, school, *member) for member in self._people.members(course)]
        limit, page = self._page_of(request, flavour)
        shown = people[(page - 1) * limit : page * limit] if limit else people
        here = str(request.url.replace(query=""))
        link_header = _links(here, page, limit, len(people), link) if limit else {}
        body = {"id": here, "context": _context(flavour, school, course), "members": shown}
        return JSONResponse(body, headers=link_header, media_type=MEDIA_TYPE)

    def _page_of(self, request: Request, flavour: Flavour) -> tuple[int, int]:
        set_size = LmsSwitches(self._campus.state).of(flavour.name)["page_size"]
        default = set_size or (PAGE if flavour is CANVAS else 0)
        asked, number = request.query_params.get("limit", ""), request.query_params.get("page", "1")
        limit = min(int(asked), LARGEST_PAGE) if asked.isdigit() and int(asked) else default
        return limit, max(1, int(number)) if number.isdigit() else 1

    def _may_read(self, request: Request, flavour: Flavour, school: str) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        grant = self._grants.holder(token) if scheme.lower() == "bearer" else None
        tool = self._tools.of_client(grant["client_id"]) if grant else None
        return bool(
            grant and tool and tool["flavour"] == flavour.name and grant["school"] == school
        ) and ROSTER_SCOPE in (grant or {}).get("scopes", [])

    def _has_tool(self, flavour: Flavour, school: str) -> bool:
        return bool(self._tools.at(flavour, school))

    def _is_link(self, course: Row, link: str) -> bool:
        return any(row["id"] == link for row in self._campus.state.all("lti.links", course_id=course["id"]))


def _member(flavour: Flavour, school: str, user: Row, role: str, person: Person | None) -> dict[str, Any]:
    names = str(user["name"]).split()
    member: dict[str, Any] = {
        "status": "Active",
        "user_id": subject(flavour, school, user),
        "name": user["name"],
        "given_name": names[0],
        "family_name": " ".join(names[1:]),
        "roles": _roster_roles(flavour, role),
    }
    if flavour is CANVAS:
        member |= {"picture": None, "lti11_legacy_user_id": f"{user['id']:040x}"}
    if person is not None:
        member["email"] = person.email
    return member


def _roster_roles(flavour: Flavour, role: str) -> list[str]:
    """In rosters Canvas leaves out roles outside the course, and Moodle writes the short names: in the course's list
    it calls everybody a learner who may not edit the course, an assistant too.
    """
    if flavour is CANVAS:
        return [name for name in roles_of(flavour, role) if "/membership" in name]
    return ["Instructor" if role in ("TeacherEnrollment", "DesignerEnrollment") else "Learner"]


def _context(flavour: Flavour, school: str, course: Row) -> dict[str, str]:
    return {"id": context_id(flavour, school, course), "label": course["course_code"], "title": course["name"]}


def _links(here: str, page: int, limit: int, count: int, link: str | None) -> dict[str, str]:
    last = max(1, -(-count // limit))
    numbers = {"current": page, "first": 1, "last": last, **({"next": page + 1} if page < last else {})}
    more = {"rlid": link} if link else {}
    told = [
        f'<{here}?{urlencode({"limit": limit, "page": number, **more})}>; rel="{name}"'
        for name, number in numbers.items()
    ]
    return {"link": ",".join(told)}


def _claimed_subject(token: str) -> str:
    """Whose token it claims to be, before it is verified."""
    try:
        return str(json.loads(jws.extract_compact(token.encode()).payload).get("sub", ""))
    except (JoseError, ValueError, AttributeError):
        return ""


def _error(status: int, error: str, reason: str) -> Response:
    return JSONResponse({"error": error, "error_description": reason}, status)
