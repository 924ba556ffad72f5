"""Tool that ranks open work by urgency; the rule stands in docs/canvas.md too."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import ServiceUnavailable
from services.i18n import gettext_noop
from services.i18n.english import count, cut_note, elapsed
from services.integrations.canvas.access import (
    CourseFilter,
    canvas_client,
    find_courses,
    gap_notes,
    planner_tool,
    tool_result,
)
from services.integrations.canvas.assignment_queries import (
    assignments_due_in,
    assignments_in_one_list,
    with_time_limits,
)
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.date_ranges import whole_days
from services.integrations.canvas.grade_forecast import share_of_grade
from services.integrations.canvas.gradebook import read_gradebook
from services.integrations.canvas.payloads import Json, is_id, objects_of, read_time
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_DAY_S = 86_400
_HOURS_A_DAY = 3
RANKING_RULE = (
    "Ranked by: share of the course grade in percent plus 1, divided by the days left plus 1. Every 3 hours that the "
    "work is likely to take count as a day less; what is missing but still taken counts as due now."
)
_BACK = timedelta(days=28)


@dataclass(frozen=True, kw_only=True)
class RankedAssignment:
    """Assignment with its rank. share: percent of the course grade, None where unknown. days_left: 0 when past due."""

    item: Assignment
    share: float | None
    days_left: float
    weight: float


def rank_by_urgency(items: Iterable[tuple[Assignment, float | None]], now: datetime) -> list[RankedAssignment]:
    """Rank assignments with their share of the grade, the most urgent first; equal ones by due date."""
    ranked = [_ranked(item, share, now) for item, share in items]
    return sorted(ranked, key=lambda ranking: (-ranking.weight, ranking.days_left, ranking.item.title))


def _ranked(item: Assignment, share: float | None, now: datetime) -> RankedAssignment:
    left = max(0.0, elapsed(now, item.due_at).total_seconds() / _DAY_S) if item.due_at else 0.0
    pressing = max(0.0, left - item.minutes / 60 / _HOURS_A_DAY)
    return RankedAssignment(item=item, share=share, days_left=left, weight=((share or 0.0) + 1) / (pressing + 1))


@planner_tool(
    label=gettext_noop("Ranking what to do first"),
    title=gettext_noop("Rank what to do first"),
    summary=gettext_noop("Put your open work in order: what to do first, and why"),
    usage_hint="Puts open work in order: what first, and why.",
    when=("the student asks where to begin or what matters most",),
    when_not=("days and hours are wanted, too",),
    examples=(Example(description="What should I do first?", arguments={}),),
)
def canvas_rank_priorities(
    context: ToolExecutionContext,
    *,
    days: Annotated[int, Field(ge=1, le=30, description="How many days ahead.")] = 14,
    course: CourseFilter = None,
    limit: Annotated[int, Field(ge=1, le=30, description="How many at most.")] = 10,
) -> ToolResult:
    """Rank the student's open Canvas work by what to do first: due date,
    share of the grade, likely effort, missing.

    For "what should I do first", "what matters most", "I have two hours, what now".
    """
    now, client = context.now(), canvas_client(context)
    courses = find_courses(client, course)
    last: date = now.date() + timedelta(days=days - 1)
    period = whole_days(now.date() - _BACK, last, context.timezone)
    found = assignments_due_in(client, period, courses if course else [], now, lambda: courses)
    still_open = with_time_limits(client, [item for item in found.items if item.needs_work(now)])
    shares, closed, notes = _shares(client, courses, still_open, now)
    ranked = rank_by_urgency(
        [(assignment, shares.get(assignment.id)) for assignment in still_open if assignment.id not in closed], now
    )
    shown = ranked[:limit]
    about = f" in {courses[0].name}" if course else ""
    return tool_result(
        context,
        f"{count(len(ranked), 'open item')}{about}, the most pressing first",
        [*(_line(number, entry, context) for number, entry in enumerate(shown, 1)), RANKING_RULE],
        remarks=[cut_note(len(shown), len(ranked))],
        notes=[*found.notes, *notes],
        data={"rule": RANKING_RULE, "items": [_data(entry) for entry in shown], "total": len(ranked)},
        sources=[Source(title=entry.item.title, url=entry.item.url) for entry in shown],
    )


def _shares(
    client: CanvasClient, courses: Sequence[Course], items: Sequence[Assignment], now: datetime
) -> tuple[dict[int, float], set[int], list[str]]:
    """Compute each assignment's share of its course grade, the ids that Canvas no longer takes, and notes.

    A request for each course that weighs its groups, which only they tell, and one for all others together.
    """
    busy = [course for course in courses if any(assignment.course_id == course.id for assignment in items)]
    listed = _assignments_by_points(client, busy)

    def read(course: Course) -> tuple[dict[int, float], set[int]]:
        alone = [{"id": course.id, "assignments": listed[course.id]}] if course.id in listed else None
        rows = alone or client.assignment_groups(course.id)
        book, _ = read_gradebook(rows, is_weighted=course.is_weighted, origin=client.origin, now=now)
        inside = [row for group in rows for row in objects_of(group.get("assignments"))]
        locked = {int(row["id"]) for row in inside if is_id(row.get("id")) and _is_locked(row, now)}
        return {entry.id: float(share_of_grade(book, entry.id)) for entry in book.entries}, locked

    weighed, gaps = client.try_each(busy, read)
    shares = {id: share for by_id, _ in weighed for id, share in by_id.items()}
    return shares, {id for _, locked in weighed for id in locked}, gap_notes(gaps, gettext_noop("The weights"))


def _assignments_by_points(client: CanvasClient, busy: Sequence[Course]) -> dict[int, list[Json]]:
    """Read assignments of the courses where points alone decide, by course; others are asked by themselves."""
    plain = [course for course in busy if not course.is_weighted]
    try:
        return assignments_in_one_list(client, plain) if len(plain) > 1 else {}
    except ServiceUnavailable:
        return {}


def _is_locked(row: dict[str, Any], now: datetime) -> bool:
    closes_at, _ = read_time(row.get("lock_at"))
    return closes_at is not None and closes_at < now


def _line(number: int, ranked: RankedAssignment, context: ToolExecutionContext) -> str:
    share = f"{ranked.share:.2g} % of the course grade" if ranked.share else ""
    return ranked.item.line(context.timezone, share, ranked.item.effort, f"priority {number}")


def _data(ranked: RankedAssignment) -> Json:
    facts = {"share_of_grade": ranked.share, "days_left": round(ranked.days_left, 1), "weight": round(ranked.weight, 2)}
    return {**ranked.item.data(), **facts, "minutes": ranked.item.minutes}
