"""Drafts of new events from the arguments of tools; all that is wrong with the arguments is told at once."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from services.errors import BadArguments, ChangedElsewhere
from services.i18n import gettext
from services.i18n.english import elapsed
from services.integrations.calendar.approval_rows import shown_span, term_row
from services.integrations.calendar.event_arguments import (
    APPROVAL_GRACE,
    DEFAULT_MINUTES,
    Edges,
    day_edges,
    refuse_past,
    time_edges,
)
from services.integrations.calendar.provider import EventDraft
from services.integrations.calendar.recurrence import RecurrenceRule, is_term_end, read_rule, resolve_last_day
from services.integrations.calendar.times import after, date_of, parse_day, parse_moment
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.writes import is_card_stale
from services.tools.context import ToolExecutionContext

CHECKED_OCCURRENCES = 26
SHORTEST_BREAK = timedelta(minutes=10)
"""Least time between two study sessions; what follows at once is one long session."""


def event_draft(context: ToolExecutionContext, given: Mapping[str, Any]) -> EventDraft:
    """Build an event; raises `BadArguments`, and `ChangedElsewhere` when the end of term has moved."""
    errors = ArgumentErrorCollector()
    edges = errors.read(_edges, context, given)
    rule = errors.read(_rule, context, given, edges)
    if edges:
        errors.read(refuse_past, *edges, context, grace=_grace(context))
    errors.raise_found()
    assert edges
    return EventDraft(
        title=given["title"],
        start=edges[0],
        end=edges[1],
        zone=context.timezone,
        location=given["location"],
        description=given["description"],
        reminders=tuple(given["reminders_minutes"]),
        rule=rule,
        guests=tuple(dict.fromkeys(guest.lower() for guest in given["guests"])),
    )


def session_drafts(context: ToolExecutionContext, given: Mapping[str, Any]) -> list[EventDraft]:
    """Build study sessions in order of time; raises `BadArguments` when two of them overlap or follow at once."""
    errors = ArgumentErrorCollector()
    read = [errors.read(parse_moment, text, context.timezone, "starts") for text in given["starts"]]
    drafts = [
        EventDraft(
            title=given["title"],
            start=start,
            end=after(start, given["duration_minutes"]),
            zone=context.timezone,
            location=given["location"],
            description=given["description"],
            reminders=tuple(given["reminders_minutes"]),
        )
        for start in sorted(start for start in read if start)
    ]
    for draft in drafts:
        errors.read(refuse_past, draft.start, draft.end, context, grace=_grace(context), field="starts")
    for earlier, later in pairwise(drafts):
        errors.read(_refuse_close, earlier, later, context)
    errors.raise_found()
    return drafts


def due_date_draft(context: ToolExecutionContext, given: Mapping[str, Any]) -> EventDraft:
    """Build the entry of a due date, which ends when it is due; raises `BadArguments`."""
    due = parse_moment(given["due"], context.timezone, "due")
    title = f"{given['assignment']} ({given['course']})" if given["course"] else given["assignment"]
    start = after(due, -given["block_minutes"])
    refuse_past(start, due, context, grace=_grace(context), field="due", may_have_begun=True)
    return EventDraft(
        title=gettext("Due: {title}", title=title),
        start=start,
        end=due,
        zone=context.timezone,
        description=given["link"],
        reminders=tuple(given["reminders_minutes"]),
    )


def first_occurrences(draft: EventDraft) -> list[Edges]:
    """First times of a new event, to look for conflicts."""
    if draft.rule is None:
        return [(draft.start, draft.end)]
    starts = draft.rule.starts(draft.start, draft.zone, most=CHECKED_OCCURRENCES)
    return [(at, at + _length(draft)) for at in starts]


def _length(draft: EventDraft) -> timedelta:
    """Duration in real time."""
    if isinstance(draft.start, datetime) and isinstance(draft.end, datetime):
        return elapsed(draft.start, draft.end)
    return date_of(draft.end) - date_of(draft.start)


def _grace(context: ToolExecutionContext) -> timedelta:
    """Time by which an event may have begun: none when its card is made, some when that was approved."""
    return timedelta(0) if context.operation_id is None else APPROVAL_GRACE


def _rule(context: ToolExecutionContext, given: Mapping[str, Any], edges: Edges | None) -> RecurrenceRule | None:
    rule = read_rule(
        edges[0] if edges else None,
        context.timezone,
        repeats=given["repeats"],
        every=given["repeat_every"],
        days=given["repeat_days"],
        until=resolve_last_day(context, given["repeat_until"]),
        count=given["repeat_count"],
    )
    if rule and is_term_end(given["repeat_until"]) and is_card_stale(context, (term_row(rule),)):
        raise ChangedElsewhere("Canvas", gettext("The end of the term was changed in Canvas, so nothing was added."))
    return rule


def _edges(context: ToolExecutionContext, given: Mapping[str, Any]) -> Edges:
    start, end, minutes = given["start"], given["end"], given["duration_minutes"]
    errors, is_all_day = ArgumentErrorCollector(), given["all_day"]
    if is_all_day and minutes:
        problem = gettext("A whole-day event has no duration_minutes; give the last day as end.")
        errors.add(BadArguments(problem, field="duration_minutes"))
    elif end and minutes:
        errors.add(BadArguments(gettext("Give end or duration_minutes, not both."), field="duration_minutes"))
    if is_all_day:
        first, last = (
            errors.read(parse_day, text, context.timezone, field)
            for text, field in ((start, "start"), (end or start, "end"))
        )
        errors.raise_found()
        assert first
        assert last
        return day_edges(first, last)
    begins = errors.read(parse_moment, start, context.timezone, "start")
    ends = errors.read(parse_moment, end, context.timezone, "end") if end else None
    errors.raise_found()
    assert begins
    return time_edges(begins, ends or after(begins, minutes or DEFAULT_MINUTES))


def _refuse_close(earlier: EventDraft, later: EventDraft, context: ToolExecutionContext) -> None:
    when = shown_span(later.start, later.end, context)
    assert isinstance(later.start, datetime)
    assert isinstance(earlier.end, datetime)
    if later.start.astimezone(UTC) < earlier.end.astimezone(UTC):
        raise BadArguments(
            gettext("starts: two sessions overlap at {when}; give another start.", when=when), field="starts"
        )
    if elapsed(earlier.end, later.start) < SHORTEST_BREAK:
        problem = gettext(
            "starts: the session at {when} follows another at once; leave 10 minutes, or make one of them.", when=when
        )
        raise BadArguments(problem, field="starts")
