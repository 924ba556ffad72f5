"""Tool that shows grades: of every course, or group by group and item by item of one."""

from collections.abc import Mapping, Sequence

from services.errors import BadArguments
from services.i18n import gettext_noop
from services.i18n.english import count
from services.integrations.canvas.access import CourseFilter, canvas_client, canvas_tool, find_courses, tool_result
from services.integrations.canvas.assignment_details import statistics_of
from services.integrations.canvas.assignment_queries import taught_courses
from services.integrations.canvas.assignments import Assignment, by_due_date, from_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.gradebook import (
    AssignmentGroup,
    Gradebook,
    current_scores,
    dropped_entries,
    grade_total,
    group_percent,
)
from services.integrations.canvas.grading_periods import GradeScope, PeriodWords, grade_scope, is_whole
from services.integrations.canvas.grading_scheme import percent_text
from services.integrations.canvas.payloads import Json, is_id, object_of, objects_of, read_rows
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_NAMED_STATES = ("missing", "waiting")
"""States of open items that are listed by name; what lies ahead is counted only."""


@canvas_tool(
    label=gettext_noop("Looking up grades"),
    title=gettext_noop("Look up grades"),
    summary=gettext_noop("See your grades so far, of all courses or one in detail"),
    usage_hint="Shows grades so far, of all courses or one in detail.",
    when=("the student asks how they stand",),
    when_not=("a future grade is asked for", "the feedback on one assignment is asked for"),
    examples=(
        Example(description="How are my grades?", arguments={}),
        Example(description="What do I have in bio so far?", arguments={"course": "bio"}),
    ),
)
def canvas_get_grades(
    context: ToolExecutionContext, *, course: CourseFilter = None, grading_period: PeriodWords = None
) -> ToolResult:
    """Show the student's current grades in Canvas: the total of every course, or all about one course.

    One: groups with weights and drops, each graded item with the class's mean where shown, and by name what is
    missing or waits for a grade. Told as a table. For "what do I need" or "what if": canvas_forecast_grade.
    """
    client = canvas_client(context)
    courses = find_courses(client, course)
    teaching = taught_courses(client, courses)
    if course and courses[0].is_taught:
        return _taught_course_result(context, courses[0])
    courses = [taken for taken in courses if not taken.is_taught]
    if course:
        return _course_result(context, client, grade_scope(client, courses[0], grading_period))
    if grading_period and not is_whole(grading_period):
        reason = "grading_period needs a course; without one the current periods are told."
        raise BadArguments(reason, field="grading_period")
    return tool_result(
        context,
        f"Current grades in {count(len(courses), 'course')}",
        map(_course_line, courses),
        remarks=[teaching.remark()],
        data={"courses": [_course_data(course) for course in courses]},
        sources=_sources(courses),
    )


def _taught_course_result(context: ToolExecutionContext, course: Course) -> ToolResult:
    """Result for a taught course: the user has no grade there, and those of a class are not for us to read."""
    return tool_result(
        context,
        f"The student teaches {course.name}, so there is no grade of theirs in it",
        [f"- **Gradebook** — {course.name} — [open]({course.url}/gradebook) (id: {course.id})"],
        data={"courses": []},
        sources=[Source(title=f"Gradebook of {course.name}", url=f"{course.url}/gradebook")],
    )


def _course_result(context: ToolExecutionContext, client: CanvasClient, asked: GradeScope) -> ToolResult:
    now, course = context.now(), asked.course
    book, note = asked.book(origin=client.origin, now=now)
    dropped_ids = {entry.id for group in book.groups for entry in dropped_entries(group, current_scores(book))}

    never_dropped = frozenset().union(*(group.never_drop for group in book.groups))

    def line(row: Json) -> tuple[Assignment, str]:
        assignment = from_assignment(row, course="", origin=client.origin, now=now)
        statistics = statistics_of(row)
        mean = f"class mean {statistics.mean:g}" if statistics else ""
        left_out = "dropped: does not count" if assignment.id in dropped_ids else ""
        left_out = "never dropped" if assignment.id in never_dropped else left_out
        return assignment, assignment.line(context.timezone, mean, left_out)

    rows = [row for group in asked.rows for row in objects_of(group.get("assignments"))]
    states = {entry.id: entry.state for entry in book.open_entries}
    listed, bad = read_rows([row for row in rows if _is_graded(row) or _state_of(row, states) in _NAMED_STATES], line)
    listed.sort(key=lambda pair: (pair[0].id not in states, *by_due_date(pair[0])))
    graded = [assignment for assignment, _ in listed if assignment.id not in states]
    return tool_result(
        context,
        f"{asked.name}: {_scope_standing(asked, book)}, {count(len(graded), 'graded item')}{_open_text(book)}",
        [
            f"- **All of it in Canvas** — [open]({course.url}/grades)",
            *_period_lines(asked, context),
            *(_group_line(group, book) for group in book.groups if group.entries),
            *(told for _, told in listed),
        ],
        notes=[note or bad, asked.note],
        data={
            **_course_data(course),
            "asked_period": asked.period.title if asked.period else None,
            "groups": [_group_data(group, book) for group in book.groups],
            **{
                state: [assignment.data() for assignment, _ in listed if states.get(assignment.id) == state]
                for state in _NAMED_STATES
            },
            "graded": [{**assignment.data(), "dropped": assignment.id in dropped_ids} for assignment in graded],
        },
        sources=[
            *_sources([course]),
            *(Source(title=assignment.title, url=assignment.url) for assignment, _ in listed),
        ],
    )


