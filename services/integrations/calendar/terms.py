"""When the student's term ends, for a series that lasts "until the end of term": Canvas knows it."""

import re
from collections import Counter
from datetime import date

from services.errors import BadArguments, ToolUnavailable
from services.i18n import gettext
from services.tools.context import ToolExecutionContext

_COURSES = "canvas_list_courses"
_WORDS = re.compile(r"(the )?(end of (the |this )?)?(term|semester|quarter|course|classes)('s end| end| ends)?", re.I)


def is_term_end(until: str | None) -> bool:
    """Whether a last day is given as the end of the term: "end of term", "the end of the semester"."""
    return until is not None and _WORDS.fullmatch(" ".join(until.split())) is not None


def last_day(context: ToolExecutionContext, until: str | None) -> str | None:
    """A last day as it was written, or the term's last day where its end is meant.

    The day on which most of the student's active courses end counts. Raises `BadArguments` where Canvas does not tell.
    """
    if not is_term_end(until):
        return until
    try:
        courses = context.call(_COURSES)
    except ToolUnavailable:
        courses = None
    told = (courses.data or {}).get("courses", ()) if courses and courses.success else ()
    today = context.now().date()
    ends = Counter(one["ends_on"] for one in told if one.get("ends_on") and date.fromisoformat(one["ends_on"]) > today)
    if not ends:
        raise BadArguments(
            gettext("Canvas does not tell here when the term ends."),
            field="repeat_until",
            next_step="Ask the student for the last day and give it like 2026-12-18.",
        )
    most = max(ends.values())
    return str(max(day for day, times in ends.items() if times == most))
