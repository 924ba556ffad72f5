"""How the sample's tools reach the course as it stands for this student, and the words they share."""

from collections.abc import Iterable
from typing import Any

from services.errors import ItemNotFound
from services.i18n import gettext
from services.i18n.english import clock, moment, sentence
from services.integrations.sample_course.course import LABEL as LABEL
from services.integrations.sample_course.course import SampleCourse, Work
from services.tools.base import ToolExecutionContext, ToolResult

ID = "sample_course"
CONTEXTS = ("courses",)


def course_of(context: ToolExecutionContext) -> SampleCourse:
    course: SampleCourse = context.client(ID)
    return course


def work_of(context: ToolExecutionContext) -> list[Work]:
    """All work of the course as it stands for the student now."""
    return course_of(context).work(context.connections[ID].connected_at, context.now())


def the_work(context: ToolExecutionContext, wanted: str) -> Work:
    """The piece of work with this id, or these words in its title; raises `ItemNotFound`."""
    found, words = work_of(context), wanted.casefold().split()
    exact = [one for one in found if one.id == wanted]
    fitting = exact or [one for one in found if all(word in one.title.casefold() for word in words)]
    if not fitting:
        step = gettext("List everything that is due to see what is there.")
        raise ItemNotFound(LABEL, gettext("There is no such assignment in the sample course."), next_step=step)
    return next((one for one in fitting if one.is_open), fitting[-1])


def line(one: Work, context: ToolExecutionContext) -> str:
    """One piece of work as a line of a list."""
    due = f"due {moment(one.due_at, context.timezone)}"
    facts = (one.kind, one.course, due, f"{one.points:g} points", one.status)
    return f"- **{one.title}** — {' — '.join(facts)} (id: {one.id})"


def result(
    context: ToolExecutionContext,
    headline: str,
    body: Iterable[str],
    *,
    data: dict[str, Any],
) -> ToolResult:
    """A tool's answer; its first line names the sample course and the time, as every service's does.

    There are no sources: nothing of it has a page that anybody could open.
    """
    first = sentence(f"{headline} ({LABEL}, as of {clock(context.now())}).")
    return ToolResult(output="\n".join([first, *body]), data={**data, "is_sample": True})
