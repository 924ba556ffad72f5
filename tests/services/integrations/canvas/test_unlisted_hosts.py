"""A Canvas that the operator did not list: only where they say so, only by a pasted token, only through the guard."""

from collections.abc import Sequence

import pytest

from services.connections.connection import Health
from services.connections.connections import Connections
from services.connections.connector import Grant
from services.connections.vault import KeyRing, Vault
from services.errors import BadArguments, RequestRefused, ServiceError, ServiceUnavailable
from services.integrations.base import Integration
from services.integrations.canvas import integration
from services.integrations.canvas.transport import canvas_address
from services.safety.fetch import AddressRefused, SafeFetch
from services.settings import new_vault_key
from services.storage.store import Store
from tests.campus_server import CLIENT_ID, CLIENT_SECRET, CampusServer
from tests.consents import GIVEN
from tests.fakes import FakeClock, FakeDocuments
from tests.services.integrations.canvas.conftest import HASTY
from tests.services.safety.fetch.raw_server import RawServer, answer, moved

UNSAFE = ("http://canvas.school.edu", "", "my school", "https://me:pw@canvas.school.edu")
ODD_PATHS = (
    "https://canvas.school.edu/../../etc",
    "https://canvas.school.edu/%2e%2e/etc",
    "https://canvas.school.edu/./x",
    "https://canvas.school.edu/a;b",
    "https://canvas.school.edu/a b",
)
LOOK_ALIKES = ("https://cаnvas.school.edu", "https://canvas.schооl.edu", "https://xn--cnvas-2ve.school.edu")
"""Two of them with Cyrillic letters."""
OWN = "https://canvas.own.example"


def canvas_of(fetch: SafeFetch, **more: str) -> Integration:
    extension = {"BASE_URL": OWN, "CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET, **more}
    return integration(extension, fetch, timeouts=HASTY)


@pytest.fixture
def fetch(campus: CampusServer) -> SafeFetch:
    """The guard of an operator who allows the campus's own machine."""
    return SafeFetch(allow=frozenset({campus.url}))


def connections_of(canvas: Integration, clock: FakeClock) -> Connections:
    return Connections(
        terms=GIVEN,
        store=Store(FakeDocuments()),
        vault=Vault(KeyRing.parse([new_vault_key()])),
        integrations={"canvas": canvas},
        clock=clock,
        public_url="https://homeroom.example",
    )


def test_a_token_of_another_canvas_connects_reads_and_is_ended_there(
    campus: CampusServer, fetch: SafeFetch, clock: FakeClock
) -> None:
    connections = connections_of(canvas_of(fetch, ANY_PUBLIC="1"), clock)
    token = campus.token("canvas", "maya")

    made = connections.connect_with_token("maya", "canvas", origin=f"{campus.url}/canvas/courses/1", token=token)
    courses = connections.client("maya", "canvas").courses()

    assert (made.origin, made.account) == (f"{campus.url}/canvas", "Maya Chen")
    assert connections.all("maya")["canvas"].health is Health.HEALTHY
    assert len(courses) > 1
    assert connections.disconnect("maya", "canvas")
    with pytest.raises(RequestRefused, match="does not know this token"):
        connections.connect_with_token("maya", "canvas", origin=made.origin, token=token)


def test_without_the_operators_word_only_listed_addresses_are_used(
    campus: CampusServer, fetch: SafeFetch, clock: FakeClock
) -> None:
    store_of_both = connections_of(canvas_of(fetch), clock)
    before = len(campus.log(service="canvas"))

    with pytest.raises(BadArguments, match="not a Canvas address"):
        store_of_both.connect_with_token("maya", "canvas", origin=f"{campus.url}/canvas", token="canary")

    assert len(campus.log(service="canvas")) == before


def test_the_operators_client_is_never_sent_to_another_canvas(fetch: SafeFetch, clock: FakeClock) -> None:
    connections = connections_of(canvas_of(fetch, ANY_PUBLIC="1"), clock)

    with pytest.raises(BadArguments, match="not a Canvas address"):
        connections.begin_oauth("maya", "canvas", origin="https://canvas.other.example")


@pytest.mark.parametrize("address", ["https://127.0.0.1", "https://10.0.0.1", "https://canvas", "https://canvas.local"])
def test_what_is_not_public_is_refused_before_anything_is_sent(address: str, clock: FakeClock) -> None:
    connections = connections_of(canvas_of(SafeFetch(), ANY_PUBLIC="1"), clock)

    with pytest.raises(AddressRefused):
        connections.connect_with_token("maya", "canvas", origin=address, token="canary")


def test_a_name_that_leads_inside_is_refused_at_every_request(clock: FakeClock) -> None:
    def inside(host: str, timeout_s: float) -> Sequence[str]:
        return ("10.0.0.1",)

    canvas = canvas_of(SafeFetch(resolve=inside), ANY_PUBLIC="1")

    with pytest.raises(AddressRefused):
        connections_of(canvas, clock).connect_with_token("maya", "canvas", origin="canvas.example.org", token="canary")
    with pytest.raises(AddressRefused):
        canvas.client(Grant(origin="https://canvas.example.org", access_token="canary")).courses()


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("canvas.school.edu", "https://canvas.school.edu"),
        ("  https://Canvas.School.edu/ ", "https://canvas.school.edu"),
        ("https://canvas.school.edu/courses/17/assignments?x=1", "https://canvas.school.edu"),
        ("https://school.edu/canvas/login/canvas", "https://school.edu/canvas"),
        ("https://canvas.school.edu/profile/settings", "https://canvas.school.edu"),
        ("https://canvas.school.edu/api/v1", "https://canvas.school.edu"),
        ("https://canvas.school.edu//api/v1/courses", "https://canvas.school.edu"),
    ],
)
def test_an_address_is_read_from_what_the_browser_shows(written: str, address: str) -> None:
    assert canvas_address(written, SafeFetch()) == address
    assert canvas_address(address, SafeFetch()) == address


