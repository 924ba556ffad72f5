"""`canvas_forecast_grade`: what if, and what do I need."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.canvas.access import CONTEXTS, FRESH_S, ID, OneCourse, canvas_of, result, the_course
from services.integrations.canvas.courses import Course
from services.integrations.canvas.forecast import Others, Supposition
from services.integrations.canvas.grading import Gradebook
from services.integrations.canvas.grading_periods import Part, PeriodWords, part_of
from services.integrations.canvas.outlook import Question, answer, assumptions, check
from services.integrations.canvas.targets import meant
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_EXAMPLES = (
    Example(
        description="What do I need on the final for an A in bio?",
        arguments={"course": "bio", "target": "A", "item": "final exam"},
    ),
    Example(
        description="What if I get 80 on the lab in biology?",
        arguments={"course": "biology", "scores": {"lab report": 80}},
    ),
    Example(description="Can I still get a B in calc?", arguments={"course": "calc", "target": "B"}),
)
Percent = Annotated[float, Field(ge=0, le=200)]


@tool(
    label=gettext_noop("Working out the grade"),
    title=gettext_noop("Work out a grade"),
    summary=gettext_noop("Work out what you need for a grade, or what a score would make"),
    told=Told.PRIVATE,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=_EXAMPLES,
)
def canvas_forecast_grade(
    context: ToolExecutionContext,
    *,
    course: OneCourse,
    target: Annotated[
        str | None,
        Field(max_length=20, description='The grade to reach: a letter like "A-", a percentage like "90", or "pass".'),
    ] = None,
    item: Annotated[
        str | None,
        Field(
            max_length=200,
            description='What the target is asked of: words of an assignment ("final exam") or of a group ("quizzes"), '
            "or its id. Leave it out for everything that is still open.",
        ),
    ] = None,
    scores: Annotated[
        Mapping[str, Percent] | None,
        Field(max_length=20, description='What if: percentages by assignment or group, like {"final exam": 80}.'),
    ] = None,
    others: Annotated[
        Literal["average", "zero", "full", "left_out"],
        Field(
            description="What to assume about other open work. average: as the student does in that group so far. "
            "zero, full: nothing or all of the points. left_out: not counted, as Canvas's own what-if does."
        ),
    ] = "average",
    grading_period: PeriodWords = None,
) -> ToolResult:
    """Work out a course grade: what the student needs on something for a target, or what supposed scores would make.

    The arithmetic is exact, with the course's weights, dropped scores and letters; the answer names its assumptions.
    Use it for "what do I need on the final for an A", "what if I get 80 on the lab", "can I still pass". Never
    calculate grades yourself. Give points as a percentage: 40 of 50 points is 80.
    """
    client = canvas_of(context)
    its_course = the_course(client, course)
    asked = part_of(client, its_course, grading_period)
    book, note = asked.book(origin=client.origin, now=context.now())

    def question_in(book: Gradebook) -> Question:
        return _question(book, asked, target, item, scores or {}, Others(others))

    try:
        question = question_in(book)
    except BadArguments:
        if grading_period or not asked.period:
            raise
        # What it is about may lie in another grading period: then the whole course is meant.
        asked = asked.whole()
        book, note = asked.book(origin=client.origin, now=context.now())
        question = question_in(book)
    told = answer(book, question, its_course)
    return result(
        context,
        f"{asked.name}: {told.headline}",
        [*told.lines, *assumptions(book, question, its_course), *_counted(asked, context)],
        notes=[check(book, its_course, asked.official[0]), note, asked.note],
        data={
            "course": its_course.name,
            "course_id": its_course.id,
            "grading_period": asked.period.title if asked.period else None,
            **told.data,
        },
        sources=_sources(its_course, book, question),
    )


def _counted(asked: Part, context: ToolExecutionContext) -> list[str]:
    """What is graded, in a course with grading periods."""
    if asked.period:
        told = f"- Counted: only what is due in {asked.period.told(context.timezone)}"
        return [f"{told}; for the whole course give grading_period all."]
    names = ", ".join(period.title for period in asked.others)
    weighed = "by their weights" if asked.course.weighs_periods else "together"
    return [f"- Counted: all grading periods {weighed} ({names})."] if names else []


def _question(
    book: Gradebook, asked: Part, target: str | None, item: str | None, scores: Mapping[str, float], others: Others
) -> Question:
    if not book.entries:
        raise BadArguments(
            gettext("Nothing counts towards a grade in {course} yet.", course=asked.name), field="course"
        )
    percents: dict[int, Fraction] = {}
    for words, percent in scores.items():
        for entry in meant(book, words, field="scores"):
            percents[entry.id] = Fraction(str(percent))
    still_to_come = [e for e in book.open_entries if e.id not in percents and e.state != "missing"]
    on = meant(book, item, field="item") if item else still_to_come
    return Question(
        target=asked.course.scheme.least(target) if target else None,
        on=tuple(on),
        noun=asked.noun,
        names_item=bool(item),
        supposition=Supposition(percents=percents, others=others),
    )


def _sources(course: Course, book: Gradebook, question: Question) -> list[Source]:
    supposed = [entry for entry in book.entries if entry.id in question.supposition.percents]
    about = list(dict.fromkeys([*(question.on if question.names_item or question.target else ()), *supposed]))
    page = Source(title=f"Grades in {course.name}", url=f"{course.url}/grades")
    return [page, *(Source(title=entry.title, url=entry.url) for entry in about)]
