"""`LmsLaunches`: launches that have begun in a browser, from the login initiation to the token."""

import json
import secrets
from datetime import datetime, timedelta
from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.school import Row
from sandbox.lti.flavour import CANVAS, Flavour
from sandbox.lti.people import LmsPeople, context_id, subject
from sandbox.lti.tools import Tool
from sandbox.people import Person

KIND, RETURNS = "lti.launches", "lti.returns"
LASTS = timedelta(minutes=5)
RESOURCE_LINK, DEEP_LINKING = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"


class LmsLaunches:
    """A launch is found again by its message hint, works once, and belongs to one person."""

    def __init__(self, campus: Campus, people: LmsPeople) -> None:
        self._campus, self._state, self._people = campus, campus.state, people

    def begin(
        self, flavour: Flavour, tool: Tool, person: Person, course: Row, *, message: str, link: Row | None, is_tab: bool
    ) -> dict[str, Any]:
        """Note a launch; the parameters of its login initiation (Security Framework 1.0, section 5.1.1.1)."""
        school, number = tool["school"], secrets.token_hex(8)
        hint = subject(flavour, school, self._people.user_of(person))
        launch = {
            "id": number,
            "client_id": tool["client_id"],
            "person": person.id,
            "course_id": course["id"],
            "message": message,
            "resource_link": self._resource_link(flavour, school, course, link),
            "target": link["url"] if link else tool["target_link_uri"],
            "is_tab": is_tab,
            "login_hint": hint,
            "until": (self._campus.now() + LASTS).isoformat(),
        }
        message_hint = _message_hint(flavour, number)
        self._state.put(KIND, message_hint, launch)
        if message == DEEP_LINKING:
            noted = {"course_id": course["id"], "client_id": tool["client_id"], "data": opaque_data(flavour, number)}
            self._state.put(RETURNS, number, noted)
        asked = {
            "iss": flavour.issuer(self._campus, school),
            "login_hint": hint,
            "target_link_uri": launch["target"],
            "client_id": tool["client_id"],
            "lti_message_hint": message_hint,
            "lti_deployment_id": tool["deployments"][0],
        }
        if flavour is CANVAS:
            # Canvas adds parameters of its own, which a tool has to pass over.
            asked |= {"deployment_id": tool["deployments"][0], "canvas_region": "us-east-1"}
            asked |= {"canvas_environment": "prod"}
            asked |= {} if is_tab else {"lti_storage_target": flavour.storage_target}
        return asked

    def take(self, message_hint: str) -> dict[str, Any] | None:
        """The launch behind a message hint, once; None for one that is unknown, used or too old."""
        with self._state.transaction():
            launch: dict[str, Any] | None = self._state.get(KIND, message_hint)
            self._state.delete(KIND, message_hint)
        return launch if launch and self._campus.now() < datetime.fromisoformat(launch["until"]) else None

    def _resource_link(self, flavour: Flavour, school: str, course: Row, link: Row | None) -> dict[str, Any]:
        if link:
            return {"id": link["id"], "title": link["title"]}
        # In Canvas what stands in a course's navigation has the course's own id; in Moodle it is an activity.
        return {
            "id": context_id(flavour, school, course) if flavour is CANVAS else "1",
            "title": course["name"] if flavour is CANVAS else "Homeroom",
        }


def _message_hint(flavour: Flavour, number: str) -> str:
    """Opaque to tools: Canvas sends a signed text, Moodle JSON with every sign that an address must escape."""
    if flavour is CANVAS:
        return f"eyJ0eXAiOiJKV1QifQ.{secrets.token_urlsafe(120)}.{number}"
    return json.dumps({"cmid": "1", "launchid": f"ltilaunch1_{number}"})


def opaque_data(flavour: Flavour, number: str) -> str | None:
    """What a tool must give back with its links; Canvas keeps it in the address instead."""
    return None if flavour is CANVAS else f"{number}:é & «x»"
