"""Calendar provider for Google Calendar."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from services.errors import AnswerUnreadable, ItemNotFound, PermissionMissing, ServiceError
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import (
    Calendar,
    EventChanges,
    EventDraft,
    FoundEvents,
    Plan,
    Scope,
    WriteOutcome,
    unread_entries,
)
from services.integrations.calendar.recurrence import has_end
from services.integrations.google_calendar import write_steps
from services.integrations.google_calendar.client import GoogleCalendarClient
from services.integrations.google_calendar.errors import LABEL
from services.integrations.google_calendar.event_series import (
    cuts_series,
    event_json,
    exception_lines,
    exceptions_of,
    kept_exceptions,
    master_of,
    series_of,
)
from services.integrations.google_calendar.payloads import (
    ID,
    PRIMARY,
    WRITERS,
    Json,
    calendar_name,
    changed_fields,
    full_id,
    insert_body,
    read_calendar,
    read_event,
    shown_fields,
    split_id,
)
from services.integrations.google_calendar.recurring_events import (
    changed_series,
    is_first,
    occurrence_on_days,
    recurrence_until,
    rest_of_series,
    series_patch,
)
from services.integrations.kit.payloads import parse_id, payload_guard
from services.runtime.thread_pools import map_in_parallel

SIDE_BY_SIDE = 6
"""Calendars of one student that are read in parallel."""

Result = TypeVar("Result")


class GoogleCalendarProvider:
    """Calendar provider that implements `WritableCalendars`."""

    mark = ID
    label = LABEL

    def __init__(self, google: GoogleCalendarClient) -> None:
        self.google = google

    def started(self) -> "GoogleCalendarProvider":
        """Copy of the provider with a fresh deadline, for one tool call."""
        return GoogleCalendarProvider(self.google.started())

    def calendars(self) -> Sequence[Calendar]:
        return [read_calendar(entry) for entry in self.google.calendar_entries()]

    def events(
        self,
        start: datetime,
        end: datetime,
        zone: ZoneInfo,
        *,
        calendar: str = "",
    ) -> FoundEvents:
        def read(entry: Json) -> list[Json] | ServiceError:
            try:
                return self.google.events(_id(entry), start=start, end=end)
            except (ItemNotFound, PermissionMissing) as problem:
                if _id(entry) == PRIMARY or calendar:
                    raise
                return problem

        entries = self._calendars_to_read(calendar)
        found: list[Event] = []
        unread: list[str] = []
        notes: list[str] = []
        for entry, rows in zip(entries, _side_by_side(read, entries), strict=True):
            id, name = _id(entry), calendar_name(entry)
            if isinstance(rows, ServiceError):
                unread.append(name)
                continue
            shown, can_change = "" if id == PRIMARY else name, entry.get("accessRole") in WRITERS
            place = {"calendar_id": id, "calendar": shown, "zone": zone, "can_change": can_change}
            events = [event for row in rows if (event := _event_or_none(row, place))]
            found += events
            notes += [unread_entries(len(rows) - len(events), name)] if len(events) < len(rows) else []
        calendars = tuple(read_calendar(entry) for entry in entries)
        return FoundEvents(events=tuple(found), calendars=calendars, unread=tuple(unread), notes=tuple(notes))

    def event(self, id: str, zone: ZoneInfo) -> Event:
        calendar_id, event_id = split_id(id)
        json = self.google.event(calendar_id, event_id)
        entry = {} if calendar_id == PRIMARY else self.google.calendar_entry(calendar_id)
        series = json.get("recurringEventId")
        master = self.google.event(calendar_id, series) if series else None
        whole = master or json
        ends = bool(whole.get("recurrence")) and has_end(whole["recurrence"])
        exceptions = exception_lines(self.google.instances(calendar_id, whole["id"])) if ends else []
        return read_event(
            json,
            calendar_id=calendar_id,
            calendar=calendar_name(entry) if entry else "",
            zone=zone,
            can_change=not entry or entry.get("accessRole") in WRITERS,
            master=master,
            exceptions=exceptions,
        )

    def drafted(self, draft: EventDraft, calendar: str = "") -> Event:
        return read_event({"id": "new", **insert_body(draft)}, calendar_id=PRIMARY, calendar="", zone=draft.zone)

    def changed(self, event: Event, changes: EventChanges, scope: Scope = Scope.THIS) -> Event:
        json, series = event_json(event), series_of(event, scope, changes)
        moved, own = json, changes
        if changes.days is not None:
            moved = occurrence_on_days(json, series or json, changes, event.zone)
            own = replace(changes, start=None, end=None)
        shown = {**moved, **changed_fields(moved, own, event.zone)}
        if series is None or (scope is Scope.THIS and not event.is_series):
            return self._read(shown, event, master_of(event), exceptions_of(event))
        is_cut = cuts_series(event, scope)
        at_once = {**json, "originalStartTime": series["start"]} if is_cut else json
        new = changed_series(series, at_once, changes, event.zone)
        exceptions = [] if is_cut else kept_exceptions(event, new)
        return self._read(new if event.is_series else shown, event, None if event.is_series else new, exceptions)

    def adding(self, drafts: Sequence[EventDraft], *, calendar: str, key: str) -> Plan:
        where = calendar.removeprefix(f"{ID}/") or PRIMARY
        keys = [key] if len(drafts) == 1 else [f"{key}/{number}" for number in range(len(drafts))]
        made = [
            write_steps.insert_step(where, insert_body(draft), key=own) for draft, own in zip(drafts, keys, strict=True)
        ]
        return {"steps": made, "calendar": where, "name": self._name(where), "shown": "made"}

    def changing(self, event: Event, changes: EventChanges, scope: Scope, *, key: str) -> Plan:
        calendar, _ = split_id(event.id)
        json, master = event_json(event), master_of(event)
        place = {"calendar": calendar, "name": event.calendar}
        if scope is Scope.THIS or (master is None and not event.is_series):
            patch = changed_fields(json, changes, event.zone)
            made = [write_steps.patch_step(calendar, json, patch, notify=changes.notify)] if patch else []
            return {**place, "steps": made, "shown": "made" if patch else "given", "given": shown_fields(json)}
        whole = master or json
        if scope is Scope.ALL or is_first(whole, json):
            patch = series_patch(whole, json, changes, event.zone)
            made = [write_steps.patch_step(calendar, whole, patch, notify=changes.notify)] if patch else []
            given = {**event_json(self.changed(event, changes, Scope.ALL)), "id": whole["id"]}
            new = {**whole, **patch}
            lines = [*new["recurrence"], *kept_exceptions(event, new)]
            series = {"start": new["start"], "recurrence": lines}
            return {**place, "steps": made, "shown": "given", "given": shown_fields(given), "series": series}
        rest = rest_of_series(whole, series_of(event, scope, changes) or whole, json, changes, event.zone)
        cut = write_steps.patch_step(
            calendar, whole, {"recurrence": recurrence_until(whole, json)}, notify=changes.notify
        )
        added = write_steps.insert_step(calendar, rest, key=key, notify=changes.notify)
        return {**place, "steps": [cut, added], "shown": "last"}

    def removing(self, event: Event, scope: Scope, *, key: str, notify: bool = False) -> Plan:
        calendar, _ = split_id(event.id)
        json, master = event_json(event), master_of(event)
        place = {"calendar": calendar, "name": event.calendar, "shown": "given", "given": shown_fields(json)}
        if scope is Scope.THIS and not event.is_series:
            return {**place, "steps": [write_steps.delete_step(calendar, json, key=key, notify=notify)]}
        whole = master or json
        if scope is Scope.ALL or is_first(whole, json):
            return {**place, "steps": [write_steps.delete_step(calendar, whole, key=key, notify=notify)]}
        cut = {"recurrence": recurrence_until(whole, json)}
        return {**place, "steps": [write_steps.patch_step(calendar, whole, cut, notify=notify)]}

    def carry_out(self, plan: Plan, zone: ZoneInfo) -> WriteOutcome:
        made = [write_steps.run_step(self.google, step) for step in plan["steps"]]
        back = [step for _, step in made if step is not None]
        shown = [plan["given"]] if plan["shown"] == "given" else [json for json, _ in made]
        shown = shown[-1:] if plan["shown"] == "last" else shown
        where = {"calendar_id": plan["calendar"], "calendar": plan["name"], "zone": zone}
        is_whole = any(step["do"] != "insert" for step in plan["steps"])
        return WriteOutcome(
            events=tuple(read_event(dict(json), **where, master=plan.get("series")) for json in shown),
            undo={"steps": back, "together": is_whole, "name": plan["name"]} if back else None,
            is_untouched=len(back) == len(made),
        )

    def take_back(self, undo: Plan, zone: ZoneInfo) -> Sequence[Event]:
        kept = write_steps.undo_steps(self.google, undo["steps"], together=undo["together"])
        return [self.event(full_id(step["calendar"], step["id"]), zone) for step in kept]

    def _calendars_to_read(self, calendar: str) -> list[Json]:
        """Choose the calendars to read: the named one, or all that are ticked, or the main one when none is."""
        entries = self.google.calendar_entries()
        if calendar:
            return [entry for entry in entries if f"{ID}/{_id(entry)}" == calendar]
        return [entry for entry in entries if entry.get("selected")] or [e for e in entries if e.get("primary")]

    def _name(self, calendar: str) -> str:
        return "" if calendar == PRIMARY else calendar_name(self.google.calendar_entry(calendar))

    def _read(self, json: Json, like: Event, master: Json | None, exceptions: Sequence[str]) -> Event:
        calendar_id, _ = split_id(like.id)
        return read_event(
            json,
            calendar_id=calendar_id,
            calendar=like.calendar,
            zone=like.zone,
            can_change=like.can_change,
            master=master,
            exceptions=exceptions,
        )


def _side_by_side(read: Callable[[Json], Result], entries: Sequence[Json]) -> list[Result]:
    """Run `read` for each calendar, a few in parallel; raises what one of them raises."""
    if len(entries) < 2:
        return [read(entry) for entry in entries]
    return map_in_parallel(SIDE_BY_SIDE, read, entries)


def _event_or_none(row: Json, place: Mapping[str, Any]) -> Event | None:
    """Read an event; None for an unreadable one: its calendar is shown without it, with a note."""
    try:
        return read_event(row, **place)
    except AnswerUnreadable:
        return None


@payload_guard(LABEL)
def _id(entry: Json) -> str:
    return PRIMARY if entry.get("primary") else parse_id(entry["id"])
