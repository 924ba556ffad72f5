"""What a student changes on a card is their own: as free as what they write, and as strict as what is proposed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import BadArguments
from tests.api.room import Program, door, error_of
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.approvals.asking import settled

GUEST = "diego.ramos@campus.example"
EVENT = {"title": "Study", "start": "2030-05-06T15:00", "guests": [GUEST]}
DUE = {"assignment": "Essay", "due": "2030-05-06T23:59", "link": "https://canvas.example.edu/courses/1/assignments/2"}


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    room.connect("google_calendar")
    yield room
    campus.clear_faults()
    room.close()


def test_a_card_with_a_guest_can_be_changed_and_another_one_invited(maya: CampusRoom) -> None:
    conversation, _ = maya.ask(f"/call calendar_create_event {json.dumps(EVENT)}")
    (waiting,) = maya.services.approvals.for_conversation(maya.maya.id, conversation)
    ana = "ana@campus.example"

    maya.services.turns.decide(maya.maya, waiting, "approve", {**EVENT, "title": "Study group", "guests": [GUEST, ana]})
    maya.watch(conversation)

    done = settled(maya, waiting)
    assert done.status is ApprovalStatus.DONE
    shown = {row.label: row.value for row in done.rows}
    assert shown["Title"] == "Study group"
    assert shown["Guests"].startswith(f"{GUEST}, {ana} ")


def test_what_is_hidden_or_unknown_in_a_change_is_never_done(maya: CampusRoom) -> None:
    conversation, _ = maya.ask(f"/call calendar_create_event {json.dumps(EVENT)}")
    (waiting,) = maya.services.approvals.for_conversation(maya.maya.id, conversation)
    decide = maya.services.turns.decide

    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    for bad in (
        {**EVENT, "calendar_id": "x"},
        {**EVENT, "guests": deep},
        {**EVENT, "z": {"a": deep}},
        {**EVENT, "title": "\u200b"},
        {**EVENT, "guests": ["a@b.example,c@d"]},
    ):
        with pytest.raises(BadArguments):
            decide(maya.maya, waiting, "approve", bad)
    decide(maya.maya, waiting, "approve", {**EVENT, "title": "St\u202eudy\u200b 2"})
    maya.watch(conversation)

    assert settled(maya, waiting).arguments["title"] == "Study 2"


def test_a_program_changes_the_link_that_it_gave(maya: CampusRoom) -> None:
    program = Program(door(maya.services), maya.services, maya.maya)
    waiting = program.execute("calendar_add_due_date", DUE).json()["approval_request_id"]

    answer = program.decide(waiting, arguments={**DUE, "assignment": "Essay 4"})

    assert (answer.status_code, answer.json()["status"]) == (200, "done")


def test_a_change_that_a_service_refuses_is_no_mistake_of_ours(maya: CampusRoom) -> None:
    program = Program(door(maya.services), maya.services, maya.maya)
    waiting = program.execute("calendar_create_event", EVENT).json()["approval_request_id"]
    event = program.execute("calendar_list_events", {}).json()["data"]["events"][0]
    renaming = program.execute("calendar_update_event", {"event_id": event["id"], "title": "Another"})

    wrong = program.decide(waiting, arguments={**EVENT, "calendar": "no such calendar"})
    gone = program.decide(renaming.json()["approval_request_id"], arguments={"event_id": "nothing", "title": "New"})

    assert (wrong.status_code, error_of(wrong)) == (422, "bad_arguments")
    assert (gone.status_code, error_of(gone)) == (404, "not_found")
