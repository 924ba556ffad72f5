"""The sample course in every language: the same course, told in other words."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from services.i18n import LANGUAGES, locale_scope
from services.integrations.sample_course.course import SampleCourse, load_course
from tests.services.integrations.sample_course.test_tools import BEGAN, HERE, call

OTHERS = sorted(set(LANGUAGES) - {"en"})
WORDS = {"title", "text", "comment", "for", "group", "course"}


def told(language: str) -> SampleCourse:
    with locale_scope(language):
        return load_course()


def facts(course: SampleCourse) -> list[dict[str, Any]]:
    """All of the work but its words, of which only whether they are there counts."""
    work = [asdict(assignment) for assignment in course.assignments(BEGAN, BEGAN.astimezone(HERE))]
    return [{name: bool(value) if name in WORDS else value for name, value in fields.items()} for fields in work]


def pieces(course: SampleCourse) -> Iterator[tuple[str, str]]:
    """Every piece of words of what has an id, by where it stands."""
    for part in ("work", "readings", "announcements"):
        for entry in course.written[part]:
            yield from (
                (f"{part}.{entry['id']}.{name}", entry[name]) for name in sorted(entry.keys() & WORDS - {"group"})
            )


@pytest.mark.parametrize("language", OTHERS)
def test_the_course_is_the_same_in_every_language_down_to_ids_dates_and_points(language: str) -> None:
    here, there = told("en"), told(language)

    assert facts(there) == facts(here)
    assert list(there.weights.values()) == list(here.weights.values())
    assert len(there.written["policies"]) == len(here.written["policies"])


@pytest.mark.parametrize("language", OTHERS)
def test_every_piece_is_told_in_other_words_with_the_same_numbers(language: str) -> None:
    here, there = dict(pieces(told("en"))), dict(pieces(told(language)))

    assert there.keys() == here.keys()
    assert [place for place in here if there[place] == here[place]] == []
    numbers = {place: sorted(re.findall(r"\d+", text)) for place, text in here.items()}
    assert {place: sorted(re.findall(r"\d+", text)) for place, text in there.items()} == numbers


def test_a_spanish_student_reads_spanish_titles_in_the_frame_that_the_model_knows() -> None:
    with locale_scope("es-MX"):
        listed = call("sample_list_assignments", {"window": "overdue"})
        read = call("sample_get_assignment", {"assignment": "laboratorio 3"})
        grades, syllabus = call("sample_get_grades"), call("sample_get_syllabus")

    assert listed.output.startswith("1 assignment past due and not handed in (Sample course, as of ")
    assert listed.data["assignments"][0]["title"] == "Diario de observación, entrada 3"
    assert listed.data["assignments"][0]["status"] == "not handed in, past due"
    assert "Counts in Laboratorios, which makes 20% of the grade." in read.output
    assert "ASTR 101 (muestra): Introducción a la Astronomía" in read.output
    assert grades.data["groups"][0]["name"] == "Tareas"
    assert "**Cuestionarios** — 10% of the grade" in syllabus.output
