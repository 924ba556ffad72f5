"""Labels of the week page: date spans, work hours, states of work, and the question of "Plan this"."""

import re
from datetime import date, datetime

from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal, plain, without_addresses
from services.week.course_tones import course_code
from services.week.week import WeekEntry
from ui.local_time import local_day

CLOSED = ", closed"
STATES = (
    gettext_noop("handed in"),
    gettext_noop("handed in late"),
    gettext_noop("graded"),
    gettext_noop("excused"),
    gettext_noop("missing"),
    gettext_noop("not handed in yet"),
    gettext_noop("not handed in, past due"),
    gettext_noop("nothing to hand in online"),
    gettext_noop("no grade yet"),
    gettext_noop("done"),
    gettext_noop("not done yet"),
    gettext_noop("started"),
    gettext_noop("blocked"),
)
"""States of work as Canvas and the planner name them, for the model too."""
GRADED = {
    (True, False): gettext_noop("graded: {score} of {points}"),
    (True, True): gettext_noop("graded: {score} of {points}, handed in late"),
    (False, False): gettext_noop("graded: {score}"),
    (False, True): gettext_noop("graded: {score}, handed in late"),
}
"""By whether the points are known, and whether it came late."""
_GRADED = re.compile(r"graded: (?P<score>[^ ,]+)(?: of (?P<points>[^ ,]+))?(?P<late>, handed in late)?")
_QUOTES = str.maketrans(dict.fromkeys('“”„«»"', "'"))


def week_span(first: date, last: date) -> str:
    """Dates of a week: "16 – 22 Nov 2026", "30 Nov – 6 Dec 2026"."""
    opening = formats.pattern(first, "d" if first.month == last.month else "d MMM")
    return f"{opening} – {formats.pattern(last, 'd MMM y')}"


def work_hours(minutes: int) -> str:
    """Length: "45 min", "3 h", "3½ h"; "" for none."""
    if minutes < 60:
        return f"{minutes} min" if minutes else ""
    whole, rest = divmod(round(minutes / 30), 2)
    return f"{whole}{'½' if rest else ''} h"


def planning_question(entry: WeekEntry, student: Student, now: datetime) -> str:
    """Question for the assistant, which the student may change before sending it."""
    course = quotable_line(entry.course.partition(":")[0])
    about = f"“{quotable_line(entry.title)}”" + (f" ({course})" if course else "")
    if entry.is_past(now):
        return gettext("Suggest good times in the next days to catch up on {about}, which is overdue.", about=about)
    until = local_day(entry.start, student)
    return gettext("Suggest good times until {day} to work on {about}.", day=until, about=about)


def work_state(status: str) -> str:
    """State of a piece of work: "handed in", "graded: 9.5 of 10, handed in late"."""
    if status.endswith(CLOSED):
        return gettext("{state}, closed", state=work_state(status.removesuffix(CLOSED)))
    graded = _GRADED.fullmatch(status)
    if graded is None:
        return gettext(status)
    sentence = GRADED[graded["points"] is not None, graded["late"] is not None]
    return gettext(sentence, score=graded["score"], points=graded["points"])


def quotable_line(text: str) -> str:
    """Text of others, safe to quote in the student's own message: one line, without quotes that could end ours.

    The student's messages may name addresses to open; a title or a course may not.
    """
    return without_addresses(plain(text).translate(_QUOTES))


def short_course(course: str) -> str:
    """Course as students say it, as literal Markdown: "BIOL 201" of "BIOL 201: Cell Biology"."""
    return literal(course_code(course))
