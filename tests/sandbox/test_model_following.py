"""What a new event comes after, shorthand that is written out, and several tasks in one message."""

from datetime import UTC, datetime, timedelta

import pytest

from sandbox.model.rules.language.detection import written_out
from sandbox.model.rules.slots.after_event import event_followed
from sandbox.model.rules.understanding.clauses import several_tasks
from sandbox.model.rules.understanding.memory import Entity

MORNING = datetime(2026, 11, 26, 9, tzinfo=UTC)
DAY = [
    Entity(title=title, ids={}, start=MORNING + timedelta(hours=hour), end=MORNING + timedelta(hours=hour, minutes=50))
    for hour, title in ((0, "CS 101: lecture"), (3, "Lunch with Ana"), (5, "BIOL 201: lab"), (9, "Robotics club"))
]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("after my last class", "BIOL 201: lab"),
        ("después de mi primera clase", "CS 101: lecture"),
        ("right after robotics club", "Robotics club"),
        ("al salir de clase", "BIOL 201: lab"),
    ],
)
def test_an_event_comes_after_the_last_class_unless_another_is_named(said, title):
    found = event_followed(f"study for an hour {said}", DAY)
    assert found is not None
    assert found.title == title


def test_what_is_not_there_that_day_is_not_guessed():
    assert event_followed("gym after my chess club", DAY) is None
    assert event_followed("gym after 5 pm", DAY) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wats du 2moro", "what's due tomorrow"),
        ("q tengo q hacer pa mañana", "que tengo que hacer para mañana"),
        ("read Du Bois on Q fever", "read Du Bois on Q fever"),
        ('add a page "q and du"', 'add a page "q and du"'),
        ("/call web_search du", "/call web_search du"),
    ],
)
def test_shorthand_is_written_out_but_for_names_and_quotes(typed, meant):
    assert written_out(typed) == meant


def test_several_tasks_become_one_order_each():
    assert several_tasks("add tasks for laundry, groceries and the bike") == [
        "add a task: laundry",
        "add a task: groceries",
        "add a task: the bike",
    ]
    assert several_tasks("add a task to buy milk and eggs") == []
