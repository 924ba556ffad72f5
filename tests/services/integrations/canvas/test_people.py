"""A classmate's name and grade never leave Canvas (T18)."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.integrations.canvas.assignment_details import comments_of, remark_of
from services.integrations.canvas.people import CLASSMATE, STUDENT, members_of
from tests.services.integrations.canvas.conftest import ContextOf
from tests.services.integrations.canvas.every_tool import CALLS

CLASSMATES = ("Aaliyah", "Thompson", "Jonas", "Lindgren", "Noor", "Haddad", "Kenji", "Watanabe", "Sofía", "Márquez")
CLASSMATES += ("Eleanor", "Nell", "Whitcombe", "Adeyemi", "Diego", "Ramos")
THEIR_NUMBERS = re.compile(r"\b120[1-6]\b|\b1102\b")


def test_no_classmate_is_in_any_answer(call: Any) -> None:
    for name, arguments in CALLS:
        result = call(name, **arguments)

        told = f"{result.output} {json.dumps(result.data, ensure_ascii=False)} {result.sources}"
        assert not [classmate for classmate in CLASSMATES if re.search(rf"\b{classmate}\b", told)], name
        assert not THEIR_NUMBERS.search(told), name


def test_a_classmates_post_is_there_without_the_name(call: Any) -> None:
    output = call("canvas_get_discussion", course="bio", topic="hela").output

    assert "a classmate, " in output
    assert "nobody pays for the next line. – a classmate”" in output
    assert "- the student, " in output
    assert "3 posts, 1 of them the student's own" in output
    assert "Anne Okafor, " in output


def test_a_teacher_who_names_a_classmate_is_quoted_without_the_name(call: Any) -> None:
    assert "Thanks for asking, a classmate." in call("canvas_get_discussion", course="bio", topic="unit 3 quiz").output


def test_a_topic_that_a_classmate_began_says_only_that(call: Any) -> None:
    output = call("canvas_list_discussions", course="bio").output

    assert "**Study group for the final?** — BIOL 201: Cell Biology — started by a classmate" in output


def test_the_statistics_of_a_class_are_never_one_persons(call: Any, context_of: ContextOf) -> None:
    result = call("canvas_get_assignment", assignment="lab report 5", course="bio")

    assert set(result.data["class"]) == {"mean", "min", "max"}
    assert "- The class: mean " in result.output


def test_comments_say_whose_they_are() -> None:
    people = members_of([(7, "Dr. Who")], [], 1)
    rows = [
        {"author_id": 7, "author_name": "Dr. Who", "comment": "Good."},
        {"author_id": 8, "author_name": "Tina Aide", "comment": "Graded by Tina."},
        {"author_id": 9, "author_name": "Jo Peer", "comment": "Nice, says Jo Peer"},
        {"author_id": 1, "author_name": "Me", "comment": "Thanks"},
        {"comment": None},
    ]

    comments = comments_of({"grader_id": 8, "submission_comments": rows}, people)

    assert [comment.by for comment in comments] == ["Dr. Who", "the grader", CLASSMATE, STUDENT, CLASSMATE]
    assert comments[2].text == "Nice, says a classmate"
    assert remark_of({"grader_id": 8, "submission_comments": rows[:2]}, people).startswith("the grader: ")
    assert remark_of({"submission_comments": rows[2:]}, people) == ""


def test_words_that_are_also_names_stay_words() -> None:
    people = members_of([], [{"id": 5, "display_name": "May Grace Whitcombe-Lee"}], 1)

    text = people.without_names("In May, by the grace of Whitcombe, MAY GRACE WHITCOMBE-LEE wrote.")

    assert text == "In May, by the grace of a classmate, a classmate wrote."


NAMES = st.lists(st.text("abcdefgéñAZ'- ", min_size=1, max_size=20), max_size=4)


@given(NAMES, st.text(max_size=60))
def test_no_whole_name_survives_in_any_text(names: list[str], text: str) -> None:
    writers = [{"id": id, "display_name": name} for id, name in enumerate(names, 50)]
    people = members_of([], writers, 1)

    shown = people.without_names(" — ".join([text, *people.hidden_names]))

    for name in people.hidden_names:
        if CLASSMATE.find(name.casefold()) < 0:
            assert f" — {name}" not in shown
