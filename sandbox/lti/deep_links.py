"""Deep linking: the tool's answer comes back through the browser, and its links stand in the course from then on."""

import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas.school import Row
from sandbox.lti.flavour import CANVAS, MOODLE, Flavour
from sandbox.lti.launches import RETURNS
from sandbox.lti.lms_page import lms_message, lms_page
from sandbox.lti.people import LmsPeople
from sandbox.lti.tool_signatures import BadSignature, ToolSignatures
from sandbox.lti.tools import LmsTools, Tool
from sandbox.pages import esc

LINKS = "lti.links"
_LTI = "https://purl.imsglobal.org/spec/lti/claim"
_DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim"
TYPES = {"canvas": ("link", "file", "html", "ltiResourceLink", "image"), "moodle": ("ltiResourceLink",)}


class DeepLinks:
    """Where tools return to. A return is open while its launch was the last that somebody began in this course."""

    def __init__(self, campus: Campus, people: LmsPeople) -> None:
        self._campus, self._state, self._people = campus, campus.state, people
        self._tools, self._signatures = LmsTools(campus), ToolSignatures(campus)

    def routes(self) -> list[BaseRoute]:
        """The return addresses."""
        return [
            Route("/canvas/{school}/courses/{course_id:int}/deep_linking_response", self.canvas, methods=["POST"]),
            Route("/moodle/{school}/mod/lti/contentitem_return.php", self.moodle, methods=["POST"]),
        ]

    def links(self, flavour: Flavour, school: str, course: Row) -> list[Row]:
        """What was linked in a course, oldest first."""
        return self._state.all(LINKS, flavour=flavour.name, school=school, course_id=course["id"])

    async def canvas(self, request: Request) -> Response:
        """Canvas knows its launch by `data` in the address."""
        number = request.query_params.get("data", "")
        return await self._returned(request, CANVAS, request.path_params["course_id"], number)

    async def moodle(self, request: Request) -> Response:
        """Moodle knows its launch by `id` in the address, and by `data` in the token."""
        query = request.query_params
        course = query.get("course", "")
        number = query.get("id", "")
        return await self._returned(request, MOODLE, int(course) if course.isdigit() else 0, number)

    async def _returned(self, request: Request, flavour: Flavour, course_id: int, number: str) -> Response:
        form = await request.form()
        school, tokens = request.path_params["school"], form.getlist("JWT")
        expected = self._state.get(RETURNS, number)
        course = self._people.course(course_id)
        if expected is None or course is None or expected["course_id"] != course_id or len(tokens) != 1:
            return lms_message(flavour, "Nothing was added", "This course did not ask for links just now.")
        tool = self._tools.of_client(expected["client_id"])
        try:
            if tool is None or tool["school"] != school:
                raise BadSignature("the tool is not installed here")
            claims = await self._signatures.claims(tool, str(tokens[0]), once="nonce")
            items = self._checked(flavour, tool, claims, expected)
        except BadSignature as error:
            return lms_message(flavour, "Nothing was added", f"The tool's answer is not right: {error}.")
        self._state.delete(RETURNS, number)
        for item in items:
            self._add(flavour, school, course_id, item, tool)
        course_url = f"{flavour.site(self._campus, school)}/courses/{course_id}"
        back = f'<p><a class="back" href="{esc(course_url)}" target="_parent">Back to the course</a></p>'
        return lms_page(flavour, "The link is in the course", back, script="leave")

    def _checked(
        self, flavour: Flavour, tool: Tool, claims: dict[str, Any], expected: dict[str, Any]
    ) -> list[dict[str, Any]]:
        issuer, audience = flavour.issuer(self._campus, tool["school"]), claims.get("aud")
        if claims.get("iss") != tool["client_id"]:
            raise BadSignature("iss must be the client id")
        if issuer not in (audience if isinstance(audience, list) else [audience]):
            raise BadSignature("aud must be the platform's issuer")
        wanted = {
            f"{_LTI}/message_type": "LtiDeepLinkingResponse",
            f"{_LTI}/version": "1.3.0",
            f"{_LTI}/deployment_id": tool["deployments"][0],
            f"{_DEEP}/data": expected["data"],
        }
        for name, value in wanted.items():
            if claims.get(name) != value:
                raise BadSignature(f"{name.rpartition('/')[2]} is wrong")
        items = claims.get(f"{_DEEP}/content_items", [])
        if not isinstance(items, list):
            raise BadSignature("content_items must be a list")
        for item in items:
            self._check_item(flavour, tool, item)
        return items

    def _check_item(self, flavour: Flavour, tool: Tool, item: Any) -> None:
        if not isinstance(item, dict) or item.get("type") not in TYPES[flavour.name]:
            raise BadSignature("a content item has a type that was not asked for")
        url = item.get("url", tool["target_link_uri"])
        origin = tool["initiate_login_uri"].partition("/lti/")[0]
        if not isinstance(url, str) or not url.startswith(f"{origin}/"):
            raise BadSignature("the url of a link must be the tool's own")
        if not isinstance(item.get("title", ""), str):
            raise BadSignature("title must be a text")

    def _add(self, flavour: Flavour, school: str, course_id: int, item: dict[str, Any], tool: Tool) -> None:
        number = secrets.token_hex(20) if flavour is CANVAS else str(len(self._state.all(LINKS)) + 2)
        link = {
            "id": number,
            "flavour": flavour.name,
            "school": school,
            "course_id": course_id,
            "client_id": tool["client_id"],
            "title": item.get("title") or tool["name"],
            "url": item.get("url", tool["target_link_uri"]),
        }
        self._state.put(LINKS, number, link)
