"""Canvas's settings page, where a person makes an access token by hand, sees it once, and can delete it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import TIMEZONE, acting_as
from sandbox.canvas.oauth import TOKEN_PREFIX
from sandbox.canvas.school import School
from sandbox.class_list.claims import Claims
from sandbox.grants import Grants
from sandbox.pages import esc, hidden_fields, message_page, page, person_choices
from sandbox.people import Person

LIFETIME = timedelta(days=120)


class TokenPage:
    """GET and POST /profile/settings."""

    def __init__(self, school: School, grants: Grants) -> None:
        self._school = school
        self._grants = grants

    def routes(self) -> list[BaseRoute]:
        """Both routes, relative to Canvas's base."""
        return [
            Route("/profile/settings", self.show, methods=["GET"]),
            Route("/profile/settings", self.change, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Who you are, and the tokens there are."""
        return page("Account settings", self._new_token_form(request) + self._approved(request), site="Canvas")

    async def change(self, request: Request) -> Response:
        """Make a token, or delete one."""
        form = await request.form()
        if form.get("delete"):
            if any(grant["id"] == form["delete"] for grant in self._grants_of(request)):
                self._grants.close(str(form["delete"]))
            return page("Deleted", _back(request, "The token no longer works."), site="Canvas")
        person = self._people(request).get(str(form.get("person", "")))
        if person is None:
            return message_page("Nobody by that name", "Go back and choose a person of the campus.", site="Canvas")
        acting_as(request, person.id, write=False)
        expires = self._school.campus.now() + LIFETIME
        grant = self._grants.open(
            person=person.id, purpose=str(form.get("purpose") or "Homeroom"), is_oauth=False, until=expires.isoformat()
        )
        lifetime_s = int(LIFETIME.total_seconds())
        token = self._grants.token(grant, "access", lifetime_s=lifetime_s, prefix=TOKEN_PREFIX)
        body = (
            f"<p>{esc(person.name)}, copy this token now. Canvas shows it only once.</p>"
            f'<p><code id="token">{esc(token)}</code></p>'
            f"<p>It expires on {expires.astimezone(TIMEZONE).strftime('%A, %d %B %Y')}.</p>"
        )
        return page("Access token details", body + _back(request, ""), site="Canvas")

    def _new_token_form(self, request: Request) -> str:
        people = person_choices(self._people(request))
        return (
            f'<form method="post" action="{esc(request.url.path)}"><fieldset><legend>Who are you?</legend>{people}'
            '</fieldset><p><label>Purpose <input name="purpose" value="Homeroom" maxlength="60"></label></p>'
            '<button class="go">New access token</button></form>'
        )

    def _approved(self, request: Request) -> str:
        rows = "".join(
            f"<tr><td>{esc(self._school.campus.people[grant['person']].name)}: {esc(grant['purpose'])} "
            f"({'by sign-in' if grant['is_oauth'] else 'token'})</td>"
            f'<td><form method="post" action="{esc(request.url.path)}">{hidden_fields({"delete": grant["id"]})}'
            "<button>Delete</button></form></td></tr>"
            for grant in self._grants_of(request)
        )
        return f"<h2>Approved integrations</h2><table>{rows}</table>" if rows else ""

    def _grants_of(self, request: Request) -> list[dict[str, Any]]:
        people = self._people(request)
        return [grant for grant in self._grants.all() if grant["person"] in people]

    def _people(self, request: Request) -> Mapping[str, Person]:
        return Claims(self._school.campus).people_for(request)


def _back(request: Request, sentence: str) -> str:
    return f'<p>{esc(sentence)}</p><p><a href="{esc(request.url.path)}">Back to settings</a></p>'
