"""Recurring events: patches that move a whole series, and the split of one in two, with RFC 5545 rules."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.calendar.provider import EventChanges
from services.integrations.calendar.recurrence import WEEKDAYS
from services.integrations.calendar.times import date_of
from services.integrations.google_calendar.attendees import guests_of_new_series, refuse_unless_organizer
from services.integrations.google_calendar.payloads import (
    Json,
    already_has,
    changed_fields,
    copied_fields,
    edges,
    instant_of,
)

_DATES = re.compile(r"(EXDATE|RDATE)(?:;([^:]*))?:(.+)")
_UNTIL = re.compile(r"UNTIL=([0-9TZ]+)")


def is_first(master: Json, occurrence: Json) -> bool:
    """Check whether an occurrence is the first of its series."""
    return wall_of(master["start"], master) == wall_of(occurrence["originalStartTime"], master)


def wall_of(edge: Json, master: Json) -> datetime:
    """Local time of an edge in the series' own zone; of a whole day, its midnight."""
    moment = instant_of(edge)
    if isinstance(moment, datetime):
        return (moment.astimezone(zone_of(master)) if moment.tzinfo else moment).replace(tzinfo=None)
    return datetime.combine(moment or date.min, time.min)


def zone_of(master: Json) -> ZoneInfo:
    return ZoneInfo(master["start"].get("timeZone") or "UTC")


def original_edges(master: Json, occurrence: Json) -> Json:
    """Start and end of an occurrence by the rule of its series, wherever it was moved to."""
    lasts = _length(instant_of(master["start"]), instant_of(master["end"]))
    return _edges_at(wall_of(occurrence["originalStartTime"], master), lasts, master)


def moved_series(master: Json, occurrence: Json, start: datetime | date, end: datetime | date) -> Json:
    """Compute the fields of a series whose occurrences all move as this one would, to `start` and `end`.

    Raises `BadArguments` where that would need another rule.
    """
    if isinstance(start, datetime) != ("dateTime" in master["start"]):
        raise BadArguments(gettext("A whole series cannot be switched between times and whole days."), field="all_day")
    original = occurrence.get("originalStartTime") or occurrence["start"]
    zone = zone_of(master)
    wall = (
        start.astimezone(zone).replace(tzinfo=None)
        if isinstance(start, datetime)
        else datetime.combine(start, time.min)
    )
    delta = wall - wall_of(original, master)
    begins = wall_of(master["start"], master) + delta
    lines = [_moved_line(line, delta, master) for line in master["recurrence"]]
    return {**_edges_at(begins, _length(start, end), master), "recurrence": lines}


def series_on_days(
    master: Json, days: Iterable[str], start: datetime | date | None, end: datetime | date | None, *, first: date
) -> Json:
    """Compute the fields of a weekly series on other weekdays, from the first of them on or after `first`.

    start, end: a new time of day and length, None for those it has. Single dates that it leaves out or adds stay where
    they are on one of the new days. Raises `BadArguments` where its rule says more than weekdays.
    """
    if start is not None and isinstance(start, datetime) != ("dateTime" in master["start"]):
        raise BadArguments(gettext("A whole series cannot be switched between times and whole days."), field="all_day")
    rule, zone, began = _weekly_rule(master), zone_of(master), wall_of(master["start"], master)
    at = start.astimezone(zone).time() if isinstance(start, datetime) else began.time()
    delta = datetime.combine(first, at) - datetime.combine(first, began.time())
    line = _with_parts(rule, BYDAY=",".join(day for day in WEEKDAYS if day in days))
    endless = _with_parts(line, UNTIL=None, COUNT=None).removeprefix("RRULE:")
    begins = rrulestr(endless, dtstart=datetime.combine(first, at))[0]
    if (until := _UNTIL.search(line)) and _wall_value(until[1], master).date() < begins.date():
        raise BadArguments(gettext("The series ends before the first of these days."), field="repeat_days")
    line = _UNTIL.sub(lambda found: f"UNTIL={_moved_value(found[1], delta, master)}", line)
    dates = [single for single in master["recurrence"] if _DATES.fullmatch(single)]
    dates = _only_dates(dates, master, lambda wall: WEEKDAYS[wall.weekday()] in days)
    lines = [line, *(_moved_line(single, delta, master) for single in dates)]
    lasts = _length(start, end) if start and end else _length(instant_of(master["start"]), instant_of(master["end"]))
    return {**_edges_at(begins, lasts, master), "recurrence": lines}


