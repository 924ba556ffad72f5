"""What every tool of the category does when Google refuses, is slow, or talks nonsense (R27–R32), in one table."""

from typing import Any

import pytest

from services.errors import (
    HomeroomError,
    OutcomeUnknown,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceUnavailable,
    Throttled,
)
from services.integrations.calendar import TOOLS as CALENDAR_TOOLS
from services.tools.tool import Effect
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import in_days, put_in

ID = "google_calendar/handmade00"
ARGUMENTS: dict[str, dict[str, Any]] = {
    "calendar_list_events": {},
    "calendar_list_calendars": {},
    "calendar_find_free_time": {},
    "calendar_suggest_times": {},
    "calendar_find_conflicts": {},
    "calendar_create_event": {"title": "Study", "start": f"{in_days(3)}T20:00"},
    "calendar_create_study_sessions": {"title": "Study", "starts": [f"{in_days(3)}T20:00", f"{in_days(4)}T20:00"]},
    "calendar_add_due_date": {"assignment": "Essay", "due": f"{in_days(3)}T23:59"},
    "calendar_update_event": {"event_id": ID, "title": "Changed"},
    "calendar_delete_event": {"event_id": ID},
}
WRITES = [tool.name for tool in CALENDAR_TOOLS if tool.effect is Effect.WRITE]
TOOLS = list(ARGUMENTS)


def refusal(status: int, reason: str) -> dict[str, Any]:
    error = {"code": status, "message": "SECRET", "errors": [{"reason": reason, "message": "SECRET"}]}
    return {"fault": "status", "status": status, "body": {"error": error}}


FAILURES: list[tuple[dict[str, Any], type[HomeroomError]]] = [
    (refusal(401, "authError"), ReconnectRequired),
    (refusal(403, "insufficientPermissions"), PermissionMissing),
    (refusal(403, "accessNotConfigured"), RequestRefused),
    (refusal(403, "rateLimitExceeded") | {"headers": {"Retry-After": "60"}}, Throttled),
    (refusal(429, "quotaExceeded") | {"headers": {"Retry-After": "60"}}, Throttled),
    (refusal(500, "backendError"), ServiceUnavailable),
    ({"fault": "html"}, ServiceUnavailable),
    ({"fault": "truncate"}, ServiceUnavailable),
    ({"fault": "hang"}, ServiceUnavailable),
]


def test_the_table_has_every_tool() -> None:
    assert list(ARGUMENTS) == [tool.name for tool in CALENDAR_TOOLS]


@pytest.mark.parametrize(
    ("fault", "expected"),
    FAILURES,
    ids=lambda fault: str(fault.get("status", fault["fault"])) if isinstance(fault, dict) else "",
)
def test_a_failure_of_google_is_a_typed_error_of_every_tool_and_never_half_an_answer(
    campus: CampusServer, hasty: Calendars, maya: Calendars, fault: dict[str, Any], expected: type[HomeroomError]
) -> None:
    put_in(maya, summary="Dinner")
    campus.fault(service="google", path="/calendar/v3/*", times=0, **fault)
    # Each of these is tried again until the deadline: two tools stand for the others, which a 500 shows.
    chosen = TOOLS if fault["fault"] == "status" else ["calendar_list_events", "calendar_update_event"]

    for name in chosen:
        with pytest.raises((expected, OutcomeUnknown)) as caught:
            hasty.run(name, ARGUMENTS[name], operation_id=f"op-{name}")
        assert "SECRET" not in str(caught.value), name
        assert caught.value.next_step, name

    if expected in (ReconnectRequired, ServiceUnavailable):
        assert hasty.connections.reported


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
@pytest.mark.parametrize("name", WRITES)
def test_a_lost_answer_leads_to_one_write_and_to_one_undo(
    campus: CampusServer, maya: Calendars, name: str, fault: str
) -> None:
    put_in(maya, summary="Dinner")
    before = written(campus)
    method = {"calendar_update_event": "PATCH", "calendar_delete_event": "DELETE"}.get(name, "POST")
    campus.fault(service="google", method=method, path="/calendar/v3/*", fault=fault)

    result = maya.run(name, ARGUMENTS[name], operation_id="op")

    wanted = 2 if name == "calendar_create_study_sessions" else 1
    assert written(campus) - before == wanted
    maya.undo(name, result)
    assert [event["title"] for event in ours(maya)] == ["Dinner"]


@pytest.mark.parametrize("name", WRITES)
def test_a_repeat_writes_nothing_more(campus: CampusServer, maya: Calendars, name: str) -> None:
    put_in(maya, summary="Dinner")
    first = maya.run(name, ARGUMENTS[name], operation_id="op")
    before = written(campus)

    repeat = maya.run(name, ARGUMENTS[name], operation_id="op", is_repeat=True)

    assert written(campus) == before
    assert (first.undo is None) == (repeat.undo is None)
    maya.undo(name, repeat)
    assert [event["title"] for event in ours(maya)] == ["Dinner"]


@pytest.mark.parametrize("name", WRITES)
def test_looking_at_a_card_writes_nothing(campus: CampusServer, maya: Calendars, name: str) -> None:
    put_in(maya, summary="Dinner")
    before = written(campus)

    card = maya.card(name, ARGUMENTS[name])

    assert card["Title"]
    assert card["Time zone"] == "America/Chicago"
    assert written(campus) == before


def written(campus: CampusServer) -> int:
    return len(campus.log(service="google", writes=1))


def ours(calls: Calendars) -> list[dict[str, Any]]:
    """The events that these tests make and change."""
    found = calls.run("calendar_list_events", {"days": 10}).data["events"]
    return [event for event in found if event["title"] in ("Dinner", "Changed", "Study", "Due: Essay")]
