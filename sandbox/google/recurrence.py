"""Recurring events: checking their rules, and the instances these make (RFC 5545, expanded in wall-clock time)."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rruleset, rrulestr

from sandbox.google.errors import invalid
from sandbox.google.times import edge_at, instant_of, length_of, zone

Event = dict[str, Any]

LINE = re.compile(r"(RRULE|EXRULE|RDATE|EXDATE)(?:;([^:]*))?:(.+)")
FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
MOST_INSTANCES = 1000
DAY_END = timedelta(hours=23, minutes=59, seconds=59)


def check_recurrence(event: Event, home: ZoneInfo) -> None:
    """Raise Refused when a recurrence line is not one Google takes; needs valid start and end."""
    lines = event["recurrence"]
    try:
        if not any(line.startswith(("RRULE", "RDATE")) for line in lines):
            raise ValueError("nothing recurs")
        for line in lines:
            _check_line(line)
        _rules(event, home)
    except (ValueError, TypeError, AttributeError, KeyError) as problem:
        raise invalid("Invalid recurrence rule.", location="recurrence") from problem


def expand(event: Event, home: ZoneInfo, *, after: datetime | None, before: datetime) -> Iterator[Event]:
    """The instances that end after `after` and start before `before`, in order of time."""
    length = length_of(event, home)
    start = instant_of(event["start"], home)
    # Two hours more, because a change to summer time moves the wall clock.
    floor = _wall(start if after is None else after - length - timedelta(hours=2), event, home)
    for count, wall in enumerate(_rules(event, home).xafter(floor, inc=True)):
        instance = instance_at(event, wall, home, length)
        start = instant_of(instance["start"], home)
        if start >= before or count >= MOST_INSTANCES:
            return
        if after is None or instant_of(instance["end"], home) > after:
            yield instance


def find_instance(event: Event, instance_id: str, home: ZoneInfo) -> Event | None:
    """The instance with this id, or None when the rule does not make it."""
    try:
        moment = datetime.fromisoformat(instance_id.rpartition("_")[2])
    except ValueError:
        return None
    start = moment if moment.tzinfo else moment.replace(tzinfo=home)
    around = expand(event, home, after=start - timedelta(seconds=1), before=start + timedelta(seconds=1))
    return next((instance for instance in around if instance["id"] == instance_id), None)


def instance_at(event: Event, wall: datetime, home: ZoneInfo, length: timedelta) -> Event:
    """The instance that starts at this wall-clock time of the event's zone."""
    facts = {key: value for key, value in event.items() if key != "recurrence"}
    if "date" in event["start"]:
        start, end = edge_at(wall, event["start"]), edge_at(wall + length, event["end"])
        suffix = wall.strftime("%Y%m%d")
    else:
        begins = wall.replace(tzinfo=_zone(event, home)).astimezone(UTC)
        ends = (begins + length).astimezone(zone(event["end"].get("timeZone", "")) or home)
        start, end = edge_at(begins.astimezone(_zone(event, home)), event["start"]), edge_at(ends, event["end"])
        suffix = begins.strftime("%Y%m%dT%H%M%SZ")
    return facts | {
        "id": f"{event['id']}_{suffix}",
        "start": start,
        "end": end,
        "recurringEventId": event["id"],
        "originalStartTime": start,
    }


def _zone(event: Event, home: ZoneInfo) -> ZoneInfo:
    return zone(event["start"].get("timeZone", "")) or home


def _wall(moment: datetime, event: Event, home: ZoneInfo) -> datetime:
    return moment.astimezone(_zone(event, home)).replace(tzinfo=None)


def _check_line(line: str) -> None:
    name, _, value = _parts(line)
    if name not in ("RRULE", "EXRULE"):
        return
    keys = dict(part.split("=", 1) for part in value.split(";"))
    if keys["FREQ"] not in FREQUENCIES or ("UNTIL" in keys and "COUNT" in keys):
        raise ValueError(line)
    if int(keys.get("INTERVAL", 1)) < 1 or int(keys.get("COUNT", 1)) < 1:
        raise ValueError(line)


def _parts(line: str) -> tuple[str, str, str]:
    found = LINE.fullmatch(line.strip())
    if not found:
        raise ValueError(line)
    return found[1], found[2] or "", found[3]


def _rules(event: Event, home: ZoneInfo) -> rruleset:
    wall = _wall(instant_of(event["start"], home), event, home)
    lines = [_localized(line, event, home) for line in event["recurrence"]]
    rules = rrulestr("\n".join(lines), dtstart=wall, forceset=True)
    assert isinstance(rules, rruleset)
    return rules


def _localized(line: str, event: Event, home: ZoneInfo) -> str:
    """The line with every moment written as wall-clock time of the event, which is how the rule is expanded."""
    name, parameters, value = _parts(line)
    if name in ("RDATE", "EXDATE"):
        source = zone(parameters.partition("TZID=")[2]) or _zone(event, home)
        walls = [_localized_moment(text, source, event, home) for text in value.split(",")]
        return f"{name}:{','.join(wall.strftime('%Y%m%dT%H%M%S') for wall in walls)}"
    return f"{name}:" + re.sub(r"(?<=UNTIL=)[0-9TZ]+", lambda found: _until(found[0], event, home), value)


def _until(text: str, event: Event, home: ZoneInfo) -> str:
    wall = _localized_moment(text, _zone(event, home), event, home)
    if "T" not in text and "dateTime" in event["start"]:
        wall += DAY_END
    return wall.strftime("%Y%m%dT%H%M%S")


def _localized_moment(text: str, source: ZoneInfo, event: Event, home: ZoneInfo) -> datetime:
    if "T" not in text:
        return datetime.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    return _wall(moment if moment.tzinfo else moment.replace(tzinfo=source), event, home)
