"""Rows of the approval cards of the calendar: what a student sees before they approve a write."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime

from services.errors import ServiceError
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.calendar.access import WriteTarget
from services.integrations.calendar.agenda import read_agenda
from services.integrations.calendar.event import Event, reminders_in_words
from services.integrations.calendar.provider import EventDraft, Scope
from services.integrations.calendar.recurrence import RecurrenceRule
from services.integrations.calendar.times import start_of
from services.runtime.clock import stamp
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow

MOST_CONFLICTS = 6
CONFLICTS = gettext_noop("Conflicts")
SCOPES = {
    Scope.THIS: gettext_noop("only this one of the series"),
    Scope.FOLLOWING: gettext_noop("this and all following ones"),
    Scope.ALL: gettext_noop("all of them"),
}

Rows = tuple[PreviewRow, ...]
Times = Iterable[tuple[datetime | date, datetime | date]]


def new_event_rows(event: Event, draft: EventDraft, where: WriteTarget, past_at: datetime) -> Rows:
    """Rows for every field of a new event; the one of its calendar pins it. past_at: when it comes too late."""
    rows = _filled(
        {
            gettext_noop("Title"): event.title,
            gettext_noop("When"): event.shown,
            gettext_noop("Repeats"): event.repeats,
            gettext_noop("Time zone"): draft.zone.key,
            gettext_noop("Calendar"): where.name,
            gettext_noop("Location"): draft.location,
            gettext_noop("Notes"): draft.description,
            gettext_noop("Guests"): _invited(draft.guests),
            gettext_noop("Reminders"): reminders_in_words(draft.reminders),
        }
    )
    return _with_time(_with_calendar(rows, where), "When", past_at)


def session_rows(drafts: Sequence[EventDraft], where: WriteTarget, context: ToolExecutionContext) -> Rows:
    """Rows for several study sessions: title, the time of each, and what they share."""
    first = drafts[0]
    times = {
        gettext("Session {n}", n=number): shown_span(draft.start, draft.end, context)
        for number, draft in enumerate(drafts, 1)
    }
    shared = {
        "Time zone": first.zone.key,
        "Calendar": where.name,
        "Location": first.location,
        "Notes": first.description,
        "Reminders": reminders_in_words(first.reminders),
    }
    rows = _with_calendar(_filled({"Title": first.title, **times, **shared}), where)
    for label, draft in zip(times, drafts, strict=True):
        rows = _with_time(rows, label, _moment(draft.start, context))
    return rows


def change_rows(event: Event, new: Event, scope: Scope, *, notify: bool) -> Rows:
    """Rows for a change: title and time always, so that the event is recognised; the rest where it changes."""
    texts = (
        ("Title", event.title, new.title),
        ("When", event.shown, new.shown),
        ("Repeats", event.repeats, new.repeats),
        ("Location", event.location, new.location),
        ("Notes", event.description, new.description),
        ("Reminders", reminders_in_words(event.reminders), reminders_in_words(new.reminders)),
    )
    shown = [_row(*text) for text in texts if text[0] in ("Title", "When") or text[1] != text[2]]
    if new.start != event.start:
        shown = list(_with_time(shown, "When", new.past_at))
    fresh = gettext("single ones that were moved or left out follow the new days again")
    again = (PreviewRow(label=gettext_noop("Exceptions"), value=fresh),) if event.repeats != new.repeats else ()
    guests = _guest_rows(event, new, scope, notify=notify)
    return (*shown, *scope_rows(event, scope, new), *again, zone_row(event.zone.key), *_place_rows(event), *guests)


def deletion_rows(event: Event, scope: Scope, *, notify: bool) -> Rows:
    """Rows for an event to delete."""
    texts = {"Title": event.title, "When": event.shown, "Location": event.location, "Notes": event.description.strip()}
    guests = _guest_rows(event, event, Scope.THIS, notify=notify)
    others = gettext("it stays in the calendars of everybody else; only its organizer can cancel it")
    invited = (PreviewRow(label=gettext_noop("Invitation"), value=others),) if event.is_invited else ()
    place = (zone_row(event.zone.key), *_place_rows(event))
    return (*_filled(texts), *scope_rows(event, scope), *place, *guests, *invited)


def scope_rows(event: Event, scope: Scope, new: Event | None = None) -> Rows:
    """Row for how far a change of a recurring event goes; `new` is the event after it, where it stays."""
    if scope is Scope.THIS and not event.series:
        return ()
    before = scope_words(event, scope)
    return (_row(gettext_noop("Applies to"), before, scope_words(new, scope) if new else before),)


def scope_words(event: Event, scope: Scope) -> str:
    """Say how far a change goes: "this and all following ones (3 times, the last on Fri 4 Dec 2026)"."""
    extent = gettext(SCOPES[scope])
    if scope is Scope.FOLLOWING and event.times:
        return gettext("{extent} ({times})", extent=extent, times=event.times)
    if event.repeats:
        return gettext("{extent} (it repeats {rule})", extent=extent, rule=event.repeats)
    return extent


def term_row(rule: RecurrenceRule) -> PreviewRow:
    """Row for the day until which an event repeats that lasts until the end of term."""
    return PreviewRow(label=gettext_noop("End of term"), value=formats.day(rule.until) if rule.until else "")


def zone_row(name: str) -> PreviewRow:
    return PreviewRow(label=gettext_noop("Time zone"), value=name)


def conflict_rows(context: ToolExecutionContext, times: Times, *, but: Sequence[str] = ()) -> Rows:
    """Row for what else takes that time in the student's calendars; none when nothing does.

    times: of the events on the card. but: ids that do not count, such as the event's own and its series'.
    """
    spans = [(_moment(start, context), _moment(end, context)) for start, end in times]
    if not spans:
        return ()
    between = min(start for start, _ in spans), max(end for _, end in spans)
    try:
        agenda = read_agenda(context, between)
    except ServiceError:
        return (PreviewRow(label=CONFLICTS, value=gettext("could not be checked just now")),)
    own = set(filter(None, but))
    found = [
        event
        for event in agenda.events
        if own.isdisjoint((event.id, event.series)) and any(event.overlaps(start, end) for start, end in spans)
    ]
    texts = [f"“{event.title}”, {event.shown}" for event in found[:MOST_CONFLICTS]]
    more = [gettext("and {n} more", n=len(found) - MOST_CONFLICTS)] if len(found) > MOST_CONFLICTS else []
    unsure = (
        [gettext("not every calendar could be read")]
        if agenda.notes or len(agenda.labels) < len(context.used_integrations)
        else []
    )
    narrow = [gettext("only “{name}” was looked at", name=agenda.only)] if agenda.only else []
    rows = "; ".join([*texts, *more, *unsure, *narrow])
    return (PreviewRow(label=CONFLICTS, value=rows),) if rows else ()


def conflict_lines(context: ToolExecutionContext, events: Sequence[Event]) -> list[str]:
    """Line for the result of a write, with the conflicts that its card named; looked up where there was no card."""
    own = [id for event in events for id in (event.id, event.series)]
    rows = context.approved_rows or conflict_rows(context, [(event.start, event.end) for event in events], but=own)
    return [f"{gettext(row.label)}: {row.value}" for row in rows if row.label == CONFLICTS]


def shown_span(start: datetime | date, end: datetime | date, context: ToolExecutionContext) -> str:
    """Format a time for a card."""
    return formats.span(_moment(start, context), _moment(end, context), context.timezone)


def _place_rows(event: Event) -> Rows:
    return (PreviewRow(label=gettext_noop("Calendar"), value=event.calendar),) if event.calendar else ()


def _guest_rows(event: Event, new: Event, scope: Scope, *, notify: bool) -> Rows:
    """Rows for the guests and the e-mails they get."""
    if not event.invited and not new.invited:
        return ()
    told = gettext("each gets an e-mail") if notify else gettext("nobody is written to")
    if event.invited != new.invited:
        told = gettext("each gets an e-mail, also who is taken out") if notify else told
        before, now = (", ".join(guests) or gettext("(none)") for guests in (event.invited, new.invited))
        rows = [PreviewRow(label=gettext_noop("Guests"), value=f"{now} – {told}", before=before)]
    else:
        many = ngettext("{n} guest", "{n} guests", event.guests)
        rows = [PreviewRow(label=gettext_noop("Guests"), value=f"{many}; {told}")]
    if scope is Scope.FOLLOWING and new.invited:
        anew = gettext("they become a new series, so each guest is invited anew and answers again")
        rows.append(PreviewRow(label=gettext_noop("The following ones"), value=anew))
    return tuple(rows)


def _invited(guests: Sequence[str]) -> str:
    if not guests:
        return ""
    return gettext("{guests} – each gets an invitation by e-mail", guests=", ".join(guests))


def _row(label: str, old: str, new: str) -> PreviewRow:
    return PreviewRow(
        label=label, value=new or gettext("(none)"), before=None if old == new else old or gettext("(none)")
    )


def _with_calendar(rows: Rows, where: WriteTarget) -> Rows:
    """Rows of which that of the calendar pins it, so that the approved call writes there and nowhere else."""
    pinned = {"calendar": where.reference}
    return tuple(replace(row, resolved=pinned) if row.label == "Calendar" else row for row in rows)


def _with_time(rows: Iterable[PreviewRow], label: str, past_at: datetime) -> Rows:
    """Rows of which one speaks of the past from a moment on."""
    return tuple(replace(row, past_at=stamp(past_at)) if row.label == label else row for row in rows)


def _filled(texts: dict[str, str]) -> Rows:
    return tuple(PreviewRow(label=label, value=value) for label, value in texts.items() if value)


def _moment(at: datetime | date, context: ToolExecutionContext) -> datetime:
    return at if isinstance(at, datetime) else start_of(at, context.timezone)
