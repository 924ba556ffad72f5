"""A pasted feed in the whole Homeroom: sealed, tried first, used by the category's tools, reported by its own name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.connections.connection import Health
from services.errors import HomeroomError
from tests.campus_rooms import CampusRoom, words
from tests.campus_server import CampusServer
from tests.services.integrations.calendar_feed.conftest import canvas_feed

ORIGIN = "calendar-feed"


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    yield room
    room.close()


def connect(room: CampusRoom, *addresses: str) -> None:
    connections = room.services.connections
    connections.connect_with_token(room.maya.id, "calendar_feed", origin=ORIGIN, token=" ".join(addresses))


def test_the_address_is_kept_sealed_and_nowhere_else(campus: CampusServer, maya: CampusRoom, tmp_path: Path) -> None:
    connect(maya, canvas_feed(campus))

    connection = maya.services.connections.all(maya.maya.id)["calendar_feed"]
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("*.sqlite*"))
    assert connection.account == "Maya Chen Calendar (Canvas)"
    assert canvas_feed(campus).rpartition("/")[2].encode() not in kept


def test_what_is_no_calendar_is_not_stored(campus: CampusServer, maya: CampusRoom) -> None:
    for wrong in ("nonsense", f"{campus.url}/ics/special/page", f"{campus.url}/ics/gone.ics", "http://10.0.0.1/a.ics"):
        with pytest.raises(HomeroomError):
            connect(maya, wrong)

    assert maya.services.connections.all(maya.maya.id) == {}


def test_with_a_feed_alone_the_reading_tools_are_offered_and_the_writing_ones_say_what_to_connect(
    campus: CampusServer, maya: CampusRoom
) -> None:
    connect(maya, canvas_feed(campus))

    offers = {offer.tool.name: offer.reason for offer in maya.services.gateway.list_tools(maya.maya.id)}

    assert offers["calendar_list_events"] is None
    reason = offers["calendar_create_event"]
    assert reason is not None
    assert reason.sentence == "Calendar feed can only be read."
    assert reason.next_step == "Connect Google Calendar on the Connections page to make changes."


def test_due_dates_are_told_and_the_activity_names_the_feed(campus: CampusServer, maya: CampusRoom) -> None:
    connect(maya, canvas_feed(campus))

    _, last = maya.ask('/call calendar_list_events {"days": 14, "kind": "due_dates"}')

    assert "Calendar feed, as of" in words(last)
    (entry,) = maya.services.activity.latest_entries(maya.maya.id, 5)
    assert entry.services == ("Calendar feed",)


def test_an_activity_that_used_both_names_both_and_an_approval_knows_where_it_writes(
    campus: CampusServer, maya: CampusRoom
) -> None:
    connect(maya, canvas_feed(campus))
    maya.connect("google_calendar")
    maya.ask("/call calendar_list_events {}")

    maya.ask('/call calendar_create_event {"title": "Study", "start": "2030-05-06T15:00"}')

    preview, call = maya.services.activity.latest_entries(maya.maya.id, 5)
    assert preview.title == "Getting ready: Add to your calendar"
    assert preview.services == call.services == ("Google Calendar", "Calendar feed")
    (approval,) = maya.services.approvals.latest(maya.maya.id, 5)
    assert approval.integration == "google_calendar"


def test_a_feed_that_is_gone_must_be_pasted_again_and_google_goes_on(campus: CampusServer, maya: CampusRoom) -> None:
    connect(maya, canvas_feed(campus))
    maya.connect("google_calendar")
    campus.fault(service="canvas", path="/feeds/*", fault="status", status=404, times=0)

    tested = maya.services.connections.test_connection(maya.maya.id, "calendar_feed")
    _, last = maya.ask("/call calendar_list_events {}")

    assert tested.health is Health.REVOKED
    assert "paste" in tested.reason or "no calendar at this address" in tested.reason
    assert "(Google Calendar, as of" in words(last)


def test_a_withdrawn_google_grant_is_noted_on_google_alone_and_the_feed_goes_on(
    campus: CampusServer, maya: CampusRoom
) -> None:
    connect(maya, canvas_feed(campus))
    maya.connect("google_calendar")
    campus.fault(service="google", fault="revoke_tokens", person="maya")

    _, last = maya.ask("/call calendar_list_events {}")

    health = {id: connection.health for id, connection in maya.services.connections.all(maya.maya.id).items()}
    assert health == {"calendar_feed": Health.HEALTHY, "google_calendar": Health.REVOKED}
    assert "Note: Google Calendar could not be read" in words(last)


def test_an_access_that_ended_early_is_renewed_once_within_the_call(campus: CampusServer, maya: CampusRoom) -> None:
    maya.connect("google_calendar")
    body = {"error": {"code": 401, "message": "x", "errors": [{"reason": "authError"}]}}
    campus.fault(service="google", path="/calendar/v3/*", fault="status", status=401, body=body, times=1)

    _, last = maya.ask("/call calendar_list_events {}")

    assert "(Google Calendar, as of" in words(last)
    assert maya.services.connections.all(maya.maya.id)["google_calendar"].health is Health.HEALTHY
    assert len([entry for entry in campus.log(service="google") if entry["path"].endswith("/token")]) == 2
