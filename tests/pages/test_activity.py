"""The Activity page tells what was read and changed, and takes back what can be."""

from collections.abc import Callable
from datetime import timedelta

from tests.agent_fakes import FakeModel, calls, says
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor
from ui.approvals.activity_list import PAGE_SIZE

LONG = "A service with a very, very long name that somebody gave their own server " * 3


def note(maya: Visitor, tool: str = "Reading", *services: str, effect: str = "read") -> None:
    activity = maya.room.services.activity
    activity.record(maya.student.id, services=services or ["Board"], tool=tool, effect=effect, sentence="done")


def test_without_anything_the_page_says_what_will_be_there(maya: Visitor) -> None:
    maya.opens("activity")

    assert "Nothing yet" in maya.words
    assert not maya.page.exception


def test_entries_stand_by_day_and_the_same_read_on_end_is_one_line(maya: Visitor, clock: FakeClock) -> None:
    note(maya, "Looking **up** a page", LONG)
    clock.advance(hours=24)
    note(maya)
    clock.advance(minutes=5)
    note(maya)

    page = maya.opens("activity")

    headings = [element.value for element in page.markdown if element.value.startswith("##")]
    assert headings[0] == "## Today"
    assert len(headings) == 2
    assert "9:00 AM to 9:05 AM · **Board** · Reading · 2 times" in maya.words
    assert "Looking \\*\\*up\\*\\* a page" in maya.words
    assert "That is everything." in maya.words


def test_it_shows_one_service_or_only_changes_when_asked(maya: Visitor) -> None:
    note(maya)
    note(maya, "Listing events", "Calendar", "Canvas")
    note(maya, "Pin a note", effect="write")
    maya.opens("activity")

    assert maya.page.selectbox(key="activity-service").options == ["All services", "Board", "Calendar", "Canvas"]
    assert "**Calendar and Canvas** · Listing events" in maya.words
    maya.page.selectbox(key="activity-service").set_value("Canvas").run()
    assert "Listing events" in maya.words
    assert "Pin a note" not in maya.words
    maya.page.toggle(key="activity-changes").set_value(True).run()
    assert "Nothing fits that." in maya.page.info[0].value
    maya.page.selectbox(key="activity-service").set_value("All services").run()
    assert "Pin a note" in maya.words
    assert "Reading" not in maya.words


def test_more_is_loaded_when_asked_and_an_end_is_told(maya: Visitor, clock: FakeClock) -> None:
    for number in range(PAGE_SIZE + 3):
        note(maya, f"Read {number}.")
        clock.advance(seconds=1)

    maya.opens("activity")
    assert "Read 3." in maya.words
    assert "Read 2." not in maya.words
    maya.presses("Load more")

    assert "Read 0." in maya.words
    assert "Load more" not in maya.labels


def test_what_was_changed_is_taken_back_from_here_once(make_visitor: Callable[..., Visitor], clock: FakeClock) -> None:
    pin = calls(("board_pin", {"text": "Buy milk"}))
    maya = make_visitor(model=FakeModel(pin, says("Pinned.")))
    maya.room.connect()
    conversation, _ = maya.room.ask("Pin it")
    (approval,) = maya.room.services.approvals.latest(maya.student.id, 5)
    maya.room.services.turns.decide(maya.student, approval.id, "approve")
    maya.room.watch(conversation)
    clock.advance(seconds=timedelta(minutes=1).total_seconds())

    maya.opens("activity")
    assert "Pinned “Buy milk”." in maya.words
    maya.presses("Undo")

    assert maya.room.board.notes == {}
    assert "Undo" not in maya.labels
    assert "*undone since*" in maya.words
    assert "Undo: Pin a note" in maya.words
