"""Data of the calendar component: a week as JSON, every text sanitised and in the student's language.

Times are what the student's clocks show, "2026-11-25T14:30": the browser's own zone plays no part.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from services.i18n import formats, get_locale, gettext
from services.identity.students import Student
from services.safety.text import one_line
from services.week.course_tones import course_code, tone_of
from services.week.free_time import Gap
from services.week.week import EntryKind, Week, WeekEntry, clashing_titles, find_clashes
from ui.local_time import as_heading, clock_time
from ui.week.week_labels import work_hours, work_state

Json = dict[str, Any]
EARLIEST_HOUR = 7
MARK = timedelta(minutes=30)
"""Height of a due date's mark, which ends when the work is due."""
LABEL = timedelta(minutes=30)
"""Height of the words in free time."""
MOST_STACKED = 5
"""Marks above each other; of more the others are one."""
SHORTEST_SHOWN = timedelta(minutes=15)
LONGEST_TITLE = 200
_FULL_HOUR = re.compile(r":00(?=\s)")


def calendar_data(student: Student, week: Week, *, tones: Mapping[str, int], view: str, day: date) -> Json:
    """JSON of a week. view: "week", "days", or "" where the width of the page decides. day: the first of three."""
    entries = entry_rows(student, week, tones)
    return {
        "view": view,
        "first": week.first.isoformat(),
        "day": day.isoformat(),
        "days": [_day(week, on) for on in week.days],
        "now": _wall(week.as_of),
        "from": f"{_first_hour(entries):02}:00:00",
        "hours": [_FULL_HOUR.sub("", formats.clock(time(hour))) for hour in range(24)],
        "locale": get_locale(),
        "has_am_pm": not formats.clock(time(13)).startswith("13"),
        "can_propose": week.can_write and week.last >= week.as_of.date(),
        "entries": entries,
        "free": [_room(gap, entries) for gap in week.free],
        "words": _words(),
    }


def entry_rows(student: Student, week: Week, tones: Mapping[str, int]) -> list[Json]:
    """Entries as rows for the calendar: events at their times, due dates and tasks as marks that end at theirs."""
    clashes = clashing_titles(find_clashes(week.entries))
    events = [entry for entry in week.entries if entry.kind is EntryKind.EVENT]
    marks = [entry for entry in week.entries if entry.kind is not EntryKind.EVENT]
    timed = [entry for entry in marks if not entry.is_whole_day]
    rows = [_row(student, week, entry, tones, clashes.get(entry.id, ())) for entry in events]
    rows += [_row(student, week, entry, tones) for entry in marks if entry.is_whole_day]
    for on, due in groupby(sorted(timed, key=lambda entry: entry.start.replace(tzinfo=None)), key=_day_of):
        rows += _stack(student, week, on, list(due), tones)
    return rows


def entry_key(entry: WeekEntry) -> str:
    return f"{entry.kind}-{entry.id}"


def _stack(student: Student, week: Week, on: date, marks: Sequence[WeekEntry], tones: Mapping[str, int]) -> list[Json]:
    """Marks of one day: those that would cover each other stand above each other, the last at its own time."""
    rows: list[Json] = []
    top: datetime | None = None
    stacked = 0
    waiting = list(marks)
    midnight = datetime.combine(on, time.min)
    while waiting:
        due = waiting[-1].start.replace(tzinfo=None)
        is_apart = top is None or due <= top
        end, stacked = (due, 1) if is_apart or top is None else (top, stacked + 1)
        end = max(end, midnight + MARK)
        top = end - MARK
        hidden = [entry for entry in waiting if entry.start.replace(tzinfo=None) > top - MARK]
        if stacked == MOST_STACKED and len(hidden) > 1:
            rows.append(_rest(on, hidden, top, end))
            waiting = waiting[: -len(hidden)]
            continue
        row = _row(student, week, waiting.pop(), tones)
        rows.append({**row, "start": _wall(top), "end": _wall(end)})
    return rows


def _rest(on: date, hidden: Sequence[WeekEntry], start: datetime, end: datetime) -> Json:
    title = gettext("{n} more due", n=len(hidden))
    label = f"{title}: {'; '.join(one_line(entry.title, LONGEST_TITLE) for entry in hidden)}"
    blank = _blank_row(f"day-{on.isoformat()}", EntryKind.DUE, title, label)
    return {**blank, "start": _wall(start), "end": _wall(end)}


def _row(
    student: Student, week: Week, entry: WeekEntry, tones: Mapping[str, int], overlapped: Sequence[str] = ()
) -> Json:
    title = one_line(entry.title, LONGEST_TITLE) or gettext("No title")
    clash = gettext("Clashes with {titles}", titles=_names(overlapped)) if overlapped else ""
    row = _blank_row(entry_key(entry), entry.kind, title, entry_label(student, entry, clash))
    start, end = _edges(entry)
    return {
        **row,
        "start": start,
        "end": end,
        "is_whole_day": entry.is_whole_day,
        "time": "" if entry.is_whole_day else entry_time(student, entry),
        "details": " · ".join(filter(None, (_course(entry), one_line(entry.where)))),
        "tone": tone_of(entry, tones),
        "state": _state(entry),
        "is_past": entry.is_past(week.as_of) if entry.end is None else entry.end <= week.as_of,
        "clash": clash,
        "can_move": entry.can_change and not entry.is_proposed,
        "is_offer": entry.kind is EntryKind.EVENT and not (entry.is_busy or entry.is_proposed),
    }


