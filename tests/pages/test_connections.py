"""The Connections page says in words how each connection is doing."""

from datetime import timedelta

import pytest

from services.errors import ReconnectRequired, ServiceUnavailable
from services.runtime.clock import stamp
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor

ENDS = {"expires_at": 0, "is_refreshable": False}
HEALTHS = {
    "healthy": ({}, "Connected", ["Test"]),
    "older than a scope": ({"scopes": ["look"]}, "Not allowed yet: see the board.", ["Reconnect", "Test"]),
    "twelve days left": ({**ENDS, "expires_at": 12}, "Expires in 12 days", ["Test"]),
    "expiring": ({**ENDS, "expires_at": 5}, "Expires in 5 days", ["Reconnect", "Test"]),
    "last day": ({**ENDS, "expires_at": 1}, "Expires tomorrow", ["Reconnect", "Test"]),
    "expired": ({**ENDS, "expires_at": -1}, "Was connected as", ["Reconnect"]),
    "revoked": ({"health": "revoked", "reason": "You ended it there."}, "You ended it there.", ["Reconnect"]),
    "unreachable": ({"health": "unreachable", "reason": "Board is down."}, "Not answering", ["Test"]),
    "locked": ({"sealed": {}}, "Nothing was deleted, and nothing needs to be done", []),
}


@pytest.mark.parametrize("case", HEALTHS)
def test_a_connection_tells_its_health_and_offers_what_helps(maya: Visitor, clock: FakeClock, case: str) -> None:
    changes, told, offered = HEALTHS[case]
    if changes.get("expires_at") is not None:
        changes = {**changes, "expires_at": stamp(clock() + timedelta(days=changes["expires_at"]))}
    maya.room.connect()
    maya.room.services.store.for_student(maya.student.id).compare_and_set("connections", "board", {}, changes)

    maya.opens("connections")

    assert told in maya.words
    assert [label for label in maya.labels if label in ("Reconnect", "Test")] == offered


def test_what_is_not_connected_can_be_and_says_what_it_may_do(maya: Visitor) -> None:
    maya.opens("connections")

    assert "Not connected" in maya.words
    assert "Connect Board" in maya.labels


def test_a_test_that_goes_well_names_the_time_and_the_account(maya: Visitor) -> None:
    maya.room.connect()
    maya.opens("connections")

    maya.presses("Test")

    assert "Board answered at 9:00 AM and knows you as Maya." in maya.words


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ServiceUnavailable("Board", "The board is down."), "Tested at 9:00 AM: Board does not answer right now."),
        (ReconnectRequired("Board", "Ended."), "Tested at 9:00 AM: Board does not accept this connection any more."),
    ],
)
def test_a_test_that_fails_says_what_that_means(
    maya: Visitor, failure: ServiceUnavailable | ReconnectRequired, told: str
) -> None:
    maya.room.connect()
    maya.opens("connections")
    maya.room.service.failure = failure

    maya.presses("Test")

    assert told in maya.words


def test_disconnecting_while_the_service_is_down_forgets_here_and_says_so(maya: Visitor) -> None:
    maya.room.connect()
    maya.opens("connections")
    maya.room.service.failure = ServiceUnavailable("Board", "The board is down.")

    maya.presses("Disconnect Board")

    assert "Homeroom has forgotten your credentials" in maya.words
    assert "Not connected" in maya.words


def test_a_callback_that_fits_no_state_of_this_student_stores_nothing(maya: Visitor) -> None:
    maya.opens("connections", code="code", state="of-somebody-else")

    assert "Not connected" in maya.words
    assert maya.room.services.connections.all(maya.student.id) == {}
    assert "state" not in maya.page.query_params
