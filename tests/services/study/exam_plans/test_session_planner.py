"""Sessions until an exam lie in free time, are no slivers, and are spread as one learns best."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from services.study.exam import SessionKind
from services.study.exam_plans.session_planner import (
    MOCK,
    SHORTEST,
    CoveredMaterial,
    FreeStretch,
    SessionPlan,
    plan_sessions,
)

ZONE = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 10, 7, tzinfo=ZONE)
EXAM = datetime(2026, 12, 7, 9, 0, tzinfo=ZONE)


def afternoons(days: int = 14, hours: int = 3) -> list[FreeStretch]:
    first = NOW.replace(hour=15, minute=0)
    return [
        FreeStretch(start=first + timedelta(days=n), end=first + timedelta(days=n, hours=hours)) for n in range(days)
    ]


def readings(*minutes: int) -> list[CoveredMaterial]:
    return [CoveredMaterial(id=f"m{n}", title=f"Chapter {n}", minutes=length) for n, length in enumerate(minutes)]


def plan(**more: object) -> SessionPlan:
    given = {"now": NOW, "exam_at": EXAM, "free": afternoons(), "materials": readings(40, 45, 30), "zone": ZONE}
    return plan_sessions(**{**given, **more})


def kinds(found: SessionPlan) -> list[SessionKind]:
    return [session.kind for session in found.sessions]


def test_reading_comes_first_then_practice_and_the_mock_exam_days_before_the_end() -> None:
    found = plan()

    assert found.left_out == ()
    read = [session for session in found.sessions if session.kind is SessionKind.READ]
    assert [session.what for session in read] == ["Chapter 0", "Chapter 1", "Chapter 2"]
    (mock,) = [session for session in found.sessions if session.kind is SessionKind.MOCK]
    assert 2 <= (EXAM.date() - mock.start.date()).days <= 4
    assert SessionKind.REVIEW in kinds(found)


def test_what_is_read_is_practised_on_a_later_day() -> None:
    found = plan()

    read_on = {id: s.start.date() for s in found.sessions if s.kind is SessionKind.READ for id in s.material_ids}
    practised = [session for session in found.sessions if session.kind is SessionKind.PRACTISE]
    assert practised
    assert all(session.start.date() > read_on[id] for session in practised for id in session.material_ids)


def test_short_materials_are_read_together_and_long_ones_in_parts() -> None:
    found = plan(materials=readings(10, 15, 10, 120))

    read = [session for session in found.sessions if session.kind is SessionKind.READ]
    assert [(s.what, s.minutes) for s in read][:2] == [
        ("Chapter 0 · Chapter 1 · Chapter 2", 35),
        ("Chapter 3 (1/3)", 40),
    ]


def test_weak_topics_are_practised() -> None:
    topics = [session.topic for session in plan(weak_topics=["Osmosis", "Diffusion"]).sessions]

    assert {"Osmosis", "Diffusion"} <= set(topics)


def test_what_there_is_no_time_for_is_told() -> None:
    found = plan(free=afternoons(days=2, hours=1), materials=readings(*[50] * 8))

    assert found.left_out
    assert found.left_minutes >= 200
    assert SessionKind.MOCK in kinds(plan(free=afternoons(days=12, hours=1), materials=readings(*[50] * 30)))


def test_without_free_time_nothing_is_planned() -> None:
    assert plan(free=[]).sessions == ()


def test_an_exam_tomorrow_still_gets_a_session_today() -> None:
    found = plan(exam_at=NOW + timedelta(hours=22))

    assert found.sessions
    assert {session.start.date() for session in found.sessions} == {NOW.date()}


@given(
    st.lists(st.tuples(st.integers(0, 60 * 24 * 16), st.integers(5, 600)), max_size=25),
    st.lists(st.integers(5, 300), max_size=12),
    st.integers(1, 60),
    st.integers(25, 240),
)
def test_whatever_is_free_the_rules_hold(
    stretches: list[tuple[int, int]], minutes: list[int], hours_until: int, daily: int
) -> None:
    free: list[FreeStretch] = []
    for start, length in sorted(stretches):
        begins = NOW.astimezone(UTC) + timedelta(minutes=start) - timedelta(days=1)
        if not free or begins >= free[-1].end:
            free.append(FreeStretch(start=begins, end=begins + timedelta(minutes=length)))
    exam_at = NOW + timedelta(hours=8 * hours_until)

    found = plan(free=free, materials=readings(*minutes), exam_at=exam_at, daily_minutes=daily)

    spans = [(s.start.astimezone(UTC), s.start.astimezone(UTC) + timedelta(minutes=s.minutes)) for s in found.sessions]
    assert all(start >= NOW.astimezone(UTC) and end <= exam_at.astimezone(UTC) for start, end in spans)
    assert all(any(gap.start <= start and end <= gap.end for gap in free) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert all(SHORTEST <= session.minutes <= MOCK for session in found.sessions)
    days = {session.start.astimezone(ZONE).date() for session in found.sessions}
    assert all(day < exam_at.astimezone(ZONE).date() for day in days)
    for day in days:
        taken = [s.minutes for s in found.sessions if s.start.astimezone(ZONE).date() == day]
        assert sum(taken) <= daily or len(taken) == 1
