"""Tool that lists the Canvas to-do list and planner by date."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import PermissionMissing
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note, moment
from services.integrations.canvas.access import CourseFilter, canvas_client, find_courses, planner_tool, tool_result
from services.integrations.canvas.assignment_queries import taught_courses
from services.integrations.canvas.assignments import from_planner
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.date_ranges import DateRange, WorkWindow, whole_days
from services.integrations.canvas.payloads import Row, canvas_link, id_of, object_of, read_rows, read_time, safe_line
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_NAMES = {
    "planner_note": "own note",
    "calendar_event": "course event",
    "announcement": "announcement",
    "wiki_page": "page to read",
    "discussion_topic": "discussion",
    "sub_assignment": "checkpoint",
}
_TO_DO = ("planner_note", "wiki_page", "discussion_topic", "sub_assignment")
_BACK = timedelta(days=28)
_MOST_SHOWN = 50


@dataclass(frozen=True, kw_only=True)
class PlannerItem:
    """Item of the Canvas planner: assignment, note, event, page or announcement.

    is_to_do: it asks something of the student and is not done. at: when it is due or happens.
    """

    id: int
    title: str
    kind: str
    course: str
    at: datetime | None
    points: float | None
    status: str
    url: str
    is_to_do: bool
    is_missing: bool = False

    def line(self, zone: ZoneInfo) -> str:
        """Format as a line of a tool's output."""
        when = moment(self.at, zone) if self.at else "no date"
        points = f"{self.points:g} points" if self.points is not None else ""
        link = f"[open]({self.url})" if self.url else ""
        facts = [self.kind, self.course, when, points, self.status, link]
        return f"- **{self.title}** — {' — '.join(fact for fact in facts if fact)} (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """Convert to JSON."""
        at = self.at.astimezone(UTC).isoformat() if self.at else None
        facts = {"id": self.id, "title": self.title, "kind": self.kind, "course": self.course, "at": at}
        return {**facts, "status": self.status, "to_do": self.is_to_do, "url": self.url}


def read_planner_item(row: Row, *, origin: str, now: datetime) -> PlannerItem:
    """Read a planner item: https://developerdocs.instructure.com/services/canvas/resources/planner"""
    kind, thing = str(row.get("plannable_type") or ""), object_of(row.get("plannable"))
    override = object_of(row.get("planner_override"))
    is_ticked = bool(override.get("marked_complete"))
    if work := from_planner(row, origin=origin, now=now):
        return PlannerItem(
            id=work.id,
            title=work.title,
            kind=work.kind.label or "assignment",
            course=work.course,
            at=work.due_at,
            points=work.points,
            status="ticked off" if is_ticked and work.is_to_do else work.status,
            url=work.url,
            is_to_do=work.needs_work(now) and not is_ticked,
            is_missing=work.is_missing,
        )
    place = safe_line(thing.get("location_name"), 80)
    return PlannerItem(
        id=id_of(row.get("plannable_id")),
        title=safe_line(thing.get("title")) or "(untitled)",
        kind=_NAMES.get(kind, safe_line(kind.replace("_", " "), 40)),
        course=safe_line(row.get("context_name")),
        at=read_time(row.get("plannable_date"))[0],
        points=None,
        status="ticked off" if is_ticked else f"at {place}" if place else "",
        url=canvas_link(row["html_url"], origin) if row.get("html_url") else "",
        is_to_do=kind in _TO_DO and not is_ticked,
    )


@planner_tool(
    label=gettext_noop("Looking at your to-do list"),
    title=gettext_noop("Look at your to-do list"),
    summary=gettext_noop("See your to-do list in Canvas, peer reviews too"),
    usage_hint="Shows the to-do list of Canvas, peer reviews too.",
    when=("the student asks for their to-do list in Canvas", "peer reviews or grading are asked for"),
    when_not=("their own tasks in the planner are meant",),
    examples=(
        Example(description="What is on my to-do list?", arguments={}),
        Example(description="Which peer reviews do I owe?", arguments={"show": "peer_reviews"}),
    ),
)
def canvas_list_todo(
    context: ToolExecutionContext,
    *,
    days: Annotated[int, Field(ge=1, le=60, description="How many days ahead.")] = 7,
    show: Annotated[
        Literal["to_do", "peer_reviews", "everything"],
        Field(
            description="to_do: not done, from four weeks ago on. peer_reviews: only classmates' work to review. "
            "everything: the whole planner from today on, with events, announcements and what is "
            "done."
        ),
    ] = "to_do",
    course: CourseFilter = None,
) -> ToolResult:
    """Show the student's Canvas to-do list or planner: work, peer reviews, pages to
    read and their own notes, by date.

    For "what is on my to-do list", "which peer reviews do I owe". In courses
    that they teach: what waits to be graded.
    """
    now, client = context.now(), canvas_client(context)
    courses = find_courses(client, course) if course else []
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
    entries, note = read_rows(rows, lambda row: read_planner_item(row, origin=client.origin, now=now))
    found = [*(entry for entry in entries if _fits(entry, show)), *graded]
    found.sort(key=lambda entry: (entry.at is None, entry.at or now, entry.title))
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    return tool_result(
        context,
        _headline(found, period, show, about),
        (entry.line(context.timezone) for entry in shown),
        remarks=[cut_note(len(shown), len(found))],
        notes=[note, *gaps],
        data={"items": [entry.data() for entry in shown], "total": len(found)},
        sources=[Source(title=entry.title, url=entry.url) for entry in shown if entry.url],
    )


def _to_grade(client: CanvasClient, courses: Sequence[Course], now: datetime) -> tuple[list[PlannerItem], list[str]]:
    """List what waits for grades in courses that the user teaches, whenever it was due."""
    found = taught_courses(client, courses).list_assignments(client, WorkWindow.WAITING, now)
    entries = [
        PlannerItem(
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


def _period(now: datetime, days: int, *, everything: bool, context: ToolExecutionContext) -> DateRange:
    first = now.date() if everything else now.date() - _BACK
    return whole_days(first, now.date() + timedelta(days=days - 1), context.timezone)


def _fits(entry: PlannerItem, show: str) -> bool:
    if show == "everything":
        return True
    return entry.is_to_do and (show == "to_do" or entry.kind == "peer review")


def _headline(found: Sequence[PlannerItem], period: DateRange, show: str, about: str) -> str:
    if show == "everything":
        return f"{count(len(found), 'planner item')}{about} {period}"
    missing = sum(entry.is_missing for entry in found)
    late = f", {missing} of them past due" if missing else ""
    what = "peer review" if show == "peer_reviews" else "thing"
    return f"{count(len(found), what)}{about} to do until {period.last:%a} {period.last.day} {period.last:%b %Y}{late}"
