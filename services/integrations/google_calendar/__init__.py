"""Google Calendar integration: agenda, free time, and events added, changed and deleted after approval."""

from collections.abc import Callable, Mapping

import httplib2
from googleapiclient.discovery import build

from services.connections.connector import Grant
from services.i18n import gettext_noop
from services.integrations.base import ConfigField, Integration
from services.integrations.calendar.provider import READ, WRITE
from services.integrations.google_calendar.client import GoogleCalendarClient, GoogleTimeouts
from services.integrations.google_calendar.errors import LABEL
from services.integrations.google_calendar.oauth import (
    PERMISSIONS,
    GoogleEndpoints,
    GoogleOAuth,
    endpoints_at,
    google_account,
)
from services.integrations.google_calendar.provider import GoogleCalendarProvider
from services.integrations.kit.http_client import shared_client
from services.runtime.clock import utc_now

GIVES = (READ, WRITE)
SETUP = gettext_noop(
    "Make an OAuth client of the type “Web application” in Google's console with the Calendar API on and this "
    "Homeroom's address and /connections as its redirect, and set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET."
)
CONFIGURATION = (
    ConfigField(
        env="GOOGLE_CLIENT_ID",
        description="The id of an OAuth client of the type “Web application”, with the Calendar API on.",
        required=True,
    ),
    ConfigField(env="GOOGLE_CLIENT_SECRET", description="The secret of that client.", required=True, is_secret=True),
    ConfigField(
        env="GOOGLE_API_BASE_URL",
        description="Only for tests and gateways: another address that plays Google's sign-in and API.",
        kind="address",
    ),
)


def integration(extension: Mapping[str, str], limits: GoogleTimeouts = GoogleTimeouts()) -> Integration:  # noqa: B008 - frozen
    """Build the integration with this deployment's OAuth client."""
    google = endpoints_at(extension.get("API_BASE_URL", ""))
    client = {"client_id": extension["CLIENT_ID"], "client_secret": extension["CLIENT_SECRET"]}
    oauth = GoogleOAuth(**client, endpoints=google, clock=utc_now)
    return _described(google, oauth, _clients(google, limits))


def _described(
    google: GoogleEndpoints, oauth: GoogleOAuth, client: Callable[[Grant], GoogleCalendarProvider]
) -> Integration:
    return Integration(
        id="google_calendar",
        label=LABEL,
        icon=":material/calendar_month:",
        category="calendar",
        summary=gettext_noop(
            "Sees what is in your Google calendars, finds free time, and adds or changes events when you approve."
        ),
        reads_briefly=gettext_noop("the calendars that you tick"),
        reads=(gettext_noop("the list of your calendars"), gettext_noop("the events in those you have ticked")),
        writes=(gettext_noop("events, also repeating ones, in calendars that you may edit"),),
        consent=gettext_noop(
            "When you ask about your time, Homeroom reads events from your Google calendars and sends those it needs "
            "(titles, times, places, notes, how many guests) to Anthropic's Claude, which writes the answer; it uses "
            "them for nothing else, and what was answered stays in your conversations here until you delete them. "
            "Nothing in your calendar is added, changed or deleted before you approve it, and you can disconnect at "
            "any time."
        ),
        origins=(google.origin,),
        oauth=oauth,
        identify=lambda grant: google_account(client(grant)),
        client=client,
        tools=(),
        capabilities=frozenset(GIVES),
        permissions=PERMISSIONS,
    )


def _clients(google: GoogleEndpoints, limits: GoogleTimeouts) -> Callable[[Grant], GoogleCalendarProvider]:
    """Factory of clients for grants; they share the API description and the connections."""

    # The library wants an httplib2 object to begin with; every request is executed with another one.
    api = build(
        "calendar",
        "v3",
        static_discovery=True,
        http=httplib2.Http(),
        client_options={"api_endpoint": google.api},
    )
    http = shared_client("google_calendar", limits.request_s)

    def client(grant: Grant) -> GoogleCalendarProvider:
        google = GoogleCalendarClient(api, http, grant.access_token, backoff=grant.backoff, limits=limits)
        return GoogleCalendarProvider(google)

    return client
