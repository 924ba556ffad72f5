"""Assistants of a class as a page: an instructor makes, tries and publishes one; a student reads what holds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from services.assistants.class_assistant import ExamWindow
from services.classes.assistants.assistant_record import AssistantRecord
from services.classes.school_class import SchoolClass
from services.i18n import formats
from services.safety.text import literal
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


@pytest.fixture
def school_class(anne: Visitor) -> SchoolClass:
    return anne.room.services.classroom.classes.create(anne.student, name="Biology 201", term="Fall 2026")


def opened(anne: Visitor, school_class: SchoolClass) -> Visitor:
    anne.opens("classroom", **{"class": school_class.id, "view": "assistants"})
    return anne


def test_an_instructor_makes_and_publishes_an_assistant(anne: Visitor, school_class: SchoolClass) -> None:
    page = opened(anne, school_class).page
    page.text_input(key="new-assistant-name").set_value("Biology tutor")
    anne.presses("Make an assistant")
    assert "Students do not have it." in anne.words

    page.text_area[0].set_value("Use canvas_get_assignment first.").run()
    anne.presses("Save and publish")

    assert "Students have exactly this." in anne.words
    (record,) = anne.room.services.classroom.assistants.of_class(anne.student, school_class.id)
    assert record.published is not None
    assert record.published.words == "Use canvas_get_assignment first."


@pytest.fixture
def record(anne: Visitor, school_class: SchoolClass) -> AssistantRecord:
    """Published, with Maya in the class."""
    services = anne.room.services
    services.classroom.memberships.join(anne.room.maya, school_class.join_code)
    made = services.classroom.assistants.create(anne.student, school_class.id, "Tutor", request_id="0123456789abcdef")
    draft = replace(made.draft, integrity="No phones.", categories=("planner",))
    saved = services.classroom.assistants.save(anne.student, draft, seen=1)
    return services.classroom.assistants.publish(anne.student, saved.id, seen=saved.draft_version)


def edited(anne: Visitor, record: AssistantRecord) -> Visitor:
    anne.opens("classroom", **{"class": record.class_id, "view": "assistants", "assistant": record.id})
    return anne


def test_what_another_instructor_saves_meanwhile_is_told_and_neither_text_is_lost(
    anne: Visitor, record: AssistantRecord
) -> None:
    page = edited(anne, record).page
    page.text_area[0].set_value("Mine.").run()
    anne.room.services.classroom.assistants.save(anne.student, replace(record.draft, words="Theirs."), seen=2)

    anne.presses("Save the draft")

    assert "Nothing is lost" in anne.words
    assert "has saved another version since you began" in anne.words
    assert "+ Theirs." in str([code.value for code in page.code])
    assert page.text_area[0].value == "Mine."
    anne.presses("Keep mine, and save it over theirs")
    anne.presses("Save the draft")
    saved = anne.room.services.classroom.assistants.get(anne.student, record.id)
    assert (saved.draft.words, saved.draft_version) == ("Mine.", 4)


def test_what_was_typed_and_not_saved_is_there_in_a_new_session_and_says_so(
    anne: Visitor, record: AssistantRecord
) -> None:
    page = edited(anne, record).page
    assert "Everything is saved." in anne.words
    page.text_area[0].set_value("Half a thought").run()
    page.radio[0].set_value("asks").run()
    assert "Not saved yet. What you type is kept here" in anne.words

    again = edited(Instructor(anne.room, "anne", ANNE), record)

    assert (again.page.text_area[0].value, again.page.radio[0].value) == ("Half a thought", "asks")
    assert "Not saved yet" in again.words
    stored = anne.room.services.classroom.assistants.get(anne.student, record.id)
    assert (stored.draft, stored.published) == (record.draft, record.published)
    again.presses("Save the draft")
    assert "Everything is saved." in again.words
    saved = edited(Instructor(anne.room, "anne", ANNE), record)
    assert "Everything is saved." in saved.words
    assert saved.page.text_area[0].value == "Half a thought"


def test_what_was_typed_before_another_one_saved_meets_their_version_in_a_new_session(
    anne: Visitor, record: AssistantRecord
) -> None:
    edited(anne, record).page.text_area[0].set_value("Mine.").run()
    anne.room.services.classroom.assistants.save(anne.student, replace(record.draft, words="Theirs."), seen=2)

    again = edited(Instructor(anne.room, "anne", ANNE), record)

    assert "has saved another version since you began" in again.words
    assert again.page.text_area[0].value == "Mine."


def test_a_preview_answers_with_the_draft_and_is_kept_nowhere(anne: Visitor, record: AssistantRecord) -> None:
    page = edited(anne, record).page
    page.text_area[0].set_value("In this chat you are the draft.").run()
    page.text_area(key=f"preview-question-{record.id}").set_value("Hello?")
    anne.presses("Ask")

    told = str(anne.room.model.requests[-1].system)
    assert "you are the draft" in told
    assert "No phones." in told
    assert "Hello?" in anne.words
    store = anne.room.services.store.for_student(anne.student.id)
    assert [store.find(name, {}) for name in ("conversations", "messages", "turns", "approvals")] == [[], [], [], []]
    assert anne.room.services.classroom.assistants.get(anne.student, record.id).draft.words == ""


def test_an_exam_window_that_is_set_is_named_in_its_panel_which_stays_open(
    anne: Visitor, record: AssistantRecord
) -> None:
    page = edited(anne, record).page
    assert not [panel for panel in page.expander if panel.proto.expanded]

    anne.presses("Set the window")

    (panel,) = [panel for panel in page.expander if panel.proto.expanded]
    (told,) = [message.value for message in panel.success]
    (window,) = anne.room.services.classroom.assistants.get(anne.student, record.id).windows
    assert panel.label == "Exam windows (1)"
    assert told.startswith("The exam window is set: ")
    assert literal(formats.span(window.begins_at, window.ends_at, ZoneInfo(anne.student.timezone))) in told
    page.run()
    assert not page.success


def test_a_student_reads_what_holds_in_the_class_and_in_the_chat(anne: Visitor, record: AssistantRecord) -> None:
    maya = Visitor(anne.room)
    maya.opens("classroom", **{"class": record.class_id, "view": "assistants"})

    assert "No phones." in maya.words
    assert "Off here: " in maya.words
    assert "Courses, " in maya.words
    assert "Name of a new assistant" not in [field.label for field in maya.page.text_input]
    conversation = anne.room.services.conversations.create(anne.room.maya.id, assistant=record.id)
    anne.room.ask("Hello", conversation)
    chat = Visitor(anne.room)
    chat.opens(c=conversation)
    assert "Biology 201 · Tutor · Explains · Off here: " in chat.words
    assert chat.page.chat_input[0].placeholder == "Ask Tutor"

    now = anne.room.services.clock()
    window = ExamWindow(id="w", begins_at=now, ends_at=now + timedelta(hours=1), mode="closed", rules="One sheet.")
    anne.room.services.classroom.assistants.set_windows(anne.student, record.id, [window], seen=())
    chat = Visitor(anne.room)
    chat.opens(c=conversation)
    assert "Tutor is closed for an exam until" in chat.words
    assert "One sheet." in chat.words
    chat.asks("Help me")
    assert "Your text is kept." in chat.words

    anne.room.services.classroom.memberships.leave(anne.room.maya, record.class_id)
    chat = Visitor(anne.room)
    chat.opens(c=conversation)
    assert "not available to you any more. Homeroom answers from here on." in chat.words
    assert "One sheet." not in chat.words
