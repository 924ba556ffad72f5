"""Students with calendar feeds of the campus, with or without Google Calendar beside them."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

import pytest

from sandbox.canvas.feed import CODES
from services.connections.connector import Grant
from services.integrations.base import Integration
from services.integrations.calendar_feed import ORIGIN, integration
from services.runtime.clock import utc_now
from services.safety.fetch import SafeFetch
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import google, grant_of

__all__ = ["google"]

Reader = Callable[..., Calendars]


def feed_of(campus: CampusServer, clock: Callable[[], datetime] = utc_now) -> Integration:
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(campus.url))
    return integration({}, SafeFetch(allow=frozenset({origin})), clock)


def canvas_feed(campus: CampusServer, person: str = "maya") -> str:
    return f"{campus.url}/canvas/feeds/calendars/user_{CODES[person]}.ics"


def grant(feed: Integration, *addresses: str) -> Grant:
    assert feed.read_token is not None
    return Grant(origin=ORIGIN, access_token=feed.read_token(" ".join(addresses)))


@pytest.fixture
def feed(campus: CampusServer) -> Integration:
    return feed_of(campus)


@pytest.fixture
def reader(campus: CampusServer, feed: Integration) -> Reader:
    """Calls of a student with the feeds of these names ("ics/rowing.ics"); Canvas's own when none is named."""

    def make(*names: str) -> Calendars:
        addresses = [f"{campus.url}/{name}" for name in names] or [canvas_feed(campus)]
        return Calendars(integrations={feed.id: feed}, grants={feed.id: grant(feed, *addresses)})

    return make


@pytest.fixture
def both(campus: CampusServer, feed: Integration, google: Integration) -> Calendars:
    """Maya with Canvas's feed and Google Calendar."""
    return Calendars(
        integrations={feed.id: feed, google.id: google},
        grants={feed.id: grant(feed, canvas_feed(campus)), google.id: grant_of(campus)},
    )
