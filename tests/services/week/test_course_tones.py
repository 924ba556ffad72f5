"""A course keeps its colour, and as long as there are enough colours no two courses of a week share one."""

from services.storage.store import Store
from services.week.course_tones import TONES, course_tones, tone_of
from tests.fakes import FakeDocuments
from tests.services.week.entries import event


def test_a_course_keeps_its_tone_whichever_others_a_week_has() -> None:
    store = Store(FakeDocuments())

    first = course_tones(store, "maya", ["BIOL 201: Cell Biology", "CS 101"])
    other = course_tones(store, "maya", ["ART 1", "CS 101"])
    both = course_tones(store, "maya", ["BIOL 201: Cell Biology", "ART 1", "CS 101"])

    assert first["CS 101"] == other["CS 101"]
    assert both == {**first, **other}
    assert len(set(both.values())) == 3
    assert course_tones(store, "diego", ["ZOO 1"])["ZOO 1"] == 0


def test_new_courses_of_a_week_differ_after_years_of_others() -> None:
    store = Store(FakeDocuments())
    for term in range(6):
        course_tones(store, "maya", [f"OLD {term} {number}" for number in range(5)])

    tones = course_tones(store, "maya", [f"NEW {number}" for number in range(TONES)])

    assert len(set(tones.values())) == TONES


def test_a_class_in_the_calendar_has_the_tone_of_the_course_that_its_title_names() -> None:
    tones = {"BIOL 20: Cells": 4, "CS 1": 5}

    assert tone_of(event("biol 20 lab", "2026-11-26T15:00", "2026-11-26T17:00"), tones) == 4
    assert tone_of(event("BIOL 201 lab", "2026-11-26T15:00", "2026-11-26T17:00"), tones) is None
    assert tone_of(event("Dentist", "2026-11-26T15:00", "2026-11-26T17:00"), tones) is None
