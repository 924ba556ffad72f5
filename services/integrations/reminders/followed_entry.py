"""Entry that a reminder moves with: the work or event that it comes before, as the student's days were last read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from services.errors import BadArguments
from services.i18n import formats, gettext, gettext_noop
from services.integrations.calendar.times import parse_moment
from services.integrations.kit.name_matcher import best_matches
from services.reminders.timed_reminders import TimedReminder
from services.runtime.clock import stamp
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow
from services.week.snapshots import WeekSnapshot, WeekSnapshots
from services.week.week import WeekEntry

NOTHING = "nothing"


def followed_row(context: ToolExecutionContext, given: Mapping[str, Any]) -> Iterator[PreviewRow]:
    """Card row of what a reminder moves with, fixed by its key; none where it was left out and nothing is found.

    Raises `BadArguments` for a key that is not known.
    """
    wanted, label = given["moves_with"], gettext_noop("Moves with")
    if wanted == NOTHING:
        yield PreviewRow(label=label, value=gettext("nothing"))
        return
    entry = entry_of_key(context, wanted) if wanted else _entry_before(context, given)
    if entry is not None:
        # Courses and invitations write titles, too.
        title = declared(one_line(entry.title), Provenance.OTHERS)
        when = formats.moment(entry.start, context.timezone)
        yield PreviewRow(label=label, value=f"{title} ({when})", resolved={"moves_with": entry.key})


def following(context: ToolExecutionContext, reminder: TimedReminder, key: str) -> TimedReminder:
    """The reminder, so that it moves with the entry of a key; as it is without one."""
    if not key or key == NOTHING:
        return reminder
    start = entry_of_key(context, key).start.astimezone(UTC)
    return replace(reminder, moves_with=key, entry_at=start, lead=start - reminder.remind_at.astimezone(UTC))


def entry_of_key(context: ToolExecutionContext, key: str) -> WeekEntry:
    if (entry := _snapshot(context).entry(key)) is None:
        raise BadArguments(gettext("This is not among what is known of the coming days."), field="moves_with")
    return entry


def _entry_before(context: ToolExecutionContext, given: Mapping[str, Any]) -> WeekEntry | None:
    """The entry at the reminder's moment: the only one there when it comes before that, else the one that its words
    mean. None where that is not plain.
    """
    there = _entries_at(context, parse_moment(given["at"], context.timezone, "at"))
    if len(there) > 1 or not given["before_minutes"]:
        there = best_matches(there, given["text"], lambda entry: (entry.title,), about=lambda entry: (entry.course,))
    return there[0] if len(there) == 1 else None


def _entries_at(context: ToolExecutionContext, at: datetime) -> list[WeekEntry]:
    snapshot = _snapshot(context)
    return [
        entry
        for entry in (*snapshot.entries, *snapshot.events)
        if stamp(entry.start) == stamp(at) and not (entry.is_whole_day or entry.is_sample or entry.is_taught)
    ]


def _snapshot(context: ToolExecutionContext) -> WeekSnapshot:
    snapshots = WeekSnapshots(context.container.store, context.container.clock)
    return snapshots.latest(context.student, context.connections)
