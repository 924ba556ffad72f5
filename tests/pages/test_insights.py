"""The Insights page without a browser: what it says of whose numbers, and how they are begun anew."""

import pytest

from tests.discovery_facts import request
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor


def note(visitor: Visitor, *contexts: str, student: str = "", **facts: object) -> None:
    visitor.room.services.accounting.record_request(request(student or visitor.student.id, *contexts, **facts))


def test_whatever_others_asked_a_student_without_questions_is_led_to_the_chat(maya: Visitor) -> None:
    note(maya, "courses", student=maya.room.sign_in("ben").id)

    maya.opens("insights")

    assert "this page begins to fill" in maya.words
    assert not maya.page.table
    assert len(maya.page.button_group) == 1
    assert "Start from zero" not in maya.labels


def test_it_says_in_one_sentence_what_was_read(maya: Visitor) -> None:
    note(maya, "courses", fresh=2_000, called=("canvas_grades",))
    note(maya, loaded=(), fresh=2_000, conversation_id="another")

    maya.opens("insights")

    sentence = "You asked **2 questions** in the last week, 1 of which needed no tool at all."
    assert f"{sentence} For a typical question the model was given **1 of 40 tools**." in maya.words
    assert [metric.label for metric in maya.page.metric] == ["Questions", "Tools per question", "Less to read"]
    assert "At list prices this came to under 1 cent." in maya.words


def test_behind_each_chart_is_a_table(maya: Visitor) -> None:
    note(maya, "courses", "calendar", fresh=2_000, called=("canvas_grades",))
    maya.room.services.accounting.record_failure(maya.student.id, "canvas_grades", "timed_out")

    maya.opens("insights")

    days, contexts, tools, failures, _ = (table.value for table in maya.page.table)
    assert list(days.iloc[0]) == ["Mon 23 Nov", "1", "1,500", "5,440"]
    assert list(contexts["About"]) == ["Calendar", "Courses"]
    assert list(tools.iloc[0]) == ["Canvas grades", "1", "1", "0"]
    assert list(failures.iloc[0]) == ["Canvas grades", "no answer in time", "1"]


def test_a_longer_time_shows_what_a_shorter_one_does_not_until_it_is_forgotten(maya: Visitor, clock: FakeClock) -> None:
    note(maya, "courses", model="own-model", fresh=2_000)
    clock.advance(days=20)
    maya.opens("insights")
    assert "Nothing in the last week. Choose a longer time" in maya.words

    maya.page.button_group[0].set_value("30 days").run()
    assert "You asked **1 question** in the last 30 days" in maya.words
    assert "Price unknown" in maya.words

    maya.presses("Forget my numbers")
    assert "Your numbers start from zero now." in maya.words
    assert "this page begins to fill" in maya.words
    assert maya.room.services.metrics.for_everyone(30)["turns"] == 1


def test_an_operator_sees_all_students_together(maya: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maya.room.services.keys, "is_operator", lambda student: student.id == maya.student.id)
    ben = maya.room.sign_in("ben").id
    note(maya, "courses", student=ben)
    note(maya, "notes")
    maya.opens("insights")

    maya.page.button_group[1].set_value("All students").run()

    assert "Students asked **2 questions** in the last week" in maya.words
    assert not [word for word in (ben, maya.student.id, "Ben") if word in maya.words]
    assert "Forget my numbers" not in maya.labels
