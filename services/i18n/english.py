"""English wording of days, times and counts for the model, whatever language the student reads (`formats`)."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.i18n.formats import zone_name


def day(on: date) -> str:
    """Write a day: "Fri 27 Nov 2026"."""
    return f"{on:%a} {on.day} {on:%b} {on.year}"


def clock(at: datetime | time) -> str:
    """Write the time of day, of an aware time in its own zone: "11:59 PM"."""
    return f"{at:%I:%M %p}".lstrip("0")


def moment(at: datetime, zone: ZoneInfo) -> str:
    """Write an aware time in a zone: "Fri 27 Nov 2026, 11:59 PM CST"."""
    local = at.astimezone(zone)
    return f"{day(local)}, {clock(local)} {zone_name(local)}"


def span(start: datetime, end: datetime, zone: ZoneInfo) -> str:
    """Write a period in a zone: "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST", with two days where it has two."""
    first, last = start.astimezone(zone), end.astimezone(zone)
    if first.date() == last.date() and zone_name(first) == zone_name(last):
        return f"{day(first)}, {clock(first)} – {clock(last)} {zone_name(last)}"
    return f"{moment(first, zone)} – {moment(last, zone)}"


def days(first: date, last: date) -> str:
    """Write whole days, the last one included: "Mon 23 Nov 2026" or "Mon 23 Nov – Sun 29 Nov 2026"."""
    if first == last:
        return day(first)
    opening = day(first) if first.year != last.year else day(first).removesuffix(f" {first.year}")
    return f"{opening} – {day(last)}"


def duration(minutes: int) -> str:
    """Write a duration: "45 minutes", "1 hour", "1 day", "1 hour 30 minutes"."""
    parts = ((minutes // 1440, "day"), (minutes % 1440 // 60, "hour"), (minutes % 60, "minute"))
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n) or "0 minutes"


def elapsed(start: datetime, end: datetime) -> timedelta:
    """Time that really passes between two aware times; subtracting two local ones ignores daylight saving changes."""
    return end.astimezone(UTC) - start.astimezone(UTC)


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number of things: "1 event", "no events", "12 events"; `plural` where an s does not make it."""
    return f"{number or 'no'} {noun if number == 1 else plural or f'{noun}s'}"


def cut_note(shown: int, found: int) -> str:
    """Note that a list is cut; empty when it is not."""
    return f"Note: only the first {shown:,} of {found:,} are shown." if found > shown else ""


def sentence(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]
