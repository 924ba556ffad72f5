"""Morning digest: what the page Today shows, as a message."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from services.i18n import formats, gettext, ngettext
from services.reminders.message import MessageSection, ReminderMessage
from services.safety.text import one_line
from services.study.exam import session_title
from services.week.changes import Change, ChangeKind
from services.week.today import Today, TodayProblem
from services.week.week import WeekEntry


def digest(today: Today, *, shows_grades: bool) -> ReminderMessage | None:
    """The digest in the current language; None when there is nothing to tell and nothing that could not be read."""
    if today.is_quiet and not today.problems:
        return None
    sections = (
        MessageSection(heading=gettext("Next"), lines=_next(today)),
        MessageSection(
            heading=gettext("Due soon"), lines=tuple(due_line(entry, today.now) for entry in today.due_soon)
        ),
        MessageSection(
            heading=gettext("Later in the next seven days"),
            lines=tuple(due_line(entry, today.now) for entry in today.due_ahead),
        ),
        MessageSection(heading=gettext("Practice"), lines=tuple(_practice(today))),
        MessageSection(heading=gettext("Overdue"), lines=tuple(overdue_line(entry) for entry in today.overdue)),
        MessageSection(heading=gettext("New"), lines=change_lines(today.changes, shows_grades=shows_grades)),
        MessageSection(heading=gettext("Waiting for you in Homeroom"), lines=_waiting(today)),
        MessageSection(heading=gettext("A free hour"), lines=_suggestion(today)),
        MessageSection(heading=gettext("What could not be read"), lines=_problems(today.problems)),
    )
    return ReminderMessage(
        title=gettext("Your day, {day}", day=formats.short_day(today.now.date())),
        brief=_brief(today),
        sections=tuple(section for section in sections if section.lines),
    )


def due_line(entry: WeekEntry, now: datetime) -> str:
    """What is due and when: "Lab report (BIOL 201): today, 11:59 PM"."""
    days = (entry.start.date() - now.date()).days
    day = {0: gettext("today"), 1: gettext("tomorrow")}.get(days, "")
    when = formats.due(entry.start, is_whole_day=entry.is_whole_day, day=day)
    return gettext("{title}: {when}", title=named(entry.title, entry.course), when=when)


def overdue_line(entry: WeekEntry) -> str:
    when = formats.short_day(entry.start.date())
    return gettext("{title}: was due {when}", title=named(entry.title, entry.course), when=when)


def change_lines(changes: Iterable[Change], *, shows_grades: bool) -> tuple[str, ...]:
    return tuple(change_line(change, shows_grades=shows_grades) for change in changes)


def change_line(change: Change, *, shows_grades: bool) -> str:
    """One change; points only where the student has chosen that lock screens may show them."""
    title = named(change.title, change.course)
    if change.kind is ChangeKind.GRADE:
        return _grade_line(change, title) if shows_grades else gettext("A grade is in: {title}", title=title)
    if change.kind is ChangeKind.MOVED:
        return _moved_line(change, title)
    if change.kind is ChangeKind.ANNOUNCEMENT:
        return gettext("Announcement: {title}", title=title)
    return ngettext("{n} new reply: {title}", "{n} new replies: {title}", change.count, title=title)


def named(title: str, course: str) -> str:
    """A title with the short name of its course: "Lab report (BIOL 201)"."""
    short = course.partition(":")[0].strip()
    return f"{title} ({short})" if short and short not in title else title


def _grade_line(change: Change, title: str) -> str:
    if change.score is None:
        return gettext("A grade is in: {title}", title=title)
    score = formats.number(change.score)
    if change.points is None:
        return gettext("A grade is in: {title}: {score}", title=title, score=score)
    points = formats.number(change.points)
    return gettext("A grade is in: {title}: {score} of {points}", title=title, score=score, points=points)


def _moved_line(change: Change, title: str) -> str:
    if change.due_at is None:
        return gettext("{title} has no due date any more", title=title)
    when = formats.due(change.due_at, is_whole_day=change.is_whole_day)
    return gettext("{title} is now due {when}", title=title, when=when)


def _next(today: Today) -> tuple[str, ...]:
    if (event := today.next_class) is None:
        return ()
    day = "" if event.start.date() == today.now.date() else f"{formats.short_day(event.start.date())}, "
    times = formats.clock(event.start) + (f" – {formats.clock(event.end)}" if event.end else "")
    return (", ".join(part for part in (f"{day}{times}", event.title, event.where) if part),)


def _practice(today: Today) -> Iterator[str]:
    study = today.study
    if study.due:
        yield ngettext(
            "{n} card to review, about {minutes} min", "{n} cards to review, about {minutes} min", study.due,
            minutes=formats.number(max(1, study.minutes)),
        )  # fmt: skip
    for planned in study.sessions:
        start = planned.session.start.astimezone(today.now.tzinfo)
        yield f"{formats.clock(start)}, {session_title(planned.session, planned.exam)}"


def _waiting(today: Today) -> tuple[str, ...]:
    """What is to be done and to what, as the list on Today says it."""
    return tuple(
        ": ".join([gettext(card.title), *(one_line(row.value) for row in card.rows[:1])]) for card in today.waiting
    )


def _suggestion(today: Today) -> tuple[str, ...]:
    if (slot := today.suggestion) is None:
        return ()
    day = "" if slot.gap.start.date() == today.now.date() else f"{formats.short_day(slot.gap.start.date())}, "
    times = f"{day}{formats.clock(slot.gap.start)} – {formats.clock(slot.gap.end)}"
    return (gettext("{times}: time for {title}", times=times, title=named(slot.entry.title, slot.entry.course)),)


def _problems(problems: Iterable[TodayProblem]) -> tuple[str, ...]:
    return tuple(problem.sentence for problem in problems)


def _brief(today: Today) -> str:
    """A few words for a lock screen: numbers, and the next class."""
    counts = (
        ngettext("{n} due soon", "{n} due soon", len(today.due_soon)) if today.due_soon else "",
        ngettext("{n} overdue", "{n} overdue", len(today.overdue)) if today.overdue else "",
        ngettext("{n} new", "{n} new", len(today.changes)) if today.changes else "",
        ngettext("{n} card", "{n} cards", today.study.due) if today.study.due else "",
    )
    return " · ".join(part for part in (*_next(today), *counts) if part)
