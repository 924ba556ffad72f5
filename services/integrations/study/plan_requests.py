"""Requests for a plan until an exam, from the arguments of tools: the exam, the time, the calendar, the sessions."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.errors import BadArguments, ItemNotFound, PermissionMissing, ReconnectRequired
from services.i18n import gettext
from services.integrations.calendar.access import WriteTarget, write_target
from services.integrations.calendar.times import parse_moment
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches
from services.integrations.study.access import course_key_of
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.study.exam import Exam, PlannedSession, SessionKind
from services.study.exam_plans.session_planner import SHORTEST, CoveredMaterial, FreeStretch
from services.tools.context import ToolExecutionContext

OPENS, CLOSES = time(9), time(21)
"""Hours of a day in which sessions are planned where no calendar is connected."""
MOST_DAYS = 60
LONGEST_SESSION = 240


@dataclass(frozen=True, kw_only=True)
class WantedPlan:
    """Exam and its sessions as a card shows them. is_new: it is added with its plan. where: the calendar, if any.

    remarks: what the student should know, for the card.
    """

    exam: Exam = field(repr=False)
    is_new: bool
    sessions: Sequence[PlannedSession] = field(repr=False)
    where: WriteTarget | None = None
    remarks: Sequence[str] = ()


def wanted_plan(
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
    if not known.id:
        # Before anything is in the calendar.
        context.container.study.exams.require_room(context.student)
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
    context.container.study.exams.look_at_materials(context.student, known)
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


def session_line(session: PlannedSession, zone: ZoneInfo) -> str:
    """Write a session: "2026-11-24T16:00 45 read Lecture 6 #canvas-1-file-2"; the ids of its materials come last."""
    start, ids = session.start.astimezone(zone), ",".join(session.material_ids)
    line = f"{start:%Y-%m-%dT%H:%M} {session.minutes} {session.kind} {session.what}".strip()
    return f"{line} #{ids}" if ids else line


def read_sessions(
    lines: Sequence[str], covered: Iterable[CoveredMaterial], zone: ZoneInfo, *, now: datetime, exam_at: datetime
) -> list[PlannedSession]:
    """Read sessions in the order of their times; raises `BadArguments` for what is none, over, or after the exam.

    covered: materials of the exam; a session is about no others.
    """
    ids = frozenset(material.id for material in covered)
    found = sorted((_read(line, ids, zone) for line in lines), key=lambda session: session.start)
    for session in found:
        if not now < session.start < exam_at:
            raise BadArguments(
                f"sessions: {session_line(session, zone)} does not lie between now and the exam.",
                field="sessions",
                said=gettext("A session lies before now, or after the exam."),
            )
    return found


def _read(line: str, ids: frozenset[str], zone: ZoneInfo) -> PlannedSession:
    told, mark, about = line.rpartition(" #")
    when, minutes, kind, what = (*(told if mark else line).split(maxsplit=3), "", "", "", "")[:4]
    is_whole = minutes.isdigit() and 10 <= int(minutes) <= LONGEST_SESSION and kind in [*SessionKind]
    if not is_whole:
        raise BadArguments(
            f"sessions: “{line[:100]}” is none; write it like “2026-11-24T16:00 45 read Lecture 6”. Kinds: "
            f"{', '.join(SessionKind)}.",
            field="sessions",
            said=gettext("A session cannot be read. Write it like “2026-11-24T16:00 45 read Lecture 6”."),
        )
    return PlannedSession(
        # The same line again is the same session, however often an approved plan is tried.
        id=hashlib.sha256(line.encode()).hexdigest()[:24],
        kind=SessionKind(kind),
        what=what,
        start=parse_moment(when, zone, "sessions"),
        minutes=int(minutes),
        material_ids=tuple(id for id in about.split(",") if mark and id in ids),
        topic=what if kind == SessionKind.PRACTISE else "",
    )
