"""Calendar component of the week: mounts `components/homeroom_calendar`, and says what the student did in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from services.identity.students import Student

KEY = "week-calendar"


@dataclass(frozen=True, kw_only=True)
class CalendarAction:
    """What the student did. chosen: key of the entry that they opened. start, end: the stretch that they took."""

    chosen: str = ""
    start: datetime | None = None
    end: datetime | None = None


@cache
def _component() -> Callable[..., Any]:
    """Renderer of the component, made by the first page: Streamlit looks for the package when its server starts."""
    return st.components.v2.component("homeroom-calendar.week", js="main.js", isolate_styles=False)


def draw_calendar(
    student: Student,
    data: Mapping[str, Any],
    *,
    on_narrow: Callable[[bool], None],
    on_moved: Callable[[str, Any], None],
) -> CalendarAction:
    """Draw the calendar; returns what was done in it since the last run.

    on_narrow: called with whether the page is too narrow for a week, when that is news. on_moved: called with
    an entry's key and its wanted times.
    """
    told = _component()(
        key=KEY,
        data=dict(data),
        on_chosen_change=_nothing,
        on_taken_change=_nothing,
        on_narrow_change=lambda: on_narrow(_told("narrow") == "yes"),
        on_moved_change=lambda: _tell_move(on_moved),
    )
    taken, zone = told.taken or {}, ZoneInfo(student.timezone)
    return CalendarAction(
        chosen=str(told.chosen or ""),
        start=_local(taken.get("start"), zone),
        end=_local(taken.get("end"), zone),
    )


def _nothing() -> None:
    """Streamlit hands on only what something listens to."""


def _told(event: str) -> Any:
    return dict(st.session_state[KEY]).get(event)


def _tell_move(on_moved: Callable[[str, Any], None]) -> None:
    told = _told("moved")
    if isinstance(told, Mapping):
        on_moved(str(told.get("key", "")), told)


def _local(written: object, zone: ZoneInfo) -> datetime | None:
    """A wall-clock time in the student's zone; one that a change of the clock leaves out is that of an hour later."""
    try:
        at = datetime.fromisoformat(str(written)).replace(tzinfo=zone)
    except ValueError:
        return None
    return datetime.fromtimestamp(at.timestamp(), zone)
