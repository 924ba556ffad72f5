"""Turns against the demo campus: the real client libraries, the real HTTP, the demo model."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.connections.connection import Health
from services.conversations.items import ApprovalItem, AssistantText, ToolLine
from services.conversations.turn_records import TurnStatus
from tests.campus_rooms import SOON_S, CampusRoom, lines, words
from tests.campus_server import CampusServer

CREATE = '/call calendar_create_event {"title": "Study Biology", "start": "2030-05-06T15:00", "duration_minutes": 60}'


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path, idle_s=SOON_S)
    yield room
    campus.clear_faults()
    room.close()


def test_a_question_about_deadlines_is_answered_from_canvas(maya: CampusRoom) -> None:
    maya.connect("canvas")

    _, last = maya.ask("What is due this week?")

    assert last.status is TurnStatus.DONE
    assert [line.success for line in lines(last)] == [True] * len(lines(last))
    assert any(line.name.startswith("canvas_") for line in lines(last))
    assert words(last)


def test_each_fact_of_an_answer_says_where_it_is_from(maya: CampusRoom) -> None:
    maya.connect("canvas")

    conversation, _ = maya.ask("What is due this week?")

    items = maya.services.conversations.view(maya.maya.id, conversation)
    (answer,) = [item for item in items if isinstance(item, AssistantText)]
    listed = [line for line in answer.text.splitlines() if line.startswith("- ")]
    found = {source for item in items if isinstance(item, ToolLine) for source in item.sources}
    assert listed
    assert len(answer.citations) == len(listed)
    assert {citation.source.url for citation in answer.citations} <= {source.url for source in found}
    for citation in answer.citations:
        assert f"({citation.source.url})" in answer.text[: citation.at].splitlines()[-1]


def test_with_nothing_connected_the_assistant_still_answers(maya: CampusRoom) -> None:
    _, last = maya.ask("What is due this week?")

    assert last.status is TurnStatus.DONE
    assert not [line for line in lines(last) if line.name.startswith("canvas_")]
    assert words(last)


def test_several_turns_in_one_conversation_are_taken_by_the_strict_model(maya: CampusRoom) -> None:
    maya.connect("canvas", "google_calendar")

    conversation, first = maya.ask("/call canvas_list_courses {}")
    _, second = maya.ask("/call calendar_find_free_time {}", conversation)
    _, third = maya.ask("/say thank you", conversation)

    assert [view.status for view in (first, second, third)] == [TurnStatus.DONE] * 3
    assert all(entry["status"] == 200 for entry in maya.model_requests())


def test_an_event_is_asked_for_approved_written_once_and_undone(maya: CampusRoom) -> None:
    maya.connect("google_calendar")
    conversation, waiting = maya.ask(CREATE)
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    before = maya.events_written()

    maya.services.turns.decide(maya.maya, card.approval_id, "approve")
    last = maya.watch(conversation)
    done = maya.services.approvals.get(maya.maya.id, card.approval_id)
    undone = maya.services.turns.undo(maya.maya, card.approval_id)

    assert (waiting.status, before) == (TurnStatus.WAITING, [])
    assert (last.status, done.status, undone.status) == (TurnStatus.DONE, ApprovalStatus.DONE, ApprovalStatus.UNDONE)
    assert [entry["method"] for entry in maya.events_written()] == ["POST", "DELETE"]
    assert done.link


def test_a_write_whose_answer_got_lost_is_written_once(maya: CampusRoom) -> None:
    maya.connect("google_calendar")
    conversation, waiting = maya.ask(CREATE)
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    maya.server.fault(service="google", method="POST", path="/calendar/v3/calendars/*/events", fault="lose_response")

    maya.services.turns.decide(maya.maya, card.approval_id, "approve")
    maya.watch(conversation)

    assert maya.services.approvals.get(maya.maya.id, card.approval_id).status is ApprovalStatus.DONE
    assert maya.events_titled("Study Biology") == 1


def test_an_overload_before_the_stream_is_tried_again(maya: CampusRoom) -> None:
    maya.server.fault(service="anthropic", fault="overloaded", times=1)

    _, last = maya.ask("/say hello there")

    assert last.status is TurnStatus.DONE
    assert [entry["status"] for entry in maya.model_requests()] == [529, 200]


@pytest.mark.parametrize("fault", ["overloaded_midstream", "early_end", "stall"])
def test_a_stream_that_breaks_keeps_its_words_and_can_be_continued(maya: CampusRoom, fault: str) -> None:
    maya.server.fault(service="anthropic", fault=fault, after_words=3, times=1)
    conversation, broken = maya.ask("/say one two three four five six seven eight")
    after_break = len(maya.model_requests())

    maya.services.turns.resume(maya.maya, conversation)
    last = maya.watch(conversation)

    assert broken.status is TurnStatus.INTERRUPTED
    assert broken.notice is not None
    assert broken.notice.action == "continue"
    assert words(broken)
    assert after_break == 1
    assert last.status is TurnStatus.DONE


@pytest.mark.parametrize("fault", ["overloaded_midstream", "early_end"])
def test_a_call_from_a_stream_that_breaks_never_runs(maya: CampusRoom, fault: str) -> None:
    maya.connect("google_calendar")
    maya.server.fault(service="anthropic", fault=fault, after_words=2, times=0)

    _, broken = maya.ask(CREATE)

    assert broken.status.is_over
    assert not [item for item in broken.items if isinstance(item, ApprovalItem)]
    assert maya.events_written() == []


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [("refuse", "too long"), ("billing", "paused"), ("redirect_loop", "leads somewhere else")],
)
def test_a_request_that_is_refused_keeps_the_question(maya: CampusRoom, fault: str, sentence: str) -> None:
    maya.server.fault(service="anthropic", fault=fault, times=0)

    conversation, failed = maya.ask("/say hello")

    assert failed.status is TurnStatus.FAILED
    assert sentence in (failed.notice.sentence if failed.notice else "")
    assert len(maya.model_requests()) == 1
    assert maya.services.conversations.view(maya.maya.id, conversation)[0].text == "/say hello"  # type: ignore[union-attr]


def test_a_stall_does_not_delay_stop(maya: CampusRoom) -> None:
    maya.server.fault(service="anthropic", fault="stall", after_words=2, times=1)
    conversation = maya.services.conversations.create(maya.maya.id)
    turn = maya.services.turns.start_turn(maya.maya, conversation, "/say one two three four")
    views = maya.services.turns.follow(maya.maya, conversation)
    for view in views:
        if words(view):
            break

    maya.services.turns.stop(maya.maya, turn)
    *_, last = views

    assert last.status is TurnStatus.STOPPED
    assert words(last)


def test_a_grant_revoked_at_the_provider_shows_as_reconnect_after_one_call(maya: CampusRoom) -> None:
    maya.connect("canvas")
    maya.server.fault(service="canvas", fault="revoke_tokens", person="maya")

    conversation, last = maya.ask("/call canvas_list_courses {}")
    maya.ask("/say and now", conversation)

    assert "reconnect your integration" in lines(last)[0].sentence
    assert maya.services.connections.all(maya.maya.id)["canvas"].health is Health.REVOKED
    assert not [t for t in maya.services.agent.get_user_tools(maya.maya.id) if t.integration == "canvas"]


def test_a_second_page_costs_no_second_model_request(maya: CampusRoom) -> None:
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, f"/say {secrets.token_hex(8)}")

    lasts = [maya.watch(conversation) for _ in range(3)]

    assert lasts[0].items == lasts[1].items == lasts[2].items
    assert len(maya.model_requests()) == 1
