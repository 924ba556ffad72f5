"""Tool that shows the workload by week: what is due, and an estimate of hours."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import count, day, days
from services.integrations.canvas.access import CourseFilter, canvas_client, find_courses, planner_tool, tool_result
from services.integrations.canvas.assignment_kinds import TIME_RULE, AssignmentKind, rough_hours
from services.integrations.canvas.assignment_queries import assignments_due_in, with_time_limits
from services.integrations.canvas.assignments import Assignment, by_due_date
from services.integrations.canvas.date_ranges import whole_days
from services.integrations.canvas.payloads import Json
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import WORKLOAD
from services.tools.tool import Example

_NEARLY_OVER = 2
"""Days left of a week that are shown in addition to the weeks asked for."""
_NOTHING_LEFT = "nothing left to do"


@planner_tool(
    label=gettext_noop("Weighing the coming weeks"),
    title=gettext_noop("Weigh the coming weeks"),
    summary=gettext_noop("See how full each of the coming weeks is"),
    produces=(WORKLOAD,),
    usage_hint="Shows how full each of the coming weeks is.",
    when=("the student asks which week is heavy",),
    when_not=("single assignments are asked for", "the work is to be spread over days"),
    examples=(Example(description="How busy are the next two weeks?", arguments={"weeks": 2}),),
)
def canvas_get_workload(
    context: ToolExecutionContext,
    *,
    weeks: Annotated[
        int,
        Field(ge=1, le=8, description="How many, from today on; the rest of a week that is nearly over comes on top."),
    ] = 3,
    course: CourseFilter = None,
) -> ToolResult:
    """Show the student's workload week by week in Canvas: how much is due, its
    points, exams, and an estimate of hours.

    For "how busy is next week", "which week is the worst", "how long will this take me".
    """
    now, client = context.now(), canvas_client(context)
    courses = find_courses(client, course) if course else []
    today, monday = now.date(), now.date() - timedelta(days=now.weekday())
    rest = int((monday + timedelta(days=7) - today).days <= _NEARLY_OVER)
    period = whole_days(monday, monday + timedelta(days=7 * (weeks + rest) - 1), context.timezone)
    found = assignments_due_in(client, period, courses, now, lambda: find_courses(client, None))
    # What was due on the days that are over matters only while it can still be done.
    ahead = [item for item in found.items if item.is_missing or (item.due_at and item.due_at >= now)]
    items = with_time_limits(client, ahead)
    by_week = [_Week.from_range(context, monday, number, items, today) for number in range(weeks + rest)]
    left = sum(assignment.minutes for assignment in items)
    busiest = max(by_week, key=lambda week: week.minutes)
    about = f" in {courses[0].name}" if course else ""
    peak = f"; the busiest begins {day(busiest.first)}" if weeks > 1 and busiest.minutes else ""
    return tool_result(
        context,
        f"{'The rest of this week and ' if rest else ''}{count(weeks, 'week')}{about}, "
        f"{rough_hours(left) + ' of work left' if left else _NOTHING_LEFT}{peak}",
        [line for week in by_week for line in week.lines(context)] + [TIME_RULE],
        notes=found.notes,
        data={"weeks": [week.data() for week in by_week], "hours_left": round(left / 60, 1)},
        sources=[Source(title=assignment.title, url=assignment.url) for assignment in items],
    )


class _Week:
    """Workload from a Monday, or from today in the week that has begun, to the Sunday."""

    def __init__(self, first: date, last: date, items: Sequence[Assignment]) -> None:
        self.first, self.last = first, last
        self.items = sorted(items, key=by_due_date)
        self.minutes = sum(assignment.minutes for assignment in items)

    @classmethod
    def from_range(
        cls, context: ToolExecutionContext, monday: date, number: int, items: Sequence[Assignment], today: date
    ) -> "_Week":
        first = monday + timedelta(weeks=number)
        last = first + timedelta(days=6)
        period = whole_days(first, last, context.timezone)
        return cls(
            max(first, today),
            last,
            [assignment for assignment in items if assignment.due_at and period.contains(assignment.due_at)],
        )

    def lines(self, context: ToolExecutionContext) -> list[str]:
        done = sum(assignment.is_handed_in for assignment in self.items)
        points = sum(assignment.points or 0 for assignment in self.items if not assignment.is_handed_in)
        exams = sum(assignment.kind is AssignmentKind.EXAM and not assignment.is_handed_in for assignment in self.items)
        facts = [
            f"{count(len(self.items), 'thing')} due",
            f"{done} done" if done else "",
            count(exams, "exam") if exams else "",
            f"{points:g} points open" if points else "",
            f"{rough_hours(self.minutes)} left" if self.minutes else _NOTHING_LEFT,
        ]
        head = f"Week {days(self.first, self.last)}: {', '.join(fact for fact in facts if fact)}."
        return [head, *(assignment.line(context.timezone, assignment.effort) for assignment in self.items)]

    def data(self) -> Json:
        listed = [{**assignment.data(), "minutes": assignment.minutes} for assignment in self.items]
        days = {"first": self.first.isoformat(), "last": self.last.isoformat()}
        return {**days, "minutes": self.minutes, "items": listed}
