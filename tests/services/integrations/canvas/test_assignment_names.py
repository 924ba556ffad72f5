"""Which assignment the student's words mean, over the campus's courses."""

import re
from typing import Any

import pytest

from services.errors import BadArguments, NameUnknown


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("midterm", ["Midterm 1", "Midterm 2", "Midterm A", "Midterm B", "Midterm exam (bluebook)"]),
        ("final exam", ["Final Exam", "Final exam", "Final exam (bluebook)"]),
        ("quiz 5", ["Quiz 5 (chapters 11–12)", "Quiz 5: recursion", "Recitation quiz 5"]),
    ],
)
def test_what_fits_in_several_courses_is_asked_back_with_course_and_date(
    call: Any, words: str, titles: list[str]
) -> None:
    with pytest.raises(BadArguments) as refused:
        call("canvas_get_assignment", assignment=words)

    listed = re.findall(
        r"“([^“”]+)” \((\w+ \d+: [^;]*?), \w{3} \d+ \w{3} \d{4}, [\d:]+ [AP]M, id \d+\)", str(refused.value)
    )
    assert sorted(title for title, _ in listed) == sorted(titles)
    assert "Ask the student which one they mean" in refused.value.next_step
    assert all(title in refused.value.said for title in titles)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("WeBWorK 1", "WeBWorK 1: Substitution review"),
        ("webwork 11", "WeBWorK 11: Alternating series"),
        ("bio final exam", "Final Exam"),
        ("second midterm in biology", "Midterm 2"),
        ("hw 6 for cs 101", "HW 6: Maze solver"),
    ],
)
def test_a_number_and_a_course_in_the_words_leave_one_assignment(call: Any, words: str, title: str) -> None:
    assert call("canvas_get_assignment", assignment=words).data["title"].startswith(title)


def test_a_name_that_nothing_has_is_told_with_the_closest(call: Any) -> None:
    with pytest.raises(
        NameUnknown, match=r"assignment: none is called “[^”]*”\. The closest: “Quiz 1 \(chapters 1–3\)”"
    ):
        call("canvas_get_assignment", assignment="quiz 9", course="bio")
