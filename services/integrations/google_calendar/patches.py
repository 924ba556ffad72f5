"""What to patch in a series, or to put in the place of its rest, for changes that were asked of one occurrence."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.calendar.provider import EventChanges
from services.integrations.google_calendar.events import Json, instant_of
from services.integrations.google_calendar.events import changed_fields
from services.integrations.google_calendar.events import copied_fields
from services.integrations.google_calendar.events import already_has
from services.integrations.google_calendar.guests import refuse_unless_organizer
from services.integrations.google_calendar.guests import guests_of_new_series
from services.integrations.google_calendar.series import is_first, original_edges, wall_of, zone_of
from services.integrations.google_calendar.series import recurrence_from
from services.integrations.google_calendar.series import series_on_days
from services.integrations.google_calendar.series import moved_series


def series_patch(master: Json, occurrence: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """What to patch in a series so that all its occurrences change as this one would. Raises `BadArguments`."""
    patch = changed_fields(master, replace(changes, start=None, end=None), zone)
    if changes.days is not None:
        is_whole = "originalStartTime" not in occurrence or is_first(master, occurrence)
        times = _on_days(master, master, changes, zone, keeps_date=not is_whole)
    elif changes.start is not None and changes.end is not None:
        times = moved_series(master, occurrence, changes.start, changes.end)
    else:
        return patch
    return patch | {name: value for name, value in times.items() if value != master.get(name)}


def rest_of_series(master: Json, occurrence: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """The series that begins with this occurrence, with the changes: what to add after the old one is cut.

    https://developers.google.com/workspace/calendar/api/guides/recurringevents. Guests of a new series are asked anew.
    """
    if master.get("attendees"):
        refuse_unless_organizer(master)
    begun = {**master, **original_edges(master, occurrence), "recurrence": recurrence_from(master, occurrence)}
    at_once = {**occurrence, "originalStartTime": begun["start"]}
    patch = series_patch(begun, at_once, changes, zone)
    guests = guests_of_new_series(master, patch.pop("attendees", None) or master.get("attendees") or ())
    return {**copied_fields(master), **{name: begun[name] for name in ("start", "end", "recurrence")}, **patch, **guests}


def preview_on_days(occurrence: Json, master: Json, changes: EventChanges, zone: ZoneInfo) -> tuple[Json, Json]:
    """An occurrence and its series as they would read with other weekdays. Raises `BadArguments`."""
    if "recurrence" not in master:
        raise BadArguments(gettext("This event does not repeat: change its start to move it."), field="repeat_days")
    times = _on_days(master, occurrence, changes, zone, keeps_date=False)
    new = {name: value for name, value in times.items() if not already_has(master, {name: value})}
    shown = {
        name: value for name, value in times.items() if name != "recurrence" and not already_has(occurrence, {name: value})
    }
    lines = {"recurrence": times["recurrence"]} if "recurrence" in occurrence and "recurrence" in new else {}
    return {**occurrence, **shown, **lines}, {**master, **new}


def _on_days(
    master: Json, begins: Mapping[str, Any], changes: EventChanges, zone: ZoneInfo, *, keeps_date: bool
) -> Json:
    """keeps_date: of a new start only the time of day counts, because all of the series keeps its first week."""
    local, own = instant_of(begins["start"]), wall_of(begins["start"], master)
    if isinstance(local, datetime) and local.astimezone(zone).date() != own.date():
        raise BadArguments(
            gettext(
                "This series is kept in the time zone {zone}, where its days are other ones.", zone=zone_of(master).key
            ),
            field="repeat_days",
            next_step="Change its days in the calendar itself.",
        )
    first = own.date()
    if changes.start is not None and not keeps_date:
        first = (
            wall_of({"dateTime": changes.start.isoformat()}, master).date()
            if isinstance(changes.start, datetime)
            else changes.start
        )
    return series_on_days(master, changes.days or (), changes.start, changes.end, first=first)
