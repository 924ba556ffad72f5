"""The authorisation endpoint: the second step of a launch (Security Framework 1.0, section 5.1.1.2 and 5.1.1.3)."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus, acting_as
from sandbox.lti.flavour import FLAVOURS, Flavour
from sandbox.lti.launches import LmsLaunches
from sandbox.lti.lms_page import carried_on, lms_message
from sandbox.lti.messages import claims_of
from sandbox.lti.people import LmsPeople
from sandbox.lti.switches import LmsSwitches, changed
from sandbox.lti.tokens import id_token
from sandbox.lti.tools import LmsTools, Tool
from sandbox.refusals import Refused

WANTED = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}


class Authorization:
    """Gives a token to the tool that began, for the launch that began, about the person who is signed in."""

    def __init__(self, campus: Campus, people: LmsPeople) -> None:
        self._campus, self._people, self._tools = campus, people, LmsTools(campus)
        self._launches, self._switches = LmsLaunches(campus, people), LmsSwitches(campus.state)

    def routes(self) -> list[BaseRoute]:
        """One for each flavour."""
        return [
            Route(f"/{flavour.name}/{{school}}{flavour.authorization}", self._of(flavour), methods=["GET", "POST"])
            for flavour in FLAVOURS.values()
        ]

    async def answer(self, request: Request, flavour: Flavour) -> Response:
        """Check every parameter and post the token to the tool; an error, too, or show it where that is unsafe."""
        pairs = list(request.query_params.multi_items())
        if request.method == "POST":
            pairs += [(name, str(value)) for name, value in (await request.form()).multi_items()]
        fields, tool = self._checked(flavour, pairs)
        address, state = fields["redirect_uri"], fields.get("state", "")
        try:
            answer = self._token(request, flavour, tool, fields)
        except _Denied as denied:
            told = {"error": denied.error, "error_description": denied.reason, "state": state}
            return carried_on(flavour, address, told)
        switches = self._switches.of(flavour.name)
        self._switches.used(flavour.name)
        return carried_on(flavour, address, changed({"state": state, "id_token": answer}, switches["response"]))

    def _of(self, flavour: Flavour) -> Any:
        async def answer(request: Request) -> Response:
            return await self.answer(request, flavour)

        return answer

    def _checked(self, flavour: Flavour, pairs: list[tuple[str, str]]) -> tuple[dict[str, str], Tool]:
        fields = dict(pairs)
        tool = self._tools.of_client(fields.get("client_id", ""))
        if len(fields) < len(pairs) or tool is None or tool["flavour"] != flavour.name:
            raise Refused(lms_message(flavour, "This launch cannot go on", "The tool's client_id is unknown."))
        if fields.get("redirect_uri") not in tool["redirect_uris"]:
            raise Refused(lms_message(flavour, "This launch cannot go on", "The redirect_uri is not registered."))
        return fields, tool

    def _token(self, request: Request, flavour: Flavour, tool: Tool, fields: dict[str, str]) -> str:
        for name, wanted in WANTED.items():
            if fields.get(name) != wanted:
                raise _Denied("invalid_request", f"{name} must be {wanted}")
        for name in ("nonce", "state", "login_hint", "lti_message_hint"):
            if not fields.get(name):
                raise _Denied("invalid_request", f"{name} is missing")
        person = self._people.signed_in(request)
        if person is None:
            raise _Denied("login_required", "nobody is signed in")
        launch = self._launches.take(fields["lti_message_hint"])
        if launch is None or launch["client_id"] != tool["client_id"]:
            raise _Denied("invalid_request", "lti_message_hint is not that of a launch that has begun")
        if fields["login_hint"] != launch["login_hint"] or launch["person"] != person.id:
            raise _Denied("access_denied", "login_hint is not that of the person who is signed in")
        course = self._people.course(launch["course_id"])
        role = self._people.role_in(person, course) if course else None
        if course is None or role is None:
            raise _Denied("access_denied", "this person is not in the course")
        acting_as(request, person.id, write=False)
        claims = claims_of(self._campus, flavour, tool, person, course, launch, role=role)
        return self._signed(flavour, {**claims, "nonce": fields["nonce"]})

    def _signed(self, flavour: Flavour, claims: dict[str, Any]) -> str:
        switches = self._switches.of(flavour.name)
        return id_token(
            self._campus.state,
            flavour.name,
            changed(claims, switches["claims"]),
            signature=switches["signature"],
            header=switches["header"],
        )


class _Denied(Exception):
    def __init__(self, error: str, reason: str) -> None:
        super().__init__(error)
        self.error, self.reason = error, reason