@pytest.mark.parametrize(
    "written",
    ["http://canvas.school.edu", "", "my school", "https://me:pw@canvas.school.edu", *ODD_PATHS, *LOOK_ALIKES],
)
def test_what_is_no_address_or_can_be_overheard_is_refused(written: str) -> None:
    with pytest.raises((BadArguments, RequestRefused)):
        canvas_address(written, SafeFetch())


def test_a_token_does_not_follow_to_another_host() -> None:
    with RawServer(answer(b"[]")) as thief, RawServer(moved(f"{thief.origin}/api/v1/users/self/profile")) as school:
        canvas = canvas_of(SafeFetch(allow=frozenset({school.origin, thief.origin})), ANY_PUBLIC="1")

        with pytest.raises(ServiceUnavailable, match="pointed to another address"):
            canvas.identify(Grant(origin=school.origin, access_token="canary"))

    assert thief.requests == []


def test_an_answer_without_end_is_cut_off() -> None:
    endless = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n" + b" " * (21 * 1024 * 1024)
    with RawServer(endless) as school:
        canvas = canvas_of(SafeFetch(allow=frozenset({school.origin})), ANY_PUBLIC="1")

        with pytest.raises(ServiceError):
            canvas.identify(Grant(origin=school.origin, access_token="canary"))


def test_when_the_operator_takes_it_back_the_connection_ends(
    campus: CampusServer, fetch: SafeFetch, clock: FakeClock
) -> None:
    free, listed = canvas_of(fetch, ANY_PUBLIC="1"), canvas_of(fetch)
    integrations = {"canvas": free}
    connections = Connections(
        terms=GIVEN,
        store=Store(FakeDocuments()),
        vault=Vault(KeyRing.parse([new_vault_key()])),
        integrations=integrations,
        clock=clock,
        public_url="https://homeroom.example",
    )
    connections.connect_with_token("maya", "canvas", origin=f"{campus.url}/canvas", token=campus.token("canvas"))

    integrations["canvas"] = listed

    assert connections.all("maya")["canvas"].health is Health.REVOKED