def _blank_row(key: str, kind: EntryKind, title: str, label: str) -> Json:
    return {
        "key": key,
        "kind": str(kind),
        "title": title,
        "label": label,
        "is_whole_day": False,
        "time": "",
        "details": "",
        "tone": None,
        "state": "",
        "is_past": False,
        "clash": "",
        "can_move": False,
        "is_offer": False,
    }


def entry_label(student: Student, entry: WeekEntry, clash: str = "") -> str:
    """Sentence of an entry, for ears: what it is, at what time of its day, where, how it stands, and what clashes."""
    title = one_line(entry.title, LONGEST_TITLE) or gettext("No title")
    named = {
        EntryKind.DUE: gettext("Due: {title}", title=title),
        EntryKind.TASK: gettext("Task: {title}", title=title),
        EntryKind.EVENT: gettext("Waits for you: {title}", title=title) if entry.is_proposed else title,
    }[entry.kind]
    when = gettext("all day") if entry.is_whole_day else entry_time(student, entry)
    states = {"planned": gettext("planned"), "done": gettext("done")}
    facts = [
        when,
        _course(entry),
        one_line(entry.where),
        one_line(work_state(entry.status)) if entry.kind is EntryKind.DUE and entry.status else "",
        states.get(_state(entry), "") if not entry.status else "",
        clash,
    ]
    return f"{', '.join([named, *filter(None, facts)])}."


def entry_time(student: Student, entry: WeekEntry) -> str:
    """Times of day: "3:00 PM – 4:30 PM", with the day of an end on another one; of what is due the moment alone."""
    start = clock_time(entry.start, student)
    if entry.end is None or entry.end.timestamp() <= entry.start.timestamp():
        return start
    end = clock_time(entry.end, student)
    is_next = (entry.end - timedelta(microseconds=1)).date() != entry.start.date()
    return f"{start} – {formats.pattern(entry.end, 'EEE')} {end}" if is_next else f"{start} – {end}"


def _state(entry: WeekEntry) -> str:
    if entry.is_proposed:
        return "proposed"
    if entry.is_done and entry.kind is not EntryKind.EVENT:
        return "done"
    return "planned" if entry.is_planned else ""


def _edges(entry: WeekEntry) -> tuple[str, str]:
    """Where it stands on the wall clock; in the hour that autumn has twice an event keeps its length."""
    if entry.is_whole_day:
        last = entry.end or entry.start + timedelta(days=1)
        return entry.start.date().isoformat(), max(last.date(), entry.start.date() + timedelta(days=1)).isoformat()
    start, end = (at.replace(tzinfo=None) for at in (entry.start, entry.end or entry.start))
    if end <= start:
        real = entry.end.timestamp() - entry.start.timestamp() if entry.end else 0
        length = max(timedelta(seconds=real), SHORTEST_SHOWN)
        # What begins just before midnight and has no length is drawn on its own day.
        start = min(start, datetime.combine(start.date() + timedelta(days=1), time.min) - length)
        end = start + length
    return _wall(start), _wall(end)


def _first_hour(rows: Iterable[Json]) -> int:
    """Hour at which the grid begins: none that has something in it is left out."""
    timed = [row for row in rows if not row["is_whole_day"]]
    if any(row["end"][:10] > row["start"][:10] and not row["end"].endswith("T00:00") for row in timed):
        return 0
    return min([EARLIEST_HOUR, *(int(row["start"][11:13]) for row in timed)])


def _room(gap: Gap, rows: Iterable[Json]) -> Json:
    """Free time and its label, which stands where no entry covers it. label_at: share of its height above the label."""
    start, end = (at.replace(tzinfo=None) for at in (gap.start, gap.end))
    label_start = start
    for row in sorted((row for row in rows if not row["is_whole_day"]), key=lambda row: str(row["start"])):
        if datetime.fromisoformat(row["start"]) < label_start + LABEL:
            label_start = max(label_start, datetime.fromisoformat(row["end"]))
    has_room = label_start + LABEL <= end
    label = gettext("Free {hours}", hours=work_hours(gap.minutes)) if has_room else ""
    share = (label_start - start) / (end - start) if has_room else 0.0
    return {"start": _wall(gap.start), "end": _wall(gap.end), "label": label, "label_at": round(share, 4)}


def _day(week: Week, on: date) -> Json:
    return {
        "date": on.isoformat(),
        "label": as_heading(formats.pattern(on, "EEE d")),
        "name": as_heading(formats.pattern(on, gettext("EEEE d MMMM"))),
        "is_today": on == week.as_of.date(),
    }


def _course(entry: WeekEntry) -> str:
    return one_line(course_code(entry.course))


def _names(titles: Sequence[str]) -> str:
    return ", ".join(f"“{one_line(title, LONGEST_TITLE)}”" for title in titles)


def _day_of(entry: WeekEntry) -> date:
    return entry.start.date()


def _wall(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M}"


def _words() -> dict[str, str]:
    return {
        "week": gettext("Your week as a calendar"),
        "all_day": as_heading(gettext("all day")),
        "with_times": gettext("With times"),
        "close": gettext("Close"),
        "more": gettext("and {n} more", n="{n}"),
        "choose_time": gettext("Choose a time to study"),
        "how_to_choose": gettext(
            "The arrows choose a time, with Shift they make it longer or shorter. Enter proposes it."
        ),
        "how_to_move": gettext("Shift and an arrow move it."),
        "move_or_leave": gettext("Enter proposes the move, Escape leaves it where it is."),
        "not_moved": gettext("It stays where it is."),
        "is_past": gettext("This time is over."),
        "free": gettext("Nothing is there."),
    }
