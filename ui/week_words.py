"""Words of the week: days, lengths of time, and what "Plan this" writes into the chat."""

import re
from datetime import date

from services.safety.text import literal
from services.students import Student
from services.week.week import Entry
from ui.dates import in_words

_ADDRESS = re.compile(r"\w[.。．]\w|[:@/]{2}|@")


def days(first: date, last: date) -> str:
    """ "16 – 22 Nov 2026", "30 Nov – 6 Dec 2026"."""
    opening = f"{first.day}" if first.month == last.month else f"{first.day} {first:%b}"
    return f"{opening} – {last.day} {last:%b %Y}"


def hours(minutes: int) -> str:
    """ "45 min", "3 h", "3½ h"; nothing for none."""
    if minutes < 60:
        return f"{minutes} min" if minutes else ""
    whole, rest = divmod(round(minutes / 30), 2)
    return f"{whole}{'½' if rest else ''} h"


def plan(entry: Entry, student: Student, *, is_late: bool) -> str:
    """A question that the assistant can work with, for the student to send as it is or to change."""
    course = entry.course.partition(":")[0]
    about = f"“{without_addresses(entry.title)}”" + (f" ({course})" if course else "")
    if is_late:
        return f"Suggest free times in the next days to catch up on {about}, which is overdue."
    return f"Suggest free times until {in_words(entry.start, student)} to work on {about}, which is due then."


def without_addresses(title: str) -> str:
    """What the student sends may open an address, as their own words do; what a title says may not (T03)."""
    return " ".join("…" if _ADDRESS.search(word) else word for word in title.split())


def short(course: str) -> str:
    """A course as students say it, as literal text: "BIOL 201" of "BIOL 201: Cell Biology"."""
    return literal(course.partition(":")[0].strip())
