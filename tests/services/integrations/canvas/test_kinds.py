"""What kind of work something is, how long it takes, what comes first, and when to do it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.canvas.assignment_kinds import Kind, estimated_minutes, hours, kind_of
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.ranking import rank
from services.integrations.canvas.schedule import SITTING, Slot, last_day, spread

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 15, 0, tzinfo=UTC)


def work(id: int, days: float | None = None, kind: Kind = Kind.HOMEWORK, **more: object) -> Assignment:
    due_at = None if days is None else NOW + timedelta(days=days)
    fields = {"course_id": 1, "course": "Bio", "title": f"W{id}", "url": "https://c", "points": 20.0, **more}
    return Assignment(id=id, due_at=due_at, kind=kind, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("title", "types", "kind"),
    [
        ("Midterm 2", ["on_paper"], Kind.EXAM),
        ("Final Exam", ["on_paper"], Kind.EXAM),
        ("Exam III (final)", ["online_quiz"], Kind.EXAM),
        ("Examen parcial", [], Kind.EXAM),
        ("Unit test", [], Kind.EXAM),
        ("Quiz 5 (chapters 11–12)", ["online_quiz"], Kind.QUIZ),
        ("Chapter 11: Personality", ["online_quiz"], Kind.QUIZ),
        ("Recitation quiz 6 (ratio test)", ["on_paper"], Kind.QUIZ),
        ("WeBWorK 12: Ratio and root tests", ["external_tool"], Kind.HOMEWORK),
        ("WeBWorK 9: Series, integral test", ["external_tool"], Kind.HOMEWORK),
        ("Forum: who gets to say “we”?", ["discussion_topic"], Kind.DISCUSSION),
        ("Essay 3: Researched argument", ["online_upload"], Kind.ESSAY),
        ("Ensayo 1", [], Kind.ESSAY),
        ("Research paper (8–10 pages)", ["online_upload"], Kind.ESSAY),
        ("Lab Report 6: Mitosis", ["online_upload"], Kind.LAB),
        ("Final project: code and demo", ["online_url"], Kind.PROJECT),
        ("Final: reflection", ["online_upload"], Kind.EXAM),
        ("Peer review 3 (two letters)", ["online_upload"], Kind.PEER_REVIEW),
        ("Practice exams with solutions", ["none"], Kind.OTHER),
        ("Problem Set 8", ["online_upload"], Kind.HOMEWORK),
        ("Collaborate on maps", [], Kind.HOMEWORK),
    ],
)
def test_a_kind_follows_how_it_is_taken_then_its_words(title: str, types: list[str], kind: Kind) -> None:
    assert kind_of(title, types) is kind


def test_every_kind_has_an_estimate_and_small_things_take_half() -> None:
    assert all(estimated_minutes(kind, 100) > 0 for kind in Kind)
    assert estimated_minutes(Kind.HOMEWORK, 5) * 2 == estimated_minutes(Kind.HOMEWORK, 6)
    assert estimated_minutes(Kind.HOMEWORK, 0) == estimated_minutes(Kind.HOMEWORK, None) == 120


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (45, "about 45 minutes"),
        (60, "about 1 hour"),
        (90, "about 1½ hours"),
        (150, "about 2½ hours"),
        (2070, "about 34½ hours"),
    ],
)
def test_lengths_are_rough_on_purpose(minutes: int, words: str) -> None:
    assert hours(minutes) == words


def test_what_is_worth_more_soon_and_missing_comes_first() -> None:
    items = [(work(1, 10), 2.0), (work(2, 1), 2.0), (work(3, 10), 30.0), (work(4, -3, is_missing=True), 2.0)]

    assert [one.item.id for one in rank(items, NOW)] == [4, 3, 2, 1]


def test_long_work_is_nearer_than_its_due_date_says() -> None:
    items = [(work(1, 3), 5.0), (work(2, 3, Kind.PROJECT), 5.0)]

    assert [one.item.id for one in rank(items, NOW)] == [2, 1]


def test_without_weights_the_earliest_due_comes_first() -> None:
    items = [(work(id, days), None) for id, days in ((1, 5), (2, 1), (3, 9))]

    assert [one.item.id for one in rank(items, NOW)] == [2, 1, 3]


@given(
    st.lists(st.tuples(st.floats(0.1, 12), st.sampled_from(Kind), st.booleans()), max_size=8),
    st.lists(st.integers(0, 400), min_size=1, max_size=9),
)
def test_a_plan_keeps_to_due_dates_and_to_the_time_there_is(
    wanted: list[tuple[float, Kind, bool]], minutes: list[int]
) -> None:
    items = [work(id, days, kind, is_missing=late) for id, (days, kind, late) in enumerate(wanted)]
    today = NOW.astimezone(CHICAGO).date()
    slots = [Slot(day=today + timedelta(days=at), minutes=many) for at, many in enumerate(minutes)]

    sittings, left = spread(items, slots, CHICAGO)

    for slot in slots:
        assert sum(one.minutes for one in sittings if one.day == slot.day) <= slot.minutes
    for place, item in enumerate(items):
        mine = [one for one in sittings if one.item is item]
        assert sum(one.minutes for one in mine) + left.get(place, 0) == item.minutes
        assert all(item.is_missing or one.day <= last_day(item, CHICAGO) for one in mine)


def test_in_free_time_sittings_follow_each_other_and_stay_short() -> None:
    start = datetime(2026, 11, 24, 16, 0, tzinfo=UTC)
    slots = [Slot(day=start.date(), minutes=240, start=start)]

    sittings, _ = spread([work(1, 4, Kind.PROJECT), work(2, 5)], slots, CHICAGO)

    assert [one.minutes for one in sittings if one.item.id == 1] == [90, 30]
    assert all(one.minutes <= SITTING for one in sittings)
    ends = [one.start + timedelta(minutes=one.minutes) for one in sittings if one.start]
    assert [one.start for one in sittings[1:]] == ends[:-1]


def test_what_is_due_in_the_morning_is_done_the_day_before() -> None:
    morning = work(1).__class__(**{**vars(work(1)), "due_at": datetime(2026, 11, 24, 15, 0, tzinfo=UTC)})
    evening = work(1).__class__(**{**vars(work(1)), "due_at": datetime(2026, 11, 25, 5, 59, tzinfo=UTC)})

    assert last_day(morning, CHICAGO).day == 23
    assert last_day(evening, CHICAGO).day == 24
