"""Which calendars take a student's time: what they chose, else what the calendar is to them."""

from collections.abc import Mapping
from dataclasses import replace

from services.connections.connection import Connection, blocking_rows
from services.connections.connections import Connections
from services.integrations.calendar.event import Event, FreeReason
from services.integrations.calendar.provider import Calendar, FoundEvents
from services.storage.documents import Document


def blocks_time(calendar: Calendar, choices: Mapping[str, bool], *, is_only: bool = False) -> bool:
    """Whether what is in a calendar takes the student's time.

    choices: of the student, by the calendar's id. is_only: it was asked for alone, as by an assistant that works with
    it, so it counts unless the student chose otherwise.
    """
    if calendar.id in choices:
        return choices[calendar.id]
    return is_only or (calendar.can_write or calendar.is_main if calendar.blocks is None else calendar.blocks)


def with_choices(
    found: FoundEvents, choices: Mapping[str, bool], *, is_only: bool = False
) -> tuple[list[Event], list[str]]:
    """Events as the student's choices have them, and the names of the calendars that take no time."""
    optional = {
        calendar.id: calendar.name
        for calendar in found.calendars
        if not blocks_time(calendar, choices, is_only=is_only)
    }
    events = [
        replace(event, is_busy=False, free_reason=FreeReason.OPTIONAL)
        if event.is_busy and event.calendar_id in optional
        else event
        for event in found.events
    ]
    return events, list(optional.values())


def choose_blocking(
    connections: Connections, student_id: str, integration: str, calendar_id: str, blocks: bool
) -> None:
    """Store the student's choice for a calendar; what is cached of the account ends with it."""

    def with_choice(now: Connection) -> Document:
        chosen = {**now.blocking, calendar_id: blocks}
        return {"blocking": blocking_rows(chosen), "data_version": now.data_version + 1}

    connections.update(student_id, integration, with_choice)
