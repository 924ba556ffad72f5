"""Exam windows: which one is open or begins next, and the check of those that an instructor sets."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from services.assistants.class_assistant import ExamWindow
from services.errors import BadArguments
from services.i18n import gettext

LONGEST = timedelta(days=14)
MOST_WINDOWS = 20
LONGEST_RULES = 1000
"""Characters of what students are told of an exam."""


def open_window(windows: Sequence[ExamWindow], now: datetime) -> ExamWindow | None:
    """The window that is open now; where several are, the strictest, and of those the one that ends last."""
    opened = (window for window in windows if window.is_open(now))
    return min(opened, key=lambda window: (window.mode != "closed", -window.ends_at.timestamp()), default=None)


def next_window(windows: Sequence[ExamWindow], now: datetime) -> ExamWindow | None:
    """The window that begins next."""
    later = (window for window in windows if window.begins_at > now)
    return min(later, key=lambda window: window.begins_at, default=None)


def window_bounds(begins: datetime, ends: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The moments (UTC) at which a window begins and ends, of what a clock in this zone shows then.

    Where clocks change, it shows a time twice or never: the window then begins at the earlier moment that may be meant,
    and ends at the later one, so that no exam is open for an hour because of it.
    """
    first, last = ([at.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)] for at in (begins, ends))
    return min(first), max(last)


def checked_windows(
    windows: Sequence[ExamWindow], before: Sequence[ExamWindow], now: datetime
) -> tuple[ExamWindow, ...]:
    """Sort and check windows. before: those that there were, which stay as they are even when they are over.

    Raises `BadArguments` for one that ends before it begins, is over already or lasts too long.
    """
    if len(windows) > MOST_WINDOWS:
        raise BadArguments(gettext("There are at most {most} exam windows.", most=MOST_WINDOWS), field="windows")
    for window in windows:
        if window not in before:
            _check(window, now)
    return tuple(sorted(windows, key=lambda window: (window.begins_at, window.ends_at, window.id)))


def _check(window: ExamWindow, now: datetime) -> None:
    problem = ""
    if window.ends_at <= window.begins_at:
        problem = gettext("The exam window ends before it begins.")
    elif window.ends_at <= now:
        problem = gettext("This time is over already.")
    elif window.ends_at - window.begins_at > LONGEST:
        problem = gettext("An exam window lasts at most {days} days.", days=LONGEST.days)
    elif len(window.rules) > LONGEST_RULES:
        problem = gettext("The rules are longer than {most} characters.", most=LONGEST_RULES)
    if problem:
        raise BadArguments(problem, field="windows", next_step=gettext("Change its times, then save again."))
