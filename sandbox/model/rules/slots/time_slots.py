"""Time slots: starts, ends, days, lengths and hours of the day."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.rules.dates.recurrence import CODES, repeat_days
from sandbox.model.rules.dates.vocabulary import NUMBER, number
from sandbox.model.rules.dates.when import When
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.slots.reschedule import is_shift, moved_end, moved_start, stretched
from sandbox.model.rules.slots.slot_context import CallDraft
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.schema import Action, Param, Role

DEFAULT_MINUTES = 60
LOOK_AHEAD_DAYS = 30
RANGES = ("range", "custom", "between", "dates", "date_range", "period")
IS_DUE = re.compile(r"due|deadline|remind|by$")
AHEAD = ("suggest_times", "conflicts", "study_plan", "study_sessions")
"""Specialities that are about times to come."""
EVENING = re.compile(r"\b(?:dinner|supper|cena|cenar)\b")
SAYS_HALF = re.compile(r"\d\s*[ap]\.?\s?m\b|\b(?:morning|manana)\b|\b[012]?\d:\d\d\b")
BEGINS = re.compile(r"\b(?:start\w*|begin\w*|from|next|desde|empez\w*|empiez\w*|partir|proxim\w*)\b")
TERM_DAYS = 120
REST_OF_TERM = re.compile(
    r"\b(?:left|remain\w*|still|coming|upcoming|due|to\s+go|rest|quedan?|faltan?|pendientes?|resto)\b"
    r"(?=.*\b(?:this|the|est[ea]|el)\s+(?:current\s+)?(?:semester|term|quarter|trimester|school\s+year|semestre"
    r"|cuatrimestre|trimestre)\b)"
)
WHOLE_WEEK, WEEKS_END = 7, 3
NEXT_DAYS = re.compile(
    rf"\b(?:next|coming|following|proximos?|siguientes)\s+(?P<n>{NUMBER})\s+(?:days?|dias?)\b"
    rf"|\b(?P<m>{NUMBER})[- ](?:days?|dias?)\s+(?:study\s+)?plan\b"
)
LOOKS_BACK = re.compile(r"back|past|ago|since|recent|last")


def written(moment: datetime, shape: str) -> str:
    """A time as the parameter wants it."""
    if shape == "day":
        return moment.date().isoformat()
    if shape == "clock":
        return f"{moment:%H:%M}"
    if shape == "local":
        return moment.replace(tzinfo=None).isoformat(timespec="minutes")
    return moment.isoformat(timespec="seconds")


def _window(draft: CallDraft) -> When:
    """What the clause says of the days to look at: what is left of a term is all that is known to come."""
    when, now = draft.intent.when, draft.context.now
    is_work = draft.profile.objects.get("assignment", 0) >= 0.9 and not draft.is_write
    if when.is_said or not is_work or not REST_OF_TERM.search(fold(draft.intent.text)):
        return when
    return When(start=now, end=now + timedelta(days=TERM_DAYS), has_day=True)


def range_choice(draft: CallDraft) -> Any:
    """The choice that stands for a range of days, when the clause names one and the tool has such a choice."""
    when = _window(draft)
    return _range_option(draft) if when.is_said and not when.is_vague else None


def _range_option(draft: CallDraft) -> Any:
    choices = [choice for param in draft.profile.params if param.role is Role.CHOICE for choice in param.choices]
    has_edges = draft.has(Role.START) and draft.has(Role.END)
    return next((choice for choice in choices if choice in RANGES), None) if has_edges else None


def _wants_no_range(draft: CallDraft, param: Param) -> bool:
    # Edges that only count for the choice "range" stay away from every other choice.
    return not param.required and _range_option(draft) is not None and range_choice(draft) is None


def _start(draft: CallDraft, param: Param) -> str | None:
    if draft.is_write:
        moment = _new_start(draft)
        return written(moment, _shape(draft, param)) if moment else None
    if _wants_no_range(draft, param):
        return None
    if (start := _window(draft).start) is not None:
        return written(_not_past(draft, start), param.shape)
    return written(draft.context.now, param.shape) if param.required or range_choice(draft) is not None else None


def _not_past(draft: CallDraft, start: datetime) -> datetime:
    # "Free this week" is about what is left of it.
    looks_ahead = draft.profile.objects.get("free", 0) >= 0.9 or draft.profile.ability in AHEAD
    end = draft.intent.when.end
    is_running = end is not None and start.date() < draft.context.now.date() <= end.date()
    return draft.context.now if looks_ahead and is_running else start


def _end(draft: CallDraft, param: Param) -> str | None:
    if not draft.is_write:
        return _end_of_look(draft, param)
    if not draft.has(Role.START) or IS_DUE.search(param.name):
        return _due(draft, param)
    moment = _new_end(draft, param)
    return written(moment, _shape(draft, param)) if moment else None


def _due(draft: CallDraft, param: Param) -> str | None:
    when = draft.intent.when
    if param.shape == "clock" and not when.has_time:
        return None
    moment = (when.end if when.is_deadline or not when.has_time else when.start) or when.start
    return written(moment, param.shape) if moment else None


def _end_of_look(draft: CallDraft, param: Param) -> str | None:
    when = _window(draft)
    if _wants_no_range(draft, param):
        return None
    if when.end is not None:
        return written(when.end, param.shape)
    if when.start is not None and (when.has_time or param.required or range_choice(draft) is not None):
        return written(when.start.replace(hour=23, minute=59), param.shape)
    # What has no due day is never within an edge of such days.
    is_wide = _asks_for_one_thing(draft) and draft.has(Role.START) and not IS_DUE.search(param.name)
    last = draft.context.now + timedelta(days=LOOK_AHEAD_DAYS if is_wide else 7)
    return written(last.replace(hour=23, minute=59), param.shape) if param.required or is_wide else None


def _asks_for_one_thing(draft: CallDraft) -> bool:
    # Somebody who asks for one thing without a day ("my dentist appointment") wants a longer look ahead.
    return not draft.intent.when.is_said and draft.profile.action is Action.READ and bool(telling_stems(draft.intent))


def _new_start(draft: CallDraft) -> datetime | None:
    when = draft.intent.when
    if draft.is_change:
        return moved_start(draft.intent, draft.context.entity)
    if when.start is not None and (when.has_time or draft.is_all_day):
        return _first_of_several(draft, _of_the_evening(draft, when.start))
    if when.is_deadline and when.has_time:
        return when.end
    return draft.context.moment[0] if draft.context.moment else None


def _first_of_several(draft: CallDraft, start: datetime) -> datetime:
    # "Every Tuesday and Thursday", said on a Wednesday, begins the next day, and "every weekday" not on a Saturday.
    named, now = repeat_days(draft.intent.text) or [], draft.context.now
    if len(named) < 2 or not draft.intent.when.has_time:
        return start
    begins = start if BEGINS.search(fold(draft.intent.text)) else datetime.combine(now.date(), start.timetz())
    coming = (begins + timedelta(days=ahead) for ahead in range(8))
    return next((day for day in coming if day > now and CODES[day.weekday()] in named), start)


def _of_the_evening(draft: CallDraft, start: datetime) -> datetime:
    # Dinner "at 9" is not in the morning.
    folded = fold(draft.intent.text)
    is_meant = 5 <= start.hour < 12 and EVENING.search(folded) and not SAYS_HALF.search(folded)
    return start + timedelta(hours=12) if is_meant else start


def _new_end(draft: CallDraft, param: Param) -> datetime | None:
    when = draft.intent.when
    if draft.is_change:
        return moved_end(draft.intent, draft.context.entity, keeps_length=draft.has(Role.MINUTES))
    if when.end is not None and when.start is not None:
        is_long = draft.is_all_day and when.end.date() != when.start.date()
        if is_long or (when.has_end and when.has_time):
            return when.end
    start = _new_start(draft)
    return None if start is None or draft.is_all_day else _usual_end(draft, param, start)


def _usual_end(draft: CallDraft, param: Param, start: datetime) -> datetime | None:
    when, gap = draft.intent.when, draft.context.moment
    if when.minutes:
        return None if draft.has(Role.MINUTES) else start + timedelta(minutes=when.minutes)
    usual = start + timedelta(minutes=DEFAULT_MINUTES)
    if gap is not None and gap[1] is not None and not when.has_time:
        return min(gap[1], usual)
    return usual if param.required else None


def _shape(draft: CallDraft, param: Param) -> str:
    return "day" if draft.is_all_day and draft.has(Role.FLAG) else param.shape


def _day(draft: CallDraft, param: Param) -> str | None:
    moment = draft.intent.when.start or draft.intent.when.end
    if moment is None:
        return written(draft.context.now, "day") if param.required and not draft.is_write else None
    return written(moment, "day" if param.shape == "offset" else param.shape)


def _minutes(draft: CallDraft, param: Param) -> int | None:
    when = draft.intent.when
    if param.is_list or "remind" in param.name or "before" in param.name:
        return None
    if draft.is_change and (total := stretched(draft.intent, draft.context.entity)):
        return total
    if when.minutes and not (draft.is_change and is_shift(draft.intent)):
        return when.minutes
    if draft.is_write and when.has_end and when.has_time and when.start and when.end and not draft.has(Role.END):
        return int((when.end - when.start).total_seconds() // 60)
    return DEFAULT_MINUTES if param.required else None


def _hours(draft: CallDraft, param: Param) -> float | None:
    minutes = draft.intent.when.minutes
    return minutes / 60 if minutes else None


def _days(draft: CallDraft, param: Param) -> int | None:
    when, today = draft.intent.when, draft.context.now.date()
    if draft.has(Role.END) or when.end is None:
        return 7 if param.required else None
    if LOOKS_BACK.search(f"{param.name} {param.description.lower()}"):
        first = when.start.date() if when.start else today
        is_past = first < today or first == when.end.date()
        return (today - first).days + 1 if is_past and first <= today else None
    if counted := NEXT_DAYS.search(fold(draft.intent.text)):
        return int(number(counted["n"] or counted["m"]))
    first = max(today, when.start.date()) if when.start and draft.has(Role.START) else today
    days = max(1, (when.end.date() - first).days + 1)
    # A plan "for this week" that is asked for at its end is about the days to come.
    is_ending = draft.profile.ability == "study_plan" and days < WEEKS_END and not _is_one_day(when)
    return WHOLE_WEEK if is_ending else days


def _is_one_day(when: When) -> bool:
    return when.start is None or when.end is None or when.start.date() == when.end.date()


def _clock_start(draft: CallDraft, param: Param) -> str | None:
    start = draft.intent.when.start
    return None if start is None or (start.hour, start.minute) == (0, 0) else f"{start:%H:%M}"


def _clock_end(draft: CallDraft, param: Param) -> str | None:
    end = draft.intent.when.end
    return None if end is None or (end.hour, end.minute) in ((23, 59), (0, 0)) else f"{end:%H:%M}"


FILLERS: Mapping[Role, Callable[[CallDraft, Param], Any]] = {
    Role.START: _start,
    Role.END: _end,
    Role.DAY: _day,
    Role.MINUTES: _minutes,
    Role.HOURS: _hours,
    Role.DAYS: _days,
    Role.CLOCK_START: _clock_start,
    Role.CLOCK_END: _clock_end,
}
