"""Instants, days and zones as Google writes them (RFC 3339, IANA names)."""

import re
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sandbox.google.errors import bad_request, invalid

RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?")


@cache
def zone(name: str) -> ZoneInfo | None:
    """The time zone of an IANA name, or None."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def known_zone(name: str) -> ZoneInfo:
    """The zone that a request names; raises Refused when there is none of that name."""
    found = zone(name)
    if found is None:
        raise invalid(f"Invalid time zone: {name}", location="timeZone")
    return found


def parse_instant(text: str) -> datetime | None:
    """A date-time that may lack its offset, or None when it is no RFC 3339 date-time."""
    if not RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def bound(text: str) -> datetime:
    """A query's timeMin, timeMax or updatedMin, whose offset is mandatory; raises Refused."""
    instant = parse_instant(text)
    if instant is None or instant.tzinfo is None:
        raise bad_request()
    return instant


def stamp(moment: datetime) -> str:
    """A moment as Google writes `created` and `updated`: UTC with milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant_of(edge: dict[str, Any], home: ZoneInfo) -> datetime:
    """The instant of an event's start or end; a whole day begins at midnight in `home`, the calendar's zone."""
    if "date" in edge:
        return datetime.combine(date.fromisoformat(edge["date"]), datetime.min.time(), home)
    moment = datetime.fromisoformat(edge["dateTime"].upper())
    return moment if moment.tzinfo else moment.replace(tzinfo=zone(edge.get("timeZone", "")) or home)


def edge_at(moment: datetime, like: dict[str, Any]) -> dict[str, Any]:
    """A start or end at `moment`, written the way `like` is: a whole day, or a time with its zone."""
    if "date" in like:
        return {"date": moment.date().isoformat()}
    return {**like, "dateTime": moment.isoformat(timespec="seconds")}


def shown_in(edge: dict[str, Any], view: ZoneInfo) -> dict[str, Any]:
    """A start or end with its offset in the zone the answer is given in; its own `timeZone` stays."""
    if "date" in edge:
        return edge
    moment = datetime.fromisoformat(edge["dateTime"]).astimezone(view)
    text = moment.isoformat(timespec="seconds")
    return {**edge, "dateTime": text.replace("+00:00", "Z")}


def length_of(event: dict[str, Any], home: ZoneInfo) -> timedelta:
    """How long an event lasts, in elapsed time (in days for whole days)."""
    if "date" in event["start"]:
        return date.fromisoformat(event["end"]["date"]) - date.fromisoformat(event["start"]["date"])
    start, end = instant_of(event["start"], home), instant_of(event["end"], home)
    return end.astimezone(UTC) - start.astimezone(UTC)
