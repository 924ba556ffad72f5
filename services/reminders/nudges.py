"""Nudges: which news of a student's days are worth a message, and its few words on a lock screen.

Each has a key that is the same at every look.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from services.i18n import gettext, ngettext
from services.reminders.digest import change_line, due_line
from services.reminders.message import MessageSection, ReminderMessage
from services.reminders.preferences import Channel, ReminderPreferences, Topic
from services.week.changes import ChangeKind
from services.week.today import Today
from services.week.week import WeekEntry

TOPICS_OF_CHANGES = {
    ChangeKind.GRADE: Topic.GRADE,
    ChangeKind.ANNOUNCEMENT: Topic.ANNOUNCEMENT,
    ChangeKind.MOVED: Topic.MOVED,
}
"""Kinds of changes that a student can be nudged for; replies wait until they look."""
DUE_FROM = time(16)
"""When the afternoon begins in which one is told what is due tomorrow."""
BEGUN = "started"
LATEST_NEWS = timedelta(days=2)
"""What is older when it is first seen is no news: a service was away, or an account was connected."""


@dataclass(frozen=True, kw_only=True)
class Nudge:
    """key: of what is told, whatever the channel; a date that moves twice is told twice."""

    key: str
    topic: Topic
    line: str = field(repr=False)


def nudges(today: Today, preferences: ReminderPreferences, channel: Channel) -> Sequence[Nudge]:
    """What this channel may bring at this moment, in the current language, without what was told before."""
    if preferences.is_quiet(today.now):
        return ()
    wanted, since = preferences.wanted_nudges(channel), preferences.since[channel]
    found = [*_due_tomorrow(today, preferences), *_changes(today, since, shows_grades=preferences.shows_grades)]
    return [nudge for nudge in found if nudge.topic in wanted]


def nudge_message(told: Sequence[Nudge]) -> ReminderMessage:
    """One message for all that is told at one look."""
    lines = tuple(nudge.line for nudge in told)
    if len(lines) == 1:
        headings = {
            Topic.DUE: gettext("Due tomorrow"),
            Topic.GRADE: gettext("A grade is in"),
            Topic.ANNOUNCEMENT: gettext("New announcement"),
            Topic.MOVED: gettext("A date has moved"),
        }
        title = headings[told[0].topic]
    else:
        title = ngettext("{n} thing to know", "{n} things to know", len(lines))
    sections = (MessageSection(heading="", lines=lines),)
    return ReminderMessage(title=title, brief=" · ".join(lines), sections=sections)


def _due_tomorrow(today: Today, preferences: ReminderPreferences) -> Iterator[Nudge]:
    begin = today.now.replace(hour=DUE_FROM.hour, minute=0, second=0, microsecond=0)
    if preferences.is_quiet(begin):
        # Whose afternoons are quiet hears of it at noon, or as soon as their quiet hours end.
        begin = begin.replace(hour=12)
    if today.now < begin:
        return
    tomorrow = today.now.date() + timedelta(days=1)
    for entry in today.due_soon:
        if entry.start.date() == tomorrow and entry.status != BEGUN:
            yield Nudge(key=_due_key(entry), topic=Topic.DUE, line=due_line(entry, today.now))


def _due_key(entry: WeekEntry) -> str:
    return f"due {entry.kind} {entry.id} {entry.start.date()}"


def _changes(today: Today, since: datetime, *, shows_grades: bool) -> Iterator[Nudge]:
    """What happened since the channel was switched on."""
    earliest = max(since.astimezone(UTC), today.now.astimezone(UTC) - LATEST_NEWS)
    for change in today.changes:
        topic = TOPICS_OF_CHANGES.get(change.kind)
        if topic is not None and not change.is_sample and change.at.astimezone(UTC) >= earliest:
            moved = f" {change.due_at}" if change.kind is ChangeKind.MOVED else ""
            line = change_line(change, shows_grades=shows_grades)
            yield Nudge(key=f"{change.kind} {change.id}{moved}", topic=topic, line=line)