def _state_of(row: Json, states: Mapping[int, str]) -> str | None:
    return states.get(int(row["id"])) if is_id(row.get("id")) else None


def _is_graded(row: Json) -> bool:
    submission = object_of(row.get("submission"))
    return submission.get("score") is not None or bool(submission.get("excused"))


def _open_text(book: Gradebook) -> str:
    """Count what has no grade yet."""
    states = [entry.state for entry in book.open_entries]
    kinds = (("missing", "missing"), ("waiting", "waiting for a grade"), ("ahead", "still to come"))
    told = [f"{states.count(state)} {words}" for state, words in kinds if state in states]
    return f", {', '.join(told)}" if told else ""


def _group_line(group: AssignmentGroup, book: Gradebook) -> str:
    weight = f"{float(group.weight):g} % of the grade" if book.is_weighted else ""
    scores = current_scores(book)
    number = sum(entry.score is not None for entry in group.entries)
    rules = [f"lowest {group.drop_lowest} dropped"] if group.drop_lowest else []
    rules += [f"highest {group.drop_highest} dropped"] if group.drop_highest else []
    never = sum(entry.id in group.never_drop for entry in group.entries)
    rules += [f"{count(never, 'item')} never dropped"] if never and rules else []
    so_far = f"{percent_text(group_percent(group, scores))} from {number} of {len(group.entries)} graded"
    facts = " — ".join(fact for fact in (weight, so_far, "; ".join(rules)) if fact)
    return f"- **Group: {group.name}** — {facts}"


def _group_data(group: AssignmentGroup, book: Gradebook) -> Json:
    now = group_percent(group, current_scores(book))
    return {
        "id": group.id,
        "name": group.name,
        "weight": float(group.weight) if book.is_weighted else None,
        "percent": None if now is None else round(float(now), 2),
        "drop_lowest": group.drop_lowest,
        "drop_highest": group.drop_highest,
    }


def _scope_standing(asked: GradeScope, book: Gradebook) -> str:
    """Describe the standing in what was asked about; a period that is not running is added up from its items."""
    if asked.period is None or asked.is_current:
        return _standing(asked.course, *asked.canvas_grade)
    return f"{percent_text(grade_total(book, current_scores(book)))}, added up from its graded items"


def _period_lines(asked: GradeScope, context: ToolExecutionContext) -> list[str]:
    """Add lines for a course with grading periods: its total, and the other periods."""
    if not asked.periods:
        return []
    periods = "; ".join(
        period.label(context.timezone)
        + (f", {float(period.weight):g} % of the course" if asked.course.weighs_periods and period.weight else "")
        for period in asked.periods
    )
    whole = [f"- **The whole course** — {_whole(asked.course)}"] if asked.period else []
    return [*whole, f"- **Its grading periods** — {periods}"]


def _whole(course: Course) -> str:
    if not course.tells_whole:
        return "this course shows no total over all grading periods"
    return _standing(course, course.score, course.grade)


def _standing(course: Course, score: float | None, grade: str | None) -> str:
    if course.hides_grades:
        return "the instructor hides the total"
    if score is None:
        return "nothing counts yet"
    return f"{score:g} %{f' ({grade})' if grade else ''} now"


def _final(course: Course, now: float | None, final: float | None, grade: str | None) -> str:
    if course.hides_grades or final is None or final == now:
        return ""
    return f"{final:g} %{f' ({grade})' if grade else ''} if everything without a grade stays at zero"


def _facts(course: Course) -> list[str]:
    """List the total, or with grading periods that of the current one first."""
    if period := course.period:
        running = f"{_standing(course, period.score, period.grade)} in {period.title}, the current grading period"
        final = _final(course, period.score, period.final_score, period.final_grade)
        return (
            [running, final] if course.hides_grades else [running, final, f"over all grading periods: {_whole(course)}"]
        )
    if course.has_periods:
        return ["no grading period is running", f"over all of them: {_whole(course)}"]
    final = _final(course, course.score, course.final_score, course.final_grade)
    return [_standing(course, course.score, course.grade), final]


def _course_line(course: Course) -> str:
    facts = " — ".join(fact for fact in _facts(course) if fact)
    return f"- **{course.name}** — {facts} — [open]({course.url}/grades) (id: {course.id})"


def _course_data(course: Course) -> Json:
    """Convert to JSON, without a total that the instructor hides."""
    is_told = not course.hides_grades and (course.tells_whole or not course.has_periods)
    score, final = (course.score, course.final_score) if is_told else (None, None)
    period = course.period
    running = (
        {"title": period.title, "score": period.score, "grade": period.grade}
        if period and not course.hides_grades
        else None
    )
    return {
        "id": course.id,
        "course": course.name,
        "score": score,
        "grade": course.grade if is_told else None,
        "final_score": final,
        "is_hidden": course.hides_grades,
        "grading_period": running,
        "url": course.url,
    }


def _sources(courses: Sequence[Course]) -> list[Source]:
    return [Source(title=f"Grades in {course.name}", url=f"{course.url}/grades") for course in courses]
