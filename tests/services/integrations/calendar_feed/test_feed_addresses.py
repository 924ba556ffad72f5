import pytest

from services.connections.connector import Grant
from services.errors import BadArguments, HomeroomError, ReconnectRequired, RequestRefused, ServiceUnavailable
from services.integrations.base import Integration
from services.integrations.calendar_feed.feed_addresses import addresses_in
from services.safety.fetch import AddressRefused
from tests.campus_server import CampusServer
from tests.services.integrations.calendar_feed.conftest import canvas_feed, grant

SECRET = "Xn3Yq8bT5kLw0aVd"


def test_the_name_of_the_calendar_is_the_account(campus: CampusServer, feed: Integration) -> None:
    both = grant(feed, canvas_feed(campus), f"{campus.url}/ics/rowing.ics")

    assert feed.identify(both).name == "Maya Chen Calendar (Canvas), Rowing club"


@pytest.mark.parametrize(
    ("name", "expected", "words"),
    [
        ("ics/special/page", RequestRefused, "leads to a web page"),
        ("ics/special/nothing", RequestRefused, "nothing at all"),
        ("ics/special/text", RequestRefused, "is not a calendar"),
        ("ics/special/cut", RequestRefused, "breaks off"),
        ("ics/special/huge", RequestRefused, "larger than 3 MB"),
        ("ics/special/inside", AddressRefused, "not a public address"),
        ("ics/gone.ics", ReconnectRequired, "no calendar at this address"),
        ("canvas/feeds/calendars/user_wrong.ics", ReconnectRequired, "no calendar at this address"),
    ],
)
def test_what_is_no_calendar_is_refused_with_the_reason_when_it_is_pasted(
    campus: CampusServer, feed: Integration, name: str, expected: type[HomeroomError], words: str
) -> None:
    with pytest.raises(expected, match=words) as caught:
        feed.identify(grant(feed, f"{campus.url}/{name}"))

    assert caught.value.next_step
    assert name not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://10.0.0.7/cal.ics", "http://169.254.169.254/cal.ics", "http://localhost:9/x"]
)
def test_an_address_inside_a_network_is_never_opened(feed: Integration, address: str) -> None:
    with pytest.raises((AddressRefused, BadArguments)):
        feed.identify(grant(feed, address))


def test_a_feed_that_is_moved_is_followed(campus: CampusServer, feed: Integration) -> None:
    assert feed.identify(grant(feed, f"{campus.url}/ics/special/moved")).name == "Rowing club"


@pytest.mark.parametrize("fault", ["html", "truncate"])
def test_a_service_in_trouble_stores_nothing(campus: CampusServer, feed: Integration, fault: str) -> None:
    campus.fault(service="ics", fault=fault)

    with pytest.raises((RequestRefused, ServiceUnavailable)):
        feed.identify(grant(feed, f"{campus.url}/ics/rowing.ics"))


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("webcal://cal.example/a.ics", ("https://cal.example/a.ics",)),
        ("  WEBCAL://cal.example/a.ics\n", ("https://cal.example/a.ics",)),
        ("https://a.example/1.ics, webcals://b.example/2.ics", ("https://a.example/1.ics", "https://b.example/2.ics")),
        ("<https://a.example/1.ics> https://a.example/1.ics", ("https://a.example/1.ics",)),
    ],
)
def test_addresses_are_read_as_they_are_pasted(pasted: str, kept: tuple[str, ...]) -> None:
    assert addresses_in(pasted) == kept


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("", "Paste the address"),
        ("my calendar", "not an address of a calendar feed"),
        ("file:///etc/passwd", "not an address of a calendar feed"),
        ("https://user:secret@cal.example/a.ics", "."),
        ("https://cal.example/" + "a" * 1000, "too long"),
        (" ".join(f"https://cal.example/{n}.ics" for n in range(6)), "At most 5"),
    ],
)
def test_what_is_no_address_is_refused_and_never_repeated(pasted: str, words: str) -> None:
    with pytest.raises(BadArguments, match=words) as caught:
        addresses_in(pasted)

    assert "secret" not in str(caught.value)
    assert "passwd" not in str(caught.value)


def test_the_address_shows_in_no_repr_and_no_client(campus: CampusServer, feed: Integration) -> None:
    held = Grant(origin="calendar-feed", access_token=f'["{canvas_feed(campus)}"]')

    assert SECRET not in repr(held) + repr(feed.client(held)) + repr(feed)
