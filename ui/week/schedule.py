"""Overdue work and the agenda of the week: the line and the buttons of each entry."""

import re
from datetime import date

import streamlit as st

from services.i18n import formats, gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from services.safety.text import literal
from services.week.free_time import Gap
from services.week.week import EntryKind, Week, WeekEntry
from ui.chat.draft import save_draft_text
from ui.local_time import as_heading, clock_time, local_day
from ui.week.calendar_data import entry_key, entry_time
from ui.week.week_labels import planning_question, short_course, work_hours, work_state

ICONS = {
    EntryKind.DUE: ":material/assignment:",
    EntryKind.EVENT: ":material/event:",
    EntryKind.TASK: ":material/check_box_outline_blank:",
}
DONE = ":material/check_circle:"
WAITING = ":material/front_hand:"
MOST_OVERDUE = 3
ALL_OVERDUE = "week-all-overdue"
WEB_ADDRESS = re.compile(r"https?://[^\s<>\\\x00-\x20\x7f\u200b-\u200f\u202a-\u202e\u2060-\u206f]+")


def draw_overdue(student: Student, week: Week) -> WeekEntry | None:
    """Draw overdue work, latest first; returns the entry that the student wants time for."""
    overdue, chosen = week.as_counted().overdue, None
    for entry in _overdue_shown(week):
        chosen = draw_entry(student, week, entry, with_day=True, scope="overdue") or chosen
    if len(overdue) > MOST_OVERDUE:
        label = gettext("Show fewer") if _shows_all() else gettext("Show all {n}", n=len(overdue))
        st.button(label, key="week-overdue-more", type="tertiary", on_click=_toggle_all)
    return chosen


def _overdue_shown(week: Week) -> tuple[WeekEntry, ...]:
    """Overdue entries in the list, as far as it is expanded."""
    overdue = week.as_counted().overdue
    return overdue if _shows_all() else overdue[:MOST_OVERDUE]


def _shows_all() -> bool:
    return bool(st.session_state.get(ALL_OVERDUE))


def _toggle_all() -> None:
    st.session_state[ALL_OVERDUE] = not _shows_all()


def draw_entry(
    student: Student, week: Week, entry: WeekEntry, *, with_day: bool = False, scope: str = "listed"
) -> WeekEntry | None:
    """Draw the line with its buttons; returns the entry when the student wants time for it.

    scope: the part of the page, as an entry may stand in several.
    """
    line = entry_line(student, entry, with_day=with_day, service=_service(week, entry))
    if not entry.can_be_worked_on and not (entry.is_sample and entry.kind is not EntryKind.EVENT and not entry.is_done):
        st.markdown(line)
        return None
    key = f"{scope}-{entry_key(entry)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"week-{key}"):
        st.markdown(line, width="stretch")
        with st.container(horizontal=True, gap="xsmall", width="content"):
            if st.button(gettext("Plan this"), key=f"plan-{key}", type="tertiary"):
                save_draft_text(planning_question(entry, student, week.as_of))
                st.switch_page(CHAT_PAGE.script, query_params={"new": "1"})
            is_wanted = (
                week.can_write
                and entry.can_be_worked_on
                and bool(week.room_for(entry))
                and st.button(gettext("Find time"), key=f"time-{key}", type="tertiary")
            )
    return entry if is_wanted else None


def _service(week: Week, entry: WeekEntry) -> str:
    """Service to hand it in at, if the week has several."""
    return (
        gettext(entry.service) if entry.kind is EntryKind.DUE and not entry.is_sample and len(week.services) > 1 else ""
    )


def entry_line(student: Student, entry: WeekEntry, *, with_day: bool = False, service: str = "") -> str:
    """Markdown of an entry: icon, time and title, and details below in grey."""
    icon = DONE if entry.is_done and entry.kind is not EntryKind.EVENT else ICONS[entry.kind]
    icon = WAITING if entry.is_proposed else icon
    title = _linked_title(entry)
    strong = title if entry.kind is EntryKind.EVENT else f"**{title}**"
    if entry.is_sample:
        sample = gettext("Sample")
        strong += f" :violet-badge[{sample}]"
    day = local_day(entry.start, student) if with_day else ""
    facts = [
        day,
        gettext("all day") if entry.is_whole_day else entry_time(student, entry),
        *_details(entry),
        literal(service),
    ]
    below = " · ".join(fact for fact in facts if fact)
    return f"{icon} {strong}  \n:small[:gray[{below}]]" if below else f"{icon} {strong}"


def _details(entry: WeekEntry) -> list[str]:
    is_open = entry.kind is EntryKind.DUE and not entry.is_done and not entry.is_taught
    return [
        short_course(entry.course),
        literal(entry.where),
        _points(entry.points) if entry.points else "",
        work_hours(entry.minutes) if is_open else "",
        literal(_progress(entry)),
        gettext("waits for you") if entry.is_proposed else gettext("planned") if entry.is_planned else "",
    ]


def _points(points: float) -> str:
    return gettext("1 point") if points == 1 else gettext("{n} points", n=formats.number(points))


def _progress(entry: WeekEntry) -> str:
    """Status of an entry where it matters; for teachers, how many submissions wait for a grade."""
    if entry.to_grade is not None:
        return (
            gettext("{n} to grade", n=formats.number(entry.to_grade)) if entry.to_grade else gettext("nothing to grade")
        )
    return work_state(entry.status) if entry.status not in ("", "open", "not handed in yet") else ""


def _linked_title(entry: WeekEntry) -> str:
    """Title, as a link where the service gave a plain web address."""
    title = literal(" ".join(entry.title.split()) or gettext("No title"))
    return f"[{title}](<{entry.url}>)" if WEB_ADDRESS.fullmatch(entry.url) else title


def draw_agenda(student: Student, week: Week) -> WeekEntry | None:
    """Draw only days with entries, from today on when it is this week."""
    today = week.as_of.date()
    days = [day for day in week.days if day >= today] if week.first <= today <= week.last else week.days
    chosen = None
    for day in days:
        with st.container(key=f"week-agenda-{day}", gap="small"):
            chosen = _draw_day(student, week, day) or chosen
    return chosen


def _draw_day(student: Student, week: Week, day: date) -> WeekEntry | None:
    is_today = _is_today(week, day)
    heading = as_heading(formats.pattern(day, "EEE d"))
    st.markdown(gettext("## {day} :green-badge[today]", day=heading) if is_today else f"## {heading}")
    chosen = None
    entries = week.entries_on(day)
    for entry in entries:
        chosen = draw_entry(student, week, entry) or chosen
    if not entries:
        st.caption(gettext("Nothing here.") if week.is_whole else gettext("Nothing found."))
    if free := week.free_on(day):
        st.caption(gettext("Free {times}", times=", ".join(_gap_times(student, gap) for gap in free)))
    return chosen


def _is_today(week: Week, day: date) -> bool:
    return day == week.as_of.date()


def _gap_times(student: Student, gap: Gap) -> str:
    return f"{clock_time(gap.start, student)} – {clock_time(gap.end, student)}"
