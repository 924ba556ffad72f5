"""Tool that forecasts a grade: what if, and what is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.canvas.access import RequiredCourse, canvas_client, canvas_tool, require_course, tool_result
from services.integrations.canvas.courses import Course
from services.integrations.canvas.grade_forecast import (
    ForecastQuestion,
    OpenWork,
    WhatIfScores,
    answer_forecast,
    assumption_lines,
    mismatch_note,
)
from services.integrations.canvas.gradebook import Gradebook, GradebookEntry
from services.integrations.canvas.grading_periods import GradeScope, PeriodWords, grade_scope
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

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


@canvas_tool(
    label=gettext_noop("Working out the grade"),
    title=gettext_noop("Work out a grade"),
    summary=gettext_noop("Work out what you need for a grade, or what a score would make"),
    usage_hint="Works out which score is needed for a grade, or what a score would make of it.",
    when=("the student asks what they need on an exam", "a grade is to be guessed from a score"),
    when_not=("the grade as it stands is asked for",),
    examples=_EXAMPLES,
)
def canvas_forecast_grade(
    context: ToolExecutionContext,
    *,
    course: RequiredCourse,
    target: Annotated[
        str | None,
        Field(max_length=20, description='The grade to reach: a letter like "A-", a percentage like "90", or "pass".'),
    ] = None,
    item: Annotated[
        str | None,
        Field(
            max_length=200,
            description='What the target is asked of: words of an assignment ("final exam") or of a group '
            '("quizzes"), or its id; default all that is open.',
        ),
    ] = None,
    scores: Annotated[
        Mapping[str, Percent] | None,
        Field(max_length=20, description='Supposed percentages by assignment or group, like {"final exam": 80}.'),
    ] = None,
    others: Annotated[
        Literal["average", "zero", "full", "left_out"],
        Field(
            description="For other open work. average: as in that group so far. zero, full: none or all of the "
            "points. left_out: not counted, as in Canvas's own what-if."
        ),
    ] = "average",
    everything_else: Annotated[
        Percent | None, Field(description="Instead of others: one supposed percentage for all other work to come.")
    ] = None,
    grading_period: PeriodWords = None,
) -> ToolResult:
    """Work out a course grade: what the student needs on something for a
    target, or what supposed scores would make.

    Exact, with the course's weights, drops and letters; the answer names its assumptions. For "what do I need on
    the final for an A", "what if I get 80 on the lab", "can I still pass". Scores are percentages: 40 of 50 points
    is 80.
    """
    client = canvas_client(context)
    its_course = require_course(client, course)
    asked = grade_scope(client, its_course, grading_period)
    book, note = asked.book(origin=client.origin, now=context.now())

    def question_in(book: Gradebook) -> ForecastQuestion:
        supposed = _SupposedScores(by_name=scores or {}, everything_else=everything_else, others=OpenWork(others))
        return _question(book, asked, target, item, supposed)

    try:
        question = question_in(book)
    except BadArguments:
        if grading_period or not asked.period:
            raise
        # What it is about may lie in another grading period: then the whole course is meant.
        asked = asked.whole_course()
        book, note = asked.book(origin=client.origin, now=context.now())
        question = question_in(book)
    told = answer_forecast(book, question, its_course)
    return tool_result(
        context,
        f"{asked.name}: {told.headline}",
        [*told.lines, *assumption_lines(book, question, its_course), *_counted(asked, context)],
        notes=[mismatch_note(book, its_course, asked.canvas_grade[0]), note, asked.note],
        data={
            "course": its_course.name,
            "course_id": its_course.id,
            "grading_period": asked.period.title if asked.period else None,
            **told.data,
        },
        sources=_sources(its_course, book, question),
    )


def _counted(asked: GradeScope, context: ToolExecutionContext) -> list[str]:
    """Tell which grading periods count, in a course that has them."""
    if asked.period:
        told = f"- Counted: only what is due in {asked.period.label(context.timezone)}"
        return [f"{told}; for the whole course give grading_period all."]
    names = ", ".join(period.title for period in asked.periods)
    weighed = "by their weights" if asked.course.weighs_periods else "together"
    return [f"- Counted: all grading periods {weighed} ({names})."] if names else []


@dataclass(frozen=True, kw_only=True)
class _SupposedScores:
    """Percentages as a call gives them: by words for assignments and groups, and for all other work to come."""

    by_name: Mapping[str, float]
    everything_else: float | None
    others: OpenWork


def _question(
    book: Gradebook, asked: GradeScope, target: str | None, item: str | None, supposed: _SupposedScores
) -> ForecastQuestion:
    if not book.entries:
        raise BadArguments(
            gettext("Nothing counts towards a grade in {course} yet.", course=asked.name), field="course"
        )
    errors = ArgumentErrorCollector()
    percents: dict[int, Fraction] = {}
    for words, percent in supposed.by_name.items():
        for entry in errors.read(entries_named, book, words, field="scores") or ():
            percents[entry.id] = Fraction(str(percent))
    to_come = [e for e in book.open_entries if e.id not in percents and e.state != "missing"]
    on = (errors.read(entries_named, book, item, field="item") or []) if item else to_come
    least = errors.read(asked.course.scheme.least, target) if target else None
    errors.raise_found()
    if supposed.everything_else is not None:
        asked_about = {entry.id for entry in on} if target else set()
        rest = [entry for entry in to_come if entry.id not in asked_about]
        percents |= {entry.id: Fraction(str(supposed.everything_else)) for entry in rest}
    return ForecastQuestion(
        target=least,
        on=tuple(on),
        noun=asked.noun,
        names_item=bool(item),
        what_if=WhatIfScores(percents=percents, others=supposed.others),
    )


def _sources(course: Course, book: Gradebook, question: ForecastQuestion) -> list[Source]:
    supposed = [entry for entry in book.entries if entry.id in question.what_if.percents]
    about = list(dict.fromkeys([*(question.on if question.names_item or question.target else ()), *supposed]))
    page = Source(title=f"Grades in {course.name}", url=f"{course.url}/grades")
    return [page, *(Source(title=entry.title, url=entry.url) for entry in about)]


def entries_named(book: Gradebook, words: str, *, field: str) -> list[GradebookEntry]:
    """Find the entries that words or an id mean: open ones before graded ones, a single one before a group.

    A full title means just that entry. A group stands for all that is open in it. Raises `BadArguments` that lists the
    choices when none or several fit.
    """
    wanted = words.strip()
    by_id = [entry for entry in book.entries if str(entry.id) == wanted]
    if by_id:
        return by_id
    same = [entry for entry in book.entries if entry.title.casefold() == wanted.casefold()]
    if len(same) == 1:
        return same
    open_ones = book.open_entries
    found = best_matches(open_ones, wanted, _titles)
    if len(found) == 1:
        return found
    groups = best_matches(book.groups, wanted, lambda group: (group.name,))
    in_groups = [entry for group in groups for entry in group.entries if entry in open_ones]
    if len(groups) == 1 and in_groups:
        return in_groups
    found = found or best_matches(book.entries, wanted, _titles)
    if len(found) == 1:
        return found
    if found:
        raise several_fit(field, wanted, _choices(found))
    near = near_matches(open_ones, wanted, _titles) or near_matches(book.entries, wanted, _titles)
    raise none_fits(field, wanted, _choices(open_ones or book.entries), near=_choices(near))


def _choices(entries: Sequence[GradebookEntry]) -> list[NameChoice]:
    return [NameChoice(name=entry.title, id=entry.id) for entry in entries]


def _titles(entry: GradebookEntry) -> tuple[str]:
    return (entry.title,)
