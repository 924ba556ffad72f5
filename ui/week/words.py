"""Words of the week: days, lengths of time, and what "Plan this" writes into the chat."""

import re
from datetime import date, datetime

from services.language import dates, say, to_say
from services.safety.text import literal, plain
from services.safety.unaddressed import without_addresses
from services.students import Student
from services.week.week import Entry
from ui.dates import in_words

CLOSED = ", closed"
STATES = (
    to_say("handed in"),
    to_say("handed in late"),
    to_say("graded"),
    to_say("excused"),
    to_say("missing"),
    to_say("not handed in yet"),
    to_say("not handed in, past due"),
    to_say("done"),
    to_say("not done yet"),
    to_say("started"),
    to_say("blocked"),
)
"""How Canvas and the planner say that work stands; the model reads the same words."""
GRADED = {
    (True, False): to_say("graded: {score} of {points}"),
    (True, True): to_say("graded: {score} of {points}, handed in late"),
    (False, False): to_say("graded: {score}"),
    (False, True): to_say("graded: {score}, handed in late"),
}
"""By whether the points are known, and whether it came late."""
_GRADED = re.compile(r"graded: (?P<score>[^ ,]+)(?: of (?P<points>[^ ,]+))?(?P<late>, handed in late)?")
_QUOTES = str.maketrans(dict.fromkeys('“”„«»"', "'"))


def days(first: date, last: date) -> str:
    """ "16 – 22 Nov 2026", "30 Nov – 6 Dec 2026"."""
    opening = dates.pattern(first, "d" if first.month == last.month else "d MMM")
    return f"{opening} – {dates.pattern(last, 'd MMM y')}"


def hours(minutes: int) -> str:
    """ "45 min", "3 h", "3½ h"; nothing for none."""
    if minutes < 60:
        return f"{minutes} min" if minutes else ""
    whole, rest = divmod(round(minutes / 30), 2)
    return f"{whole}{'½' if rest else ''} h"


def plan(entry: Entry, student: Student, now: datetime) -> str:
    """A question that the assistant can work with, for the student to send as it is or to change."""
    course = quotable(entry.course.partition(":")[0])
    about = f"“{quotable(entry.title)}”" + (f" ({course})" if course else "")
    if entry.is_past(now):
        return say("Suggest free times in the next days to catch up on {about}, which is overdue.", about=about)
    until = in_words(entry.start, student)
    return say("Suggest free times until {day} to work on {about}, which is due then.", day=until, about=about)


def state(status: str) -> str:
    """How a piece of work stands: "handed in", "graded: 9.5 of 10, handed in late"."""
    if status.endswith(CLOSED):
        return say("{state}, closed", state=state(status.removesuffix(CLOSED)))
    graded = _GRADED.fullmatch(status)
    if graded is None:
        return say(status)
    sentence = GRADED[graded["points"] is not None, graded["late"] is not None]
    return say(sentence, score=graded["score"], points=graded["points"])


def quotable(text: str) -> str:
    """Words of others within the student's own: on one line, without quotes that could end ours.

    What the student sends may open an address, as their own words do; what a title or a course says may not (T03).
    """
    return without_addresses(plain(text).translate(_QUOTES))


def short(course: str) -> str:
    """A course as students say it, as literal text: "BIOL 201" of "BIOL 201: Cell Biology"."""
    return literal(course.partition(":")[0].strip())
