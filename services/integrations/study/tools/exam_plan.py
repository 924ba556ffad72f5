"""Tool that plans the sessions until an exam, on a card, into the plan and the calendar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ItemNotFound, PermissionMissing, ReconnectRequired
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.integrations.calendar.access import WriteTarget, write_target
from services.integrations.calendar.event_arguments import IntoCalendar
from services.integrations.calendar.provider import EventDraft
from services.integrations.calendar.times import parse_moment
from services.integrations.calendar.tools.event_creation import add_events, undo_creation
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches
from services.integrations.materials.access import CourseFilter
from services.integrations.study.access import course_key_of, study_tool
from services.integrations.study.session_lines import read_sessions, session_line
from services.llm.citations import Source
from services.navigation import STUDY_PAGE
from services.runtime.clock import stamp
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.study.exam import Exam, PlannedSession
from services.study.exam_plans.exam_plans import LEAST_DAILY, MOST_DAILY, MOST_SESSIONS
from services.study.exam_plans.session_planner import SHORTEST, FreeStretch
from services.study.exam_plans.session_titles import session_title
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

OPENS, CLOSES = time(9), time(21)
"""Hours of a day in which sessions are planned where no calendar is connected."""
MOST_DAYS = 60


@dataclass(frozen=True, kw_only=True)
class WantedPlan:
    """Exam and its sessions as a card shows them. is_new: it is added with its plan. where: the calendar, None for none.

    remarks: what the student should know, for the card.
    """

    exam: Exam = field(repr=False)
    is_new: bool
    sessions: Sequence[PlannedSession] = field(repr=False)
    where: WriteTarget | None = None
    remarks: Sequence[str] = ()


def preview_plan(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the exam and every session, which are pinned as they stand."""
    plan = _wanted(context, **study_plan.validate(arguments))
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
def study_plan(
    context: ToolExecutionContext,
    *,
    exam: Annotated[
        str, Field(min_length=1, max_length=200, description="Its name, or id of one that is planned for.")
    ],
    at: Annotated[
        str | None, Field(description="When it is, like 2026-12-11T10:00, where none of that name is planned for.")
    ] = None,
    course: CourseFilter = None,
    daily_minutes: Annotated[int, Field(ge=LEAST_DAILY, le=MOST_DAILY)] = 90,
    into_calendar: bool = True,
    calendar: IntoCalendar = None,
    sessions: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(max_length=MOST_SESSIONS, description="Left out, they are planned."),
    ] = [],  # noqa: B006 - never changed
) -> ToolResult:
    """Plan the sessions until an exam in the student's free time: read, practise, review, a mock exam.

    Again for the same exam it plans anew what is still ahead.
    """
    plan = _wanted(
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


def _wanted(
    context: ToolExecutionContext,
    *,
    exam: str,
    at: str | None,
    course: str | None,
    daily_minutes: int,
    into_calendar: bool,
    calendar: str | None,
    sessions: Sequence[str],
) -> WantedPlan:
    known = _exam(context, exam, at, course)
    # A repeat finds what its first try has added.
    is_new = not known.id or known.source == f"plan/{context.operation_id}"
    now, zone = context.container.clock(), context.timezone
    where = _target(context, calendar) if into_calendar else None
    if sessions:
        covered = context.container.study.exams.covered(context.student, known)
        # What an approved card shows may have begun since.
        begins = now - timedelta(hours=1) if context.operation_id else now
        read = read_sessions(sessions, covered, zone, now=begins, exam_at=known.at)
        return WantedPlan(exam=known, is_new=is_new, sessions=read, where=where)
    free, remark = _free(context, known)
    plan = context.container.study.exams.propose_for(context.student, known, free, daily_minutes=daily_minutes)
    remarks = [remark] if remark else []
    if plan.left_out:
        left = ", ".join(one_line(title, 80) for title in plan.left_out[:6])
        remarks.append(gettext("There was no time for: {what}", what=left))
    return WantedPlan(exam=known, is_new=is_new, sessions=plan.sessions, where=where, remarks=remarks)


def _exam(context: ToolExecutionContext, wanted: str, at: str | None, course: str | None) -> Exam:
    """The exam that is meant, or one to add, without an id; raises `BadArguments`."""
    exams = [exam for exam in context.container.study.exams.exams(context.student) if exam.at > context.now()]
    for each in exams:
        declared(each.title, Provenance.ASSISTANT)
    if by_id := [each for each in exams if each.id == wanted.strip()]:
        return by_id[0]
    found = best_matches(exams, wanted, lambda each: (each.title,))
    if len(found) == 1:
        return found[0]
    choices = [
        NameChoice(name=each.title, id=each.id, at=each.at.astimezone(context.timezone)) for each in found or exams
    ]
    if found and not at:
        raise several_fit("exam", wanted, choices)
    if not at:
        unknown = none_fits("exam", wanted, choices)
        raise BadArguments(
            f"at: when is it? {unknown}",
            field="at",
            next_step="Look its day up in the courses and the calendar, or ask the student; then give it as at.",
            said=gettext("Say when the exam is."),
        )
    moment = parse_moment(at, context.timezone, "at")
    if not context.now() < moment < context.now() + timedelta(days=366):
        raise BadArguments(gettext("The exam has to be within the coming year."), field="at")
    key, made_at = course_key_of(context, course), context.container.clock()
    return Exam(id="", course_key=key, title=one_line(wanted), at=moment, made_at=made_at)


def _target(context: ToolExecutionContext, calendar: str | None) -> WriteTarget | None:
    """Where sessions go; None where no calendar can be written to and none was named."""
    try:
        return write_target(context, calendar)
    except (ReconnectRequired, PermissionMissing, ItemNotFound):
        if calendar or context.operation_id:
            raise
        return None


def _free(context: ToolExecutionContext, exam: Exam) -> tuple[list[FreeStretch], str]:
    """Free time until the exam, and a remark where no calendar tells it."""
    first = context.now().date()
    last = min(exam.at.astimezone(context.timezone).date(), first + timedelta(days=MOST_DAYS))
    found = context.call("calendar_find_free_time", start=f"{first}", end=f"{last}", minutes=SHORTEST)
    if found.success:
        return [
            FreeStretch(start=datetime.fromisoformat(each["start"]), end=datetime.fromisoformat(each["end"]))
            for each in found.data["free"]
        ], ""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    zone = context.timezone
    stretches = [
        FreeStretch(start=datetime.combine(day, OPENS, zone), end=datetime.combine(day, CLOSES, zone)) for day in days
    ]
    return stretches, gettext("No calendar could be read, so a session may clash with something.")


def _end(session: PlannedSession) -> datetime:
    return session.start + timedelta(minutes=session.minutes)


def _data(session: PlannedSession) -> dict[str, Any]:
    return {
        "kind": str(session.kind),
        "what": session.what,
        "start": session.start.isoformat(),
        "minutes": session.minutes,
    }