def recurrence_until(master: Json, occurrence: Json) -> list[str]:
    """Recurrence lines of a series that ends before an occurrence."""
    cut = wall_of(occurrence["originalStartTime"], master)
    if "dateTime" in master["start"]:
        last = (cut.replace(tzinfo=zone_of(master)).astimezone(UTC) - timedelta(seconds=1)).strftime("%Y%m%dT%H%M%SZ")
    else:
        last = f"{cut.date() - timedelta(days=1):%Y%m%d}"
    lines = [_with_parts(line, UNTIL=last, COUNT=None) if _is_rule(line) else line for line in master["recurrence"]]
    return _only_dates(lines, master, lambda wall: wall < cut)


def recurrence_from(master: Json, occurrence: Json) -> list[str]:
    """Recurrence lines of the rest of a series, from an occurrence on."""
    cut, first = wall_of(occurrence["originalStartTime"], master), wall_of(master["start"], master)
    lines = []
    for line in master["recurrence"]:
        parts = _parts(line) if _is_rule(line) else {}
        if "COUNT" in parts:
            rule = rrulestr(line.removeprefix("RRULE:"), dtstart=first)
            line = _with_parts(line, COUNT=str(sum(1 for at in rule if at >= cut)))
        lines.append(line)
    return _only_dates(lines, master, lambda wall: wall >= cut)


def _weekly_rule(master: Json) -> str:
    rules = [line for line in master["recurrence"] if _is_rule(line)]
    parts = _parts(rules[0]) if len(rules) == 1 else {}
    if parts.get("FREQ") != "WEEKLY" or any(name.startswith("BY") and name != "BYDAY" for name in parts):
        raise BadArguments(
            gettext("Only an event that repeats every week, or every few weeks, can be put on other weekdays."),
            field="repeat_days",
            next_step="Delete it from some day on and add it anew.",
        )
    return str(rules[0])


def _edges_at(wall: datetime, lasts: timedelta, master: Json) -> Json:
    """Start and end of an event of the series that begins at this local time."""
    start: datetime | date = wall.replace(tzinfo=zone_of(master)).astimezone(UTC)
    start = start if "dateTime" in master["start"] else wall.date()
    return edges(start, start + lasts, zone_of(master))


