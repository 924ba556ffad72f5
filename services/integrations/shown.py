"""How cards and outcomes write lengths, days and lists, in the student's language; the model reads `wording`."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from services.language import dates, say, say_count


def duration(minutes: int) -> str:
    """Write a length of time: "45 minutes", "1 day", "1 hour 30 minutes"."""
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [say_count("{n} day", "{n} days", days)] if days else []
    parts += [say_count("{n} hour", "{n} hours", hours)] if hours else []
    parts += [say_count("{n} minute", "{n} minutes", rest)] if rest or not parts else []
    return " ".join(parts)


def days(first: date, last: date) -> str:
    """Write whole days, the last one included: "Mon 23 Nov 2026" or "Mon 23 Nov – Sun 29 Nov 2026"."""
    if first == last:
        return dates.day(first)
    return f"{dates.short_day(first) if first.year == last.year else dates.day(first)} – {dates.day(last)}"


def choices(named: Sequence[tuple[str, object]], most: int = 8) -> str:
    """Write names to choose among; with an id only where two are called alike: "Lab 1; Essay (id 4); Essay (id 5)".

    named: each name with its id.
    """
    times = Counter(name for name, _ in named)
    told = [name if times[name] == 1 else f"{name} (id {id})" for name, id in named[:most]]
    return "; ".join([*told, "…"] if len(named) > most else told)


def listed(parts: Sequence[str]) -> str:
    """Write several as one: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1])
