"""New times of a thing that exists: moved, pushed by some time, made longer or shorter."""

import re
from datetime import datetime, timedelta

from sandbox.model.rules.dates.recurrence import TO_DAYS
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity

PUSHES = re.compile(r"push|delay|postpone|retras|aplaz|pospon|adelant|bring forward|pull forward|bump|shift")
PULLS = re.compile(r"adelant|bring forward|pull forward")
EXTENDS = re.compile(r"extend|lengthen|alarg|shorten|acort")
SHORTENS = re.compile(r"short|acort")
LONGER = re.compile(r"\b(?:longer|shorter|mas\s+(?:larg|cort)\w+)\b")
"""By how much, not how long: "make it an hour longer"."""
BY_MORE = re.compile(r"\b(?:more|extra|less)\b|\b(?:hora|horas|minutos|min)\s+(?:mas|menos)\b")
ENDS_AT = re.compile(r"\b(?:end|ends|ending|finish|until|till|acab\w+|termin\w+|hasta)\b(?! of)")


def is_shift(intent: Intent) -> bool:
    """Whether a length of time says how far to move something, not how long it lasts."""
    return bool(PUSHES.match(intent.verb))


def stretched(intent: Intent, entity: Entity | None) -> int | None:
    """The new length in minutes when a thing is made longer or shorter by some time."""
    folded = fold(intent.text)
    by = intent.when.shift or (intent.when.minutes if not re.search(r"\bto\b|\ba\b", folded) else None)
    if not stretches(intent) or by is None or entity is None or entity.length is None:
        return None
    minutes = int(entity.length.total_seconds() // 60)
    is_less = SHORTENS.match(intent.verb) or re.search(r"\b(?:shorter|less|menos|mas\s+cort\w+)\b", folded)
    return max(5, minutes - abs(by) if is_less else minutes + abs(by))


def stretches(intent: Intent) -> bool:
    """Whether a length of time says by how much something gets longer or shorter."""
    if EXTENDS.match(intent.verb):
        return True
    folded = fold(intent.text)
    return bool(intent.when.minutes and (LONGER.search(folded) or BY_MORE.search(folded)))


def moved_start(intent: Intent, entity: Entity | None) -> datetime | None:
    """The new start of a thing: what the clause says, the rest as it was."""
    when, old = intent.when, entity.start if entity else None
    if TO_DAYS.search(fold(intent.text)) and not when.has_time:
        return None
    shift = _shift(intent)
    if shift is not None and old and not stretches(intent):
        return old + timedelta(minutes=shift)
    if when.start is None or stretches(intent) or ENDS_AT.search(fold(intent.text)):
        return None
    if when.has_time:
        return when.start if when.has_day or not old else datetime.combine(old.date(), when.start.timetz())
    if old and when.end is not None and (when.end.date() - when.start.date()).days == 6:
        # "To next week": the same day of that week; of the week it is in, the one after.
        same = datetime.combine(when.start.date() + timedelta(days=old.weekday()), old.timetz())
        return same if same.date() != old.date() else same + timedelta(days=7)
    if old and when.start.time() == datetime.min.time():
        return datetime.combine(when.start.date(), old.timetz())
    return when.start if entity is None or old else None


def moved_end(intent: Intent, entity: Entity | None, *, keeps_length: bool) -> datetime | None:
    """The new end, when the clause gives one or the length must be kept by hand."""
    when, old = intent.when, entity.start if entity else None
    start = moved_start(intent, entity)
    if when.has_time and when.has_end and when.end and when.start and start:
        return start + (when.end - when.start)
    if when.has_time and when.start and old and ENDS_AT.search(fold(intent.text)):
        return datetime.combine(when.start.date() if when.has_day else old.date(), when.start.timetz())
    if keeps_length:
        return None
    begins = start or old
    if when.minutes and begins and not is_shift(intent):
        return begins + timedelta(minutes=when.minutes)
    return start + entity.length if start and entity and entity.length else None


def _shift(intent: Intent) -> int | None:
    if intent.when.shift is None and intent.when.minutes and is_shift(intent):
        return -intent.when.minutes if PULLS.match(intent.verb) else intent.when.minutes
    return intent.when.shift
