"""Tool that plans the sessions until an exam, on a card, into the plan and the calendar."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ItemNotFound
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.calendar.event_arguments import IntoCalendar
from services.integrations.calendar.provider import WRITE, EventDraft
from services.integrations.calendar.tools.event_creation import add_events, undo_creation
from services.integrations.materials.access import CourseFilter
from services.integrations.study.access import study_tool
from services.integrations.study.plan_requests import WantedPlan, read_sessions, session_line, wanted_plan
from services.llm.citations import Source
from services.navigation import STUDY_PAGE
from services.runtime.clock import stamp
from services.safety.text import one_line
from services.study.exam import PlannedSession, session_title
from services.study.exam_plans.exam_plans import LEAST_DAILY, MOST_DAILY, MOST_SESSIONS
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example


def preview_plan(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the exam and every session, which are pinned as they stand."""
    plan = wanted_plan(context, **study_exam_plan.validate(arguments))
    if not plan.sessions:
        raise BadArguments(
            "There is no free time for a session before the exam.",
            field="daily_minutes",
            next_step="Tell the student so, and ask what could give way.",
            said=gettext("There is no free time for a session before the exam."),
        )
    zone = context.timezone
    lines = [session_line(session, zone) for session in plan.sessions]
    exam_row = PreviewRow(
        label=gettext_noop("Exam"),
        value=f"{plan.exam.title}, {formats.moment(plan.exam.at, zone)}",
        resolved={"at": plan.exam.at.astimezone(zone).isoformat(), **({} if plan.is_new else {"exam": plan.exam.id})},
    )
    rows = [
        PreviewRow(
            label=gettext("Session {n}", n=number),
            value=f"{formats.span(session.start, _end(session), zone)}: {session_title(session, plan.exam)}",
            past_at=stamp(session.start),
        )
        for number, session in enumerate(plan.sessions, 1)
    ]
    pinned = {"calendar": plan.where.reference} if plan.where else {"into_calendar": False}
    where = PreviewRow(
        label=gettext_noop("Calendar"),
        value=plan.where.name if plan.where else gettext("none: the plan stands on the page Study"),
        resolved={**pinned, "sessions": lines},
    )
    remarks = [PreviewRow(label=gettext_noop("Please note"), value=remark) for remark in plan.remarks]
    return (exam_row, *rows, where, *remarks)


def undo_plan(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Take the sessions out of the calendar, as far as they are as they were, and restore the plan of before."""
    exams, student, zone = context.container.study.exams, context.student, context.timezone
    refuse_in_dry_run()
    lines = [undo_creation(context, undo["calendar"]).output] if undo.get("calendar") else []
    try:
        exam = exams.exam(student, undo["exam_id"])
        if undo["is_new"]:
            exams.remove(student, exam.id)
        else:
            covered = exams.covered(student, exam)
            before = read_sessions(
                undo["before"], covered, zone, now=datetime.min.replace(tzinfo=zone), exam_at=exam.at
            )
            exams.keep(student, exam.id, before)
    except ItemNotFound:
        pass
    return ToolResult(output=" ".join([*lines, gettext("The plan is as it was.")]))


@study_tool(
    label=gettext_noop("Planning until your exam"),
    title=gettext_noop("Plan the sessions until your exam"),
    summary=gettext_noop("Plan reading, practice and reviews until an exam, in your free time"),
    effect=Effect.WRITE,
    preview=preview_plan,
    undo=undo_plan,
    also_changes=(WRITE,),
    usage_hint="Plans reading, practice, reviews and a mock exam in the free time until an exam, on one card.",
    when=(
        "the student wants to be prepared for an exam, or a plan of practice until then",
        "sessions of an exam's plan were missed, and the student wants them planned anew",
    ),
    when_not=("the day of the exam is not known: look it up first", "only work that is due is to be planned"),
    examples=(
        Example(
            description="Plan my practice until the bio midterm (which is on 11 December at 10)",
            arguments={"exam": "Midterm 2", "at": "2026-12-11T10:00", "course": "bio", "daily_minutes": 60},
        ),
    ),
    timeout_s=60.0,
)
def study_exam_plan(
    context: ToolExecutionContext,
    *,
    exam: Annotated[str, Field(min_length=1, max_length=200, description="Its name or id.")],
    at: Annotated[
        str | None, Field(description="When it is, like 2026-12-11T10:00, where none of that name is planned for.")
    ] = None,
    course: CourseFilter = None,
    daily_minutes: Annotated[int, Field(ge=LEAST_DAILY, le=MOST_DAILY, description="At most a day.")] = 90,
    into_calendar: Annotated[bool, Field(description="As events, too.")] = True,
    calendar: IntoCalendar = None,
    sessions: Annotated[
        list[Annotated[str, Field(max_length=2000)]],
        Field(max_length=MOST_SESSIONS, description="Left out, they are planned."),
    ] = [],  # noqa: B006 - never changed
) -> ToolResult:
    """Plan the sessions until an exam in the student's free time: read, practise, review, a mock exam.

    Again for the same exam it plans anew what is still ahead.
    """
    plan = wanted_plan(
        context,
        exam=exam,
        at=at,
        course=course,
        daily_minutes=daily_minutes,
        into_calendar=into_calendar,
        calendar=calendar,
        sessions=sessions,
    )
    refuse_in_dry_run()
    return _carried_out(context, plan)


def _carried_out(context: ToolExecutionContext, plan: WantedPlan) -> ToolResult:
    """Add the sessions to the calendar, once, and then to the plan."""
    exams, student = context.container.study.exams, context.student
    drafts = [
        EventDraft(
            title=session_title(session, plan.exam), start=session.start, end=_end(session), zone=context.timezone
        )
        for session in plan.sessions
    ]
    added = add_events(context, lambda _: drafts, plan.where) if plan.where else None
    stored = plan.exam
    if plan.is_new:
        source = f"plan/{context.operation_id}"
        stored = exams.add(
            student, title=plan.exam.title, at=plan.exam.at, course_key=plan.exam.course_key, source=source
        )
    before = [session_line(session, context.timezone) for session in stored.sessions if not session.done_at]
    exams.keep(student, stored.id, plan.sessions, card=context.operation_id or "")
    url = f"{context.container.settings.public_url}{STUDY_PAGE.path}"
    done = ngettext(
        "{n} session until “{exam}” is planned.",
        "{n} sessions until “{exam}” are planned.",
        len(plan.sessions),
        exam=one_line(stored.title),
    )
    return ToolResult(
        output="\n".join([done, *([added.output] if added else []), *plan.remarks]),
        data={"exam_id": stored.id, "sessions": [_data(session) for session in plan.sessions], "url": url},
        sources=(Source(title="Study", url=url), *(added.sources if added else ())),
        undo={
            "exam_id": stored.id,
            "is_new": plan.is_new,
            "before": before,
            "calendar": dict(added.undo) if added and added.undo else None,
        },
    )


def _end(session: PlannedSession) -> datetime:
    return session.start + timedelta(minutes=session.minutes)


def _data(session: PlannedSession) -> dict[str, Any]:
    return {
        "kind": str(session.kind),
        "what": session.what,
        "start": session.start.isoformat(),
        "minutes": session.minutes,
    }
