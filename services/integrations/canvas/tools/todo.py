"""`canvas_list_todo`: everything that asks something of the student, or happens, by date."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from services.errors import PermissionMissing
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note
from services.integrations.canvas.access import FRESH_S, ID, PLANNING, CourseWords, canvas_of, courses_of, result
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.date_ranges import Period, Window, whole_days
from services.integrations.canvas.payloads import read_rows
from services.integrations.canvas.planner import Entry, read_entry
from services.integrations.canvas.teaching import teaching_of
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_BACK = timedelta(days=28)
_MOST_SHOWN = 50


@tool(
    label=gettext_noop("Looking at your to-do list"),
    title=gettext_noop("Look at your to-do list"),
    summary=gettext_noop("See your to-do list in Canvas, peer reviews too"),
    told=Told.PRIVATE,
    category="courses",
    contexts=PLANNING,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(
        Example(description="What is on my to-do list?", arguments={}),
        Example(description="Which peer reviews do I owe?", arguments={"show": "peer_reviews"}),
    ),
)
def canvas_list_todo(
    context: ToolExecutionContext,
    *,
    days: Annotated[int, Field(ge=1, le=60, description="How many days to look ahead.")] = 7,
    show: Annotated[
        Literal["to_do", "peer_reviews", "everything"],
        Field(
            description="to_do: what is not done, from four weeks ago on. peer_reviews: only classmates' work to "
            "review. everything: the whole Canvas planner from today on, with events, announcements and what is done."
        ),
    ] = "to_do",
    course: CourseWords = None,
) -> ToolResult:
    """Show the student's Canvas to-do list or planner: work, peer reviews, pages to read and their own notes, by date.
    For courses that they teach: what waits to be graded.

    Use it for "what is on my to-do list", "which peer reviews do I owe", "what is on my Canvas planner". For
    assignments by state or kind use canvas_list_assignments; for what to do first canvas_rank_priorities.
    """
    now, client = context.now(), canvas_of(context)
    courses = courses_of(client, course) if course else []
    period = _period(now, days, everything=show == "everything", context=context)
    try:
        rows = client.planner_items(period.start, period.end, [chosen.id for chosen in courses])
    except PermissionMissing as problem:
        raise PermissionMissing(
            problem.service,
            gettext("Canvas does not show its planner here."),
            next_step=gettext("Ask for assignments by course instead."),
        ) from None
    graded, gaps = _to_grade(client, courses, now) if show != "peer_reviews" else ([], [])
    entries, note = read_rows(rows, lambda row: read_entry(row, origin=client.origin, now=now))
    found = [*(entry for entry in entries if _fits(entry, show)), *graded]
    found.sort(key=lambda entry: (entry.at is None, entry.at or now, entry.title))
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    return result(
        context,
        _headline(found, period, show, about),
        (entry.line(context.timezone) for entry in shown),
        remarks=[cut_note(len(shown), len(found))],
        notes=[note, *gaps],
        data={"items": [entry.data() for entry in shown], "total": len(found)},
        sources=[Source(title=entry.title, url=entry.url) for entry in shown],
    )


def _to_grade(client: CanvasClient, courses: Sequence[Course], now: datetime) -> tuple[list[Entry], list[str]]:
    """What waits for the asker's grades in courses that they teach, whenever it was due."""
    found = teaching_of(client, courses).work(client, Window.WAITING, now)
    entries = [
        Entry(
            id=assignment.id,
            title=assignment.title,
            kind="to grade",
            course=assignment.course,
            at=assignment.due_at,
            points=assignment.points,
            status=f"{assignment.to_grade} handed in and not graded",
            url=assignment.url,
            is_to_do=True,
        )
        for assignment in found.items
        if assignment.to_grade
    ]
    return entries, found.notes


def _period(now: datetime, days: int, *, everything: bool, context: ToolExecutionContext) -> Period:
    first = now.date() if everything else now.date() - _BACK
    return whole_days(first, now.date() + timedelta(days=days - 1), context.timezone)


def _fits(entry: Entry, show: str) -> bool:
    if show == "everything":
        return True
    return entry.is_to_do and (show == "to_do" or entry.kind == "peer review")


def _headline(found: Sequence[Entry], period: Period, show: str, about: str) -> str:
    if show == "everything":
        return f"{count(len(found), 'planner item')}{about} {period}"
    missing = sum(entry.is_missing for entry in found)
    late = f", {missing} of them past due" if missing else ""
    what = "peer review" if show == "peer_reviews" else "thing"
    return f"{count(len(found), what)}{about} to do until {period.last:%a} {period.last.day} {period.last:%b %Y}{late}"
