"""IANA time zones: validation, labels for a list, and which of them show the same times."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

MONTHS = range(12)
"""Two zones that agree on one day of each of the next months show the same times, for all that a student asks."""


def is_timezone(name: str) -> bool:
    return name in _all()


def time_zone_choices(now: datetime) -> Mapping[str, str]:
    """Labels by zone name, UTC last: "America/New York (UTC-05:00)". `now` is aware."""
    return _choices(now.replace(minute=0, second=0, microsecond=0))


def time_zone_label(name: str, now: datetime) -> str:
    """The label of one zone, with its offset from UTC now."""
    offset = f"{now.astimezone(ZoneInfo(name)):%z}"
    return name if name == "UTC" else f"{_spaced(name)} (UTC{offset[:3]}:{offset[3:5]})"


def time_zone_place(name: str) -> str:
    """The name of a zone in a sentence: "New York"."""
    return _spaced(name).rpartition("/")[2]


def time_zones_differ(first: str, other: str, now: datetime) -> bool:
    """Whether two zones show different times, now or in the next twelve months."""
    days = [now + timedelta(days=30 * month) for month in MONTHS]
    return any(
        day.astimezone(ZoneInfo(first)).utcoffset() != day.astimezone(ZoneInfo(other)).utcoffset() for day in days
    )


@cache
def _all() -> frozenset[str]:
    return frozenset(available_timezones())


# Reading all of their files takes 50 ms, and what they are called changes with the hour.
@lru_cache(maxsize=1)
def _choices(hour: datetime) -> Mapping[str, str]:
    return {name: time_zone_label(name, hour) for name in [*_places(), "UTC"]}


def _places() -> list[str]:
    """Zones that the IANA lists by country (`zone.tab`): no second names, such as "US/Central"."""
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    return sorted(_all().intersection(line[2] for line in lines))


def _spaced(name: str) -> str:
    return name.replace("_", " ")