def _length(start: datetime | date | None, end: datetime | date | None) -> timedelta:
    """Real time from one edge to the other."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        return end.astimezone(UTC) - start.astimezone(UTC)
    return date_of(end or date.min) - date_of(start or date.min)


def _moved_line(line: str, delta: timedelta, master: Json) -> str:
    if found := _DATES.fullmatch(line):
        values = ",".join(_moved_value(value, delta, master) for value in found[3].split(","))
        return f"{line[: found.start(3)]}{values}"
    if not _is_rule(line) or not delta:
        return line
    line = _UNTIL.sub(lambda found: f"UNTIL={_moved_value(found[1], delta, master)}", line)
    days = (wall_of(master["start"], master) + delta).date() - wall_of(master["start"], master).date()
    return _on_other_days(line, days.days) if days else line


def _moved_value(value: str, delta: timedelta, master: Json) -> str:
    if "T" not in value:
        return f"{datetime.strptime(value, '%Y%m%d') + timedelta(days=delta.days):%Y%m%d}"  # noqa: DTZ007 - a day
    naive = datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - in the zone that the line says
    if not value.endswith("Z"):
        return f"{naive + delta:%Y%m%dT%H%M%S}"
    zone = zone_of(master)
    wall = naive.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None) + delta
    return f"{wall.replace(tzinfo=zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _on_other_days(line: str, days: int) -> str:
    """Shift a rule by whole days; only where weekdays are all that it says about days."""
    parts = _parts(line)
    named = parts.get("BYDAY", "").split(",") if "BYDAY" in parts else []
    has_more = any(name.startswith("BY") and name != "BYDAY" for name in parts)
    several_apart = len(named) > 1 and parts.get("INTERVAL", "1") != "1"
    if has_more or several_apart or not set(named) <= set(WEEKDAYS) or (named and parts["FREQ"] != "WEEKLY"):
        raise BadArguments(
            gettext(
                "This series cannot be moved to other days as a whole. Move single ones, or delete it and add it anew."
            ),
            field="applies_to",
        )
    if not named:
        return line
    shifted = sorted((WEEKDAYS.index(weekday) + days) % 7 for weekday in named if weekday in WEEKDAYS)
    return _with_parts(line, BYDAY=",".join(WEEKDAYS[weekday] for weekday in shifted))


def _only_dates(lines: Iterable[str], master: Json, keep: Callable[[datetime], bool]) -> list[str]:
    """Filter the single dates (EXDATE, RDATE) to those that `keep` accepts."""
    kept = []
    for line in lines:
        if found := _DATES.fullmatch(line):
            values = [value for value in found[3].split(",") if keep(_wall_value(value, master))]
            if values:
                kept.append(f"{line[: found.start(3)]}{','.join(values)}")
        else:
            kept.append(line)
    return kept


def _wall_value(value: str, master: Json) -> datetime:
    if "T" not in value:
        return datetime.strptime(value, "%Y%m%d")  # noqa: DTZ007 - a day
    naive = datetime.strptime(value.rstrip("Z"), "%Y%m%dT%H%M%S")  # noqa: DTZ007 - in the zone that the line says
    if not value.endswith("Z"):
        return naive
    return naive.replace(tzinfo=UTC).astimezone(zone_of(master)).replace(tzinfo=None)


def _is_rule(line: str) -> bool:
    return line.startswith("RRULE:")


def _parts(line: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in line.removeprefix("RRULE:").split(";") if "=" in part)


def _with_parts(line: str, **changes: str | None) -> str:
    """Set parts of a rule, or remove them where None."""
    parts = {**_parts(line), **changes}
    return "RRULE:" + ";".join(f"{name}={value}" for name, value in parts.items() if value is not None)


def series_patch(master: Json, occurrence: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """Compute the patch of a series so that all its occurrences change as this one would. Raises `BadArguments`."""
    patch = changed_fields(master, replace(changes, start=None, end=None), zone)
    if changes.days is not None:
        is_whole = "originalStartTime" not in occurrence or is_first(master, occurrence)
        times = _on_days(master, master, changes, zone, keeps_date=not is_whole)
    elif changes.start is not None and changes.end is not None:
        times = moved_series(master, occurrence, changes.start, changes.end)
    else:
        return patch
    return patch | {name: value for name, value in times.items() if value != master.get(name)}


def series_from(master: Json, occurrence: Json) -> Json:
    """Series as it is from an occurrence on: this one and all following."""
    return {**master, **original_edges(master, occurrence), "recurrence": recurrence_from(master, occurrence)}


def changed_series(series: Json, occurrence: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """Preview a whole series after changes to one of its occurrences. Raises `BadArguments`."""
    patch = series_patch(series, occurrence, changes, zone)
    return {**series, **{name: value for name, value in patch.items() if not already_has(series, {name: value})}}


def rest_of_series(master: Json, begun: Json, occurrence: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """Build the series that begins with this occurrence, with the changes, to add after the old one is cut.

    https://developers.google.com/workspace/calendar/api/guides/recurringevents. Guests of a new series are asked anew.
    begun: the part from the occurrence on, as it is.
    """
    if master.get("attendees"):
        refuse_unless_organizer(master)
    patch = series_patch(begun, {**occurrence, "originalStartTime": begun["start"]}, changes, zone)
    guests = guests_of_new_series(master, patch.pop("attendees", None) or master.get("attendees") or ())
    times = {name: begun[name] for name in ("start", "end", "recurrence")}
    return {**copied_fields(master), **times, **patch, **guests}


def occurrence_on_days(occurrence: Json, master: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """Preview an occurrence of a series that is put on other weekdays. Raises `BadArguments`."""
    if "recurrence" not in master:
        raise BadArguments(gettext("This event does not repeat: change its start to move it."), field="repeat_days")
    times = _on_days(master, occurrence, changes, zone, keeps_date=False)
    own = {name: times[name] for name in ("start", "end") if not already_has(occurrence, {name: times[name]})}
    return {**occurrence, **own}


def _on_days(
    master: Json, begins: Mapping[str, Any], changes: EventChanges, zone: ZoneInfo, *, keeps_date: bool
) -> Json:
    """Compute the series on other weekdays.

    keeps_date: of a new start only the time of day counts, because all of the series keeps its first week.
    """
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
