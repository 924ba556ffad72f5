"""Calendar file (iCalendar, RFC 5545) of a week."""

from datetime import timedelta

from icalendar import Calendar, Component, Event, Todo

from services.i18n import gettext
from services.week.week import EntryKind, Week, WeekEntry

PRODUCT = "-//Homeroom//This week//EN"


def to_ics(week: Week) -> bytes:
    """Due work and events as events, one's own tasks as to-dos. Ids stay the same, so that a second import updates."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", gettext("Homeroom, week of {day}", day=week.first.isoformat()))
    for entry in week.entries:
        calendar.add_component(_todo(entry, week) if entry.kind is EntryKind.TASK else _event(entry, week))
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def _event(entry: WeekEntry, week: Week) -> Component:
    event = _common(Event(), entry, week)
    if entry.is_whole_day:
        event.add("dtstart", entry.start.date())
        event.add("dtend", (entry.end or entry.start + timedelta(days=1)).date())
    else:
        event.add("dtstart", entry.start)
        event.add("dtend", entry.end or entry.start)
    event.add("transp", "OPAQUE" if entry.kind is EntryKind.EVENT and entry.is_busy else "TRANSPARENT")
    if entry.where:
        event.add("location", entry.where)
    return event


def _todo(entry: WeekEntry, week: Week) -> Component:
    todo = _common(Todo(), entry, week)
    todo.add("due", entry.start)
    todo.add("status", "COMPLETED" if entry.is_done else "NEEDS-ACTION")
    return todo


def _common(component: Component, entry: WeekEntry, week: Week) -> Component:
    component.add("uid", f"{entry.kind}-{entry.id}@homeroom")
    component.add("dtstamp", week.as_of)
    title = gettext("Due: {title}", title=entry.title) if entry.kind is EntryKind.DUE else entry.title
    component.add("summary", f"{title} ({entry.course})" if entry.course else title)
    if entry.url.isprintable() and entry.url:
        component.add("url", entry.url)
    return component
