"""Practice in a week: sessions that are planned and stand in no calendar, and the cards of today, as its entries."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.i18n import gettext, ngettext
from services.study.exam import session_title
from services.study.exam_plans.exam_plans import SessionOfExam
from services.week.week import EntryKind, Week, WeekEntry


def with_practice(
    week: Week, sessions: Iterable[SessionOfExam], *, cards: int, now: datetime, zone: ZoneInfo, url: str
) -> Week:
    """The week with planned practice. cards: how many are to be reviewed today. url: of the page Study.

    A session that a card has put into a calendar stands there, and one that an event is the same as.
    """
    known = {(entry.title, entry.start) for entry in week.entries}
    planned = [_session(found, zone, url) for found in sessions if not (found.session.card and week.has_calendar)]
    added = [entry for entry in planned if (entry.title, entry.start) not in known]
    if cards:
        added.append(_cards(cards, now.astimezone(zone), url))
    shown = [entry for entry in added if any(entry.touches(day) for day in week.days)]
    return replace(week, entries=tuple(sorted([*week.entries, *shown], key=lambda entry: entry.order)))


def _session(planned: SessionOfExam, zone: ZoneInfo, url: str) -> WeekEntry:
    session = planned.session
    start = session.start.astimezone(zone)
    return WeekEntry(
        kind=EntryKind.EVENT,
        id=f"study-{planned.exam.id}-{session.id}",
        title=session_title(session, planned.exam),
        start=start,
        end=start + timedelta(minutes=session.minutes),
        is_done=session.done_at is not None,
        is_busy=False,
        service=gettext("Study"),
        url=f"{url}?view=exams",
    )


def _cards(count: int, now: datetime, url: str) -> WeekEntry:
    return WeekEntry(
        kind=EntryKind.EVENT,
        id="study-cards",
        title=ngettext("{n} card to review", "{n} cards to review", count),
        start=now.replace(hour=0, minute=0, second=0, microsecond=0),
        end=(now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0),
        is_whole_day=True,
        is_busy=False,
        service=gettext("Study"),
        url=f"{url}?review=1",
    )
