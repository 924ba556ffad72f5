"""This week as a page: what is late is in reach, what changed elsewhere is there, the address says what is shown."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.approvals.approval import ApprovalStatus
from services.integrations.planner.tasks import Task, Tasks
from services.week.loader import ASKED_BY
from tests.fakes import FakeClock
from tests.pages.conftest import SCRIPTS, Visitor
from tests.rooms import eventually
from ui.approvals import pending_approvals
from ui.week import week_state

LATE = 5


def add(maya: Visitor, title: str, clock: FakeClock, *, hours: float) -> None:
    due = clock() + timedelta(hours=hours)
    Tasks(maya.room.services.store, maya.student.id, ZoneInfo(maya.student.timezone)).add(
        Task(id=title, title=title, due_at=due, has_time=True, created_at=clock())
    )


def planned(maya: Visitor) -> list[str]:
    """The late tasks that can be planned, in the order of their buttons."""
    begin = "plan-overdue-task-"
    return [str(button.key).removeprefix(begin) for button in maya.page.button if str(button.key).startswith(begin)]


def calendar(maya: Visitor) -> dict[str, Any]:
    """What the calendar component was given."""
    (component,) = maya.page.get("bidi_component")
    return dict(json.loads(component.proto.json))


def test_all_that_is_late_can_be_reached_the_latest_first(maya: Visitor, clock: FakeClock) -> None:
    for number in range(LATE):
        add(maya, f"late {number}", clock, hours=-24 * 30 * (number + 1))

    maya.opens("week")
    first = planned(maya)
    maya.presses(f"Show all {LATE}")
    every = planned(maya)
    maya.presses("Show fewer")

    assert first == planned(maya) == ["late 0", "late 1", "late 2"]
    assert every == [f"late {number}" for number in range(LATE)]


def test_a_task_that_was_added_elsewhere_is_there_when_one_comes_back(maya: Visitor, clock: FakeClock) -> None:
    maya.opens("week")
    add(maya, "Read chapter 7", clock, hours=-1)
    maya.page.run()
    before = planned(maya)
    maya.page.switch_page(SCRIPTS["activity"]).run()
    maya.page.switch_page(SCRIPTS["week"]).run()

    assert before == []
    assert planned(maya) == ["Read chapter 7"]


def test_the_calendar_and_its_text_hold_the_same_entries(maya: Visitor, clock: FakeClock) -> None:
    add(maya, "Read <b>chapter</b> 7", clock, hours=2)

    maya.opens("week")

    (entry,) = calendar(maya)["entries"]
    (text,) = [str(html.value) for html in maya.page.get("html") if "<section" in str(html.value)]
    assert entry["title"] == "Read <b>chapter</b> 7"
    assert "Read &lt;b&gt;chapter&lt;/b&gt; 7" in text
    assert text.count("<h3>") == 7
    assert text.count("<li>") == 1


def test_the_address_says_view_and_days_and_a_choice_is_written_there(maya: Visitor, clock: FakeClock) -> None:
    add(maya, "Read", clock, hours=17 * 24)
    day = clock().date() + timedelta(days=16)

    maya.opens("week", week=day.isoformat(), view="days")
    three = calendar(maya)
    maya.presses("Later")
    later = maya.page.query_params["week"]
    maya.page.segmented_control(key="week-view").set_value("agenda").run()

    assert (three["view"], three["first"], three["day"]) == ("days", day.isoformat(), day.isoformat())
    assert later == (day + timedelta(days=3)).isoformat()
    assert maya.page.query_params["view"] == "agenda"
    assert not maya.page.get("bidi_component")


def test_an_address_that_names_no_view_leaves_it_to_the_width_and_an_unknown_one_too(
    maya: Visitor, clock: FakeClock
) -> None:
    add(maya, "Read", clock, hours=2)

    maya.opens("week", view="month", week="someday")

    assert calendar(maya)["view"] == ""
    assert maya.page.segmented_control(key="week-view").value == "week"


def test_what_was_approved_here_is_said_to_be_done_and_where_it_is_undone(maya: Visitor) -> None:
    services = maya.room.services
    maya.room.connect()
    pin = {"text": "Buy milk"}
    asked = services.gateway.call(maya.student, "board_pin", pin, asked_by=ASKED_BY, by_hand=True)
    maya.opens("week")
    told = [message.value for message in maya.presses("Approve").success]
    eventually(lambda: services.approvals.get(maya.student.id, str(asked.approval_request_id)).can_undo)
    told += [message.value for message in maya.page.run().success]
    maya.page.run()

    assert told == ["Done: Pin a note: Buy milk. To undo it, open its entry here or look under Activity."]
    assert not maya.page.success


def test_a_card_that_is_done_while_the_week_is_drawn_draws_it_once_more(
    maya: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = maya.room.services
    maya.room.connect()
    asked = services.gateway.call(maya.student, "board_pin", {"text": "Buy milk"}, asked_by=ASKED_BY, by_hand=True)
    services.turns.decide(maya.student, str(asked.approval_request_id), "approve")
    eventually(lambda: services.approvals.get(maya.student.id, str(asked.approval_request_id)).can_undo)
    done = services.approvals.get(maya.student.id, str(asked.approval_request_id))
    running = replace(done, status=ApprovalStatus.EXECUTING)
    drawn: list[str] = []
    # It ends between the reading of the cards and that of the week.
    monkeypatch.setattr(pending_approvals, "recent_approvals", lambda *_: [] if drawn else [running])
    monkeypatch.setattr(week_state, "with_proposals", lambda week, *_: drawn.append("week") or week)

    maya.opens("week")

    assert drawn == ["week", "week"]
