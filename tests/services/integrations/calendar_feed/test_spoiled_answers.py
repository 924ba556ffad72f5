"""What is no calendar is never one without events; a feed that was read before is shown as it was."""

from datetime import UTC, datetime, timedelta

import pytest

from services.errors import RequestRefused, ServiceUnavailable
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.calendar_feed.conftest import feed_of, grant
from tests.spoiled_bodies import fault_of, spoiled_bodies

READS = ("calendar_list_events", "calendar_find_free_time", "calendar_find_conflicts", "calendar_list_calendars")


@spoiled_bodies()
def test_no_feed_is_empty_by_a_spoiled_answer(campus: CampusServer, body: str) -> None:
    now = [datetime.now(UTC)]
    feed = feed_of(campus, clock=lambda: now[0])
    calls = Calendars(integrations={feed.id: feed}, grants={feed.id: grant(feed, f"{campus.url}/ics/rowing.ics")})
    campus.fault(service="ics", **fault_of(body, "text/calendar"))
    for name in READS:
        with pytest.raises((RequestRefused, ServiceUnavailable)):
            calls.run(name, {})
    campus.clear_faults()
    before = calls.run("calendar_list_events", {}).data["events"]
    campus.fault(service="ics", **fault_of(body, "text/calendar"))
    now[0] += timedelta(minutes=6)

    later = calls.run("calendar_list_events", {})

    assert later.data["events"] == before != []
    assert "is shown as it was at" in later.output
