"""Sessions of an exam's plan as lines of text, which a card pins and a student can edit."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import gettext
from services.integrations.calendar.times import parse_moment
from services.study.exam import PlannedSession, SessionKind
from services.study.exam_plans.session_planner import CoveredMaterial

LONGEST_SESSION = 240


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
