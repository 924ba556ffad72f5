"""What a turn tells the figures of a class: of its assistants alone, of its members alone, and never a word."""

import json

import pytest

from services.classes.figures.figure_counters import COUNTERS
from services.classes.school_class import SchoolClass
from services.identity.students import Student
from services.storage.documents import Document
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker, eventually

pytestmark = pytest.mark.any_store
ANNE = {"name": "Anne Okafor", "email": "anne.okafor@campus.example", "is_email_verified": True}


def _tutor(room: Room) -> tuple[Student, SchoolClass, str]:
    """A class of Anne's that Maya is in, with a published assistant; Anne, the class and the assistant's id."""
    classroom = room.services.classroom
    anne = room.services.students.sign_in(issuer="https://id.example", subject="anne", timezone="UTC", **ANNE)
    made = classroom.classes.create(anne, name="Biology 201")
    classroom.memberships.join(room.maya, made.join_code)
    record = classroom.assistants.create(anne, made.id, "Tutor", request_id="0123456789abcdef")
    return anne, made, classroom.assistants.publish(anne, record.id, seen=record.draft_version).id


def _ask(room: Room, who: Student, text: str, assistant: str) -> None:
    turns = room.services.turns
    chat = turns.start_chat(who, text, assistant=assistant)
    list(turns.follow(who, chat))
    # The turn counts behind its end, in this order.
    eventually(lambda: room.services.metrics.for_student(who.id, 1)["turns"] > 0)
    turns.wait_for_deferred_work(10)


def _counted(room: Room, who: Student) -> list[Document]:
    return room.services.store.for_student(who.id).find(COUNTERS, {})


def test_an_answer_of_the_classs_assistant_counts_with_what_failed_and_without_a_word(
    room: RoomMaker, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor in the log: the name of a tool that a model made up may be the student's own words."""
    here = room(calls(("find_periwinkle", {"topic": "periwinkle"})), says("Hm."))
    _, made, assistant = _tutor(here)
    _ask(here, here.maya, "When is my periwinkle essay due?", assistant)

    (counted,) = _counted(here, here.maya)
    assert counted["class_id"] == made.id
    assert counted["questions"] == 1
    assert [name for name in counted if name.startswith("failed__unknown__")]
    assert [name for name in counted if name.startswith("topic__")]
    assert counted["cost"] > 0
    assert "periwinkle" not in json.dumps(counted) + caplog.text


def test_another_assistants_answers_and_an_instructors_own_questions_do_not_count(room: RoomMaker) -> None:
    here = room(says("One."), says("Two."))
    anne, _, assistant = _tutor(here)
    _ask(here, here.maya, "Hello?", "homeroom")
    _ask(here, anne, "Hello?", assistant)

    assert _counted(here, here.maya) == _counted(here, anne) == []
