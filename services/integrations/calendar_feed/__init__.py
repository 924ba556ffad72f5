"""Calendar feed integration: due dates and events of any calendar by its address (.ics), read only, no account."""

from collections.abc import Callable, Mapping
from functools import partial

from services.connections.connector import Account, Grant
from services.i18n import gettext_noop
from services.integrations.base import Integration
from services.integrations.calendar.provider import READ
from services.integrations.calendar_feed.feed_addresses import LABEL, addresses_in, as_token
from services.integrations.calendar_feed.feed_cache import FeedCache
from services.integrations.calendar_feed.provider import FeedCalendarProvider
from services.runtime.clock import Clock, utc_now
from services.safety.fetch import SafeFetch

ORIGIN = "calendar-feed"
HELP = gettext_noop(
    "Canvas: Calendar, then “Calendar Feed” at the bottom right. Moodle: Calendar, then “Import or export "
    "calendars”, “Export calendar”, all courses, “Get calendar URL”. Blackboard: Calendar, the gear, “Share "
    "calendar”. Brightspace: Calendar, “Subscribe”. Outlook: Settings, “Shared calendars”, publish one and copy "
    "its ICS link. Others call it “secret address”, “subscribe” or “iCal link”. Addresses that begin with "
    "webcal:// work too; several can be pasted, with a space between them."
)


def integration(extension: Mapping[str, str], fetch: SafeFetch, clock: Clock = utc_now) -> Integration:
    """Build the integration; it needs no settings. `fetch` is the only way to an address that a student named."""
    cache = FeedCache(fetch, clock)
    return Integration(
        id="calendar_feed",
        label=LABEL,
        icon=":material/rss_feed:",
        category="calendar",
        summary=gettext_noop(
            "Your due dates and events from Canvas or any other calendar: paste its address, no account needed."
        ),
        reads_briefly=gettext_noop("the calendars whose addresses you paste"),
        reads=(gettext_noop("the events and due dates in the calendars whose addresses you paste"),),
        writes=(),
        consent=gettext_noop(
            "When you ask about due dates or your time, Homeroom reads the calendar behind the address you paste and "
            "sends the entries it needs (titles, times, places, notes) to Anthropic's Claude, which writes the answer; "
            "the address itself is kept sealed and never shown to anybody. A feed shows no grades and nothing about "
            "what you handed in, nothing can be changed through it, and you can disconnect at any time."
        ),
        origins=(ORIGIN,),
        oauth=None,
        identify=partial(_identify, cache),
        client=_client(cache),
        tools=(),
        accepts_token=True,
        token_name=gettext_noop("calendar address"),
        token_help=HELP,
        read_token=lambda pasted: as_token(addresses_in(pasted)),
        capabilities=frozenset({READ}),
    )


def _client(cache: FeedCache) -> Callable[[Grant], FeedCalendarProvider]:
    return lambda grant: FeedCalendarProvider(cache, addresses_in(grant.access_token))


def _identify(cache: FeedCache, grant: Grant) -> Account:
    """Read the names of the calendars behind the addresses, each read anew."""
    names = [cache.read(url, is_new=True).feed.name for url in addresses_in(grant.access_token)]
    return Account(id=",".join(names), name=", ".join(names))
