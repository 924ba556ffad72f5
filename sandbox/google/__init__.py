"""The campus's Google: consent, tokens, Calendar v3, held to the API's own discovery document."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.google.access import Access
from sandbox.google.errors import not_found
from sandbox.google.events import EventMethods
from sandbox.google.lookups import LookupMethods
from sandbox.google.oauth import OAuthPages
from sandbox.google.pages import CalendarPages
from sandbox.google.seed import seed_calendars
from sandbox.grants import Grants

API = "/calendar/v3"
EVENTS = f"{API}/calendars/{{calendar_id}}/events"


def seed(campus: Campus) -> None:
    """Everyone's calendar on the first day."""
    seed_calendars(campus)


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/google."""
    grants = Grants(campus, "google")
    access = Access(campus, grants)
    oauth, pages = OAuthPages(campus, grants), CalendarPages(campus)
    events, lookups = EventMethods(campus, access), LookupMethods(campus, access)
    return [
        Route("/o/oauth2/v2/auth", oauth.ask, methods=["GET"]),
        Route("/o/oauth2/v2/auth", oauth.decide, methods=["POST"]),
        Route("/token", oauth.token, methods=["POST"]),
        Route("/revoke", oauth.revoke, methods=["POST"]),
        Route(f"{API}/users/me/calendarList", lookups.list_calendars, methods=["GET"]),
        Route(f"{API}/users/me/calendarList/{{calendar_id}}", lookups.get_entry, methods=["GET"]),
        Route(f"{API}/users/me/settings", lookups.list_settings, methods=["GET"]),
        Route(f"{API}/users/me/settings/{{setting}}", lookups.get_setting, methods=["GET"]),
        Route(f"{API}/calendars/{{calendar_id}}", lookups.get_calendar, methods=["GET"]),
        Route(f"{API}/freeBusy", lookups.free_busy, methods=["POST"]),
        Route(EVENTS, events.list, methods=["GET"]),
        Route(EVENTS, events.insert, methods=["POST"]),
        Route(f"{EVENTS}/import", events.import_event, methods=["POST"]),
        Route(f"{EVENTS}/{{event_id}}", events.get, methods=["GET"]),
        Route(f"{EVENTS}/{{event_id}}", events.patch, methods=["PATCH"]),
        Route(f"{EVENTS}/{{event_id}}", events.update, methods=["PUT"]),
        Route(f"{EVENTS}/{{event_id}}", events.delete, methods=["DELETE"]),
        Route(f"{EVENTS}/{{event_id}}/instances", events.instances, methods=["GET"]),
        Route("/", pages.index, methods=["GET"]),
        Route("/calendar/event", pages.event, methods=["GET"]),
        Route("/calendar/{person}", pages.agenda, methods=["GET"]),
        Route("/{path:path}", _unknown),
    ]


async def _unknown(request: Request) -> Response:
    raise not_found()
