"""Localized wording for cards and outcomes: durations, days and lists. What the model reads is in `english`."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from services.i18n import formats, gettext, ngettext


def duration(minutes: int) -> str:
    """Write a duration: "45 minutes", "1 day", "1 hour 30 minutes"."""
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [ngettext("{n} day", "{n} days", days)] if days else []
    parts += [ngettext("{n} hour", "{n} hours", hours)] if hours else []
    parts += [ngettext("{n} minute", "{n} minutes", rest)] if rest or not parts else []
    return " ".join(parts)


def days(first: date, last: date) -> str:
    """Write whole days, the last one included: "Mon 23 Nov 2026" or "Mon 23 Nov – Sun 29 Nov 2026"."""
    if first == last:
        return formats.day(first)
    return f"{formats.short_day(first) if first.year == last.year else formats.day(first)} – {formats.day(last)}"


def list_choices(named: Sequence[tuple[str, object]], most: int = 8) -> str:
    """Write names to choose among, with an id only where two are equal: "Lab 1; Essay (id 4); Essay (id 5)".

    named: each name with its id.
    """
    times = Counter(name for name, _ in named)
    shown = [name if times[name] == 1 else f"{name} (id {id})" for name, id in named[:most]]
    return "; ".join([*shown, "…"] if len(named) > most else shown)


def join_list(parts: Sequence[str]) -> str:
    """Join words to a list: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1])
