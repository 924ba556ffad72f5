"""`LmsTools`: the tools that are installed at a school, and where each may be sent and be sent back to."""

import hashlib
from typing import Any

from sandbox.campus import Campus
from sandbox.lti.flavour import CANVAS, Flavour

KIND = "lti.tools"
HOMEROOM_CLIENT = "170000000000042"
ROSTER_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
Tool = dict[str, Any]


class LmsTools:
    """A tool is a dict: client_id, flavour, school, name, initiate_login_uri, redirect_uris, target_link_uri, jwks_uri,
    deployments, scopes, domain, custom.
    """

    def __init__(self, campus: Campus) -> None:
        self._campus, self._state = campus, campus.state

    def of_client(self, client_id: str) -> Tool | None:
        """The tool with this client id, at whichever school."""
        return self._state.get(KIND, client_id)

    def at(self, flavour: Flavour, school: str) -> list[Tool]:
        """What is installed at a school."""
        return self._state.all(KIND, flavour=flavour.name, school=school)

    def install(self, tool: Tool) -> Tool:
        """Install a tool, or change one that is there."""
        self._state.put(KIND, tool["client_id"], tool)
        return tool


def deployment_id(flavour: Flavour, school: str, client_id: str) -> str:
    """Canvas's ids are a number and a hash; Moodle counts."""
    digest = hashlib.sha1(f"{school} {client_id}".encode(), usedforsecurity=False).hexdigest()
    return f"{7 + flavour.schools.index(school)}:{digest}" if flavour is CANVAS else str(int(digest[:4], 16))


def homeroom(origin: str, flavour: Flavour, school: str, client_id: str) -> Tool:
    """Homeroom as an administrator has typed it in, at its address such as "http://localhost:8501"."""
    return {
        "client_id": client_id,
        "flavour": flavour.name,
        "school": school,
        "name": "Homeroom",
        "initiate_login_uri": f"{origin}/lti/login",
        "redirect_uris": [f"{origin}/lti/launch"],
        "target_link_uri": f"{origin}/lti/launch",
        "jwks_uri": f"{origin}/lti/jwks",
        "deployments": [deployment_id(flavour, school, client_id)],
        "scopes": [ROSTER_SCOPE],
        "domain": origin.partition("://")[2],
        "custom": {},
    }
