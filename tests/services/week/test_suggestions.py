"""What is worth doing first follows from the days alone."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.week.free_time import Gap
from services.week.suggestions import MOST, SuggestionKind, suggest
from services.week.week import EntryKind, WeekEntry

NOW = datetime(2026, 11, 24, 10, 0, tzinfo=ZoneInfo("America/Chicago"))


def due(title: str, hours: float, **more: object) -> WeekEntry:
    return WeekEntry(kind=EntryKind.DUE, id=title, title=title, start=NOW + timedelta(hours=hours), **more)  # type: ignore[arg-type]


def told(*entries: WeekEntry, free: tuple[Gap, ...] = (), now: datetime = NOW) -> list[tuple[SuggestionKind, str]]:
    return [
        (suggestion.hint, suggestion.entry.title if suggestion.entry else "")
        for suggestion in suggest(entries, free, now, "en-US")
    ]


def test_today_comes_before_tomorrow_and_both_before_what_is_late() -> None:
    entries = (due("late", -30), due("today", 5), due("tomorrow", 30))

    assert told(*entries) == [
        (SuggestionKind.TODAY, "today"),
        (SuggestionKind.TOMORROW, "tomorrow"),
        (SuggestionKind.OVERDUE, "late"),
    ]


def test_of_what_is_late_the_latest_may_still_be_caught_up_with() -> None:
    assert told(due("long ago", -900), due("yesterday", -20)) == [(SuggestionKind.OVERDUE, "yesterday")]


def test_what_is_due_on_a_whole_day_is_due_today_until_that_day_is_over() -> None:
    assert told(due("today", -10, is_whole_day=True)) == [(SuggestionKind.TODAY, "today")]
    assert told(due("yesterday", -34, is_whole_day=True)) == [(SuggestionKind.OVERDUE, "yesterday")]


def test_what_is_done_is_suggested_no_more() -> None:
    assert told(due("today", 5, is_done=True)) == []


def test_an_exam_within_a_week_is_worth_getting_ready_for() -> None:
    assert told(due("exam", 24 * 4, is_exam=True), due("essay", 24 * 4)) == [(SuggestionKind.EXAM, "exam")]
    assert told(due("exam", 24 * 9, is_exam=True)) == []


def test_from_friday_noon_on_what_is_due_first_in_the_next_seven_days_is_worth_a_plan() -> None:
    friday = NOW + timedelta(days=3, hours=3)
    exam, essay, far = due("exam", 24 * 6, is_exam=True), due("essay", 24 * 7), due("far", 24 * 11)

    assert told(exam, essay, far, now=friday) == [(SuggestionKind.EXAM, "exam"), (SuggestionKind.AHEAD, "essay")]
    assert told(essay, far, now=friday - timedelta(hours=2)) == []


def test_only_a_free_afternoon_of_today_that_is_long_enough_counts() -> None:
    def gap(start: float, hours: float) -> Gap:
        return Gap(start=NOW + timedelta(hours=start), end=NOW + timedelta(hours=start + hours))

    assert told(free=(gap(3, 2),)) == [(SuggestionKind.FREE, "")]
    assert told(free=(gap(3, 1), gap(9, 3), gap(26, 4))) == []


def test_there_are_never_more_than_fit() -> None:
    entries = (due("late", -3), due("today", 5), due("tomorrow", 30), due("exam", 80, is_exam=True))

    assert len(told(*entries)) == MOST
