"""Visits of a student: when they wrote, or opened the page Today, last before this visit, so that an answer and that
page can tell what is new since then.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from services.runtime.clock import moment, stamp

NEW_VISIT_AFTER = timedelta(hours=3)
"""Without a message for so long, the next one begins a new visit."""
NOTED_EVERY = timedelta(minutes=10)
"""How often a message is noted: a store write each."""


class Visitor(Protocol):
    """Student as last read. wrote_at: their last noted message. visited_at: the last one of the visit before;
    timestamps, "" for none.
    """

    @property
    def wrote_at(self) -> str: ...
    @property
    def visited_at(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class PageVisits:
    """Visits of a page, as a `Visitor` has them: opened, where that one wrote."""

    wrote_at: str = ""
    visited_at: str = ""


def begins_visit(student: Visitor, now: datetime) -> bool:
    """Whether a message of now is the first one of a visit, and they were here before."""
    return bool(student.wrote_at) and now - moment(student.wrote_at) >= NEW_VISIT_AFTER


def last_visit(student: Visitor, now: datetime) -> datetime | None:
    """When they wrote last before the visit of now; None when they have not been here before."""
    ended = student.wrote_at if begins_visit(student, now) else student.visited_at
    return moment(ended) if ended else None


def visit_fields(student: Visitor, now: datetime) -> dict[str, str]:
    """Fields of their document that a message of now changes; none when the last one was noted just now."""
    if student.wrote_at and now - moment(student.wrote_at) < NOTED_EVERY:
        return {}
    ended = {"visited_at": student.wrote_at} if begins_visit(student, now) else {}
    return {"wrote_at": stamp(now), **ended}
