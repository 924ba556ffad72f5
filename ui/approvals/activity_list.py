"""Activity list: filters, days, lines, and an Undo button beside each change that can be undone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.i18n import gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal
from services.tools.activity import ActivityEntry
from ui import session
from ui.approvals.approval_card import undo_approval
from ui.empty_state import draw_empty_state
from ui.local_time import as_heading, clock_time, local_day

PAGE_SIZE = 100
ALL = gettext_noop("All services")
SHOWN_COUNT, SEEN_SERVICES = "activity-shown", "activity-services"
LONGEST_OUTCOME = 160


@dataclass(frozen=True, kw_only=True)
class ActivityFilter:
    """Chosen filters of the list. service: None for all of them."""

    service: str | None
    only_changes: bool


def draw_activity_filter(student: Student) -> ActivityFilter:
    with st.container(horizontal=True, vertical_alignment="bottom", key="activity-bar"):
        chosen = st.selectbox(
            gettext("Service"),
            [ALL, *_services(student)],
            format_func=gettext,
            key="activity-service",
            on_change=_reset_length,
        )
        only_changes = st.toggle(gettext("Only changes"), key="activity-changes", on_change=_reset_length)
    return ActivityFilter(service=None if chosen == ALL else chosen, only_changes=only_changes)


def draw_activity(student: Student, given: ActivityFilter) -> None:
    services, shown = session.services(), st.session_state.get(SHOWN_COUNT, PAGE_SIZE)
    filters = {"service": given.service, "only_changes": given.only_changes}
    found = services.activity.latest_entries(student.id, shown + 1, **filters)
    _note_services(found)
    entries = found[:shown]
    if not entries:
        _draw_nothing(is_filtered=given != ActivityFilter(service=None, only_changes=False))
        return
    approvals = services.approvals.by_ids(student.id, {e.approval_id for e in entries if e.is_change and e.approval_id})
    offered: set[str] = set()
    today, heading = local_day(services.clock(), student), as_heading(gettext("today"))
    for day, group in groupby(entries, key=lambda entry: local_day(entry.at, student)):
        st.markdown(f"## {heading if day == today else as_heading(day)}")
        _draw_day(student, list(group), approvals, offered)
    if len(found) > shown:
        st.button(
            gettext("Load more"),
            key="activity-more",
            icon=":material/expand_more:",
            on_click=_show_more,
            width="stretch",
        )
    else:
        st.caption(gettext("That is everything."))


def _draw_day(
    student: Student, entries: Sequence[ActivityEntry], approvals: Mapping[str, Approval], offered: set[str]
) -> None:
    """Draw one day. Lines without a button are one element together, so that a page of a hundred is cheap to draw."""
    lines: list[str] = []
    for repeated in _group_repeated(entries):
        approval = approvals.get(repeated[0].approval_id or "")
        if approval is None or not approval.can_undo or repeated[0].is_undo or approval.id in offered:
            lines.append(_line(student, repeated, approval))
            continue
        offered.add(approval.id)
        _flush(lines)
        with st.container(key=f"activity-{approval.id}", gap=None):
            st.markdown(_line(student, repeated, approval))
            if st.button(gettext("Undo"), key=f"undo-{approval.id}", icon=":material/undo:", type="tertiary"):
                undo_approval(student, approval)
    _flush(lines)


def _flush(lines: list[str]) -> None:
    if lines:
        st.markdown("\n\n".join(lines))
        lines.clear()


def _group_repeated(entries: Sequence[ActivityEntry]) -> Iterator[Sequence[ActivityEntry]]:
    """Group a read that was repeated several times in a row into one line."""

    def same(numbered: tuple[int, ActivityEntry]) -> tuple[object, ...]:
        number, entry = numbered
        return (entry.services, entry.kind, entry.tool, entry.sentence, number if entry.is_change else -1)

    for _, group in groupby(enumerate(entries), key=same):
        yield [entry for _, entry in group]


def _line(student: Student, repeated: Sequence[ActivityEntry], approval: Approval | None) -> str:
    last, first = repeated[0], repeated[-1]
    times = [clock_time(first.at, student), clock_time(last.at, student)]
    when = times[1] if times[0] == times[1] else gettext("{start} to {end}", start=times[0], end=times[1])
    icon = ":material/edit:" if last.is_change else ":material/visibility:"
    parts = [f"{icon} {when}", f"**{literal(_joined(last.services))}**", literal(last.title)]
    if len(repeated) > 1:
        parts.append(ngettext("{n} time", "{n} times", len(repeated)))
    if last.sentence != "done":
        parts.append(f"*{literal(gettext(last.sentence))}*")
    if approval is not None and approval.status is ApprovalStatus.UNDONE and not last.is_undo:
        parts.append(gettext("*undone since*"))
    line = " · ".join(parts)
    if approval is not None and approval.outcome and not last.is_undo:
        line += f"  \n{literal(_shortened(approval.outcome))}"
    return line


def _joined(services: Sequence[str]) -> str:
    return reduce(lambda first, second: gettext("{one} and {other}", one=first, other=second), map(gettext, services))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_OUTCOME else f"{line[:LONGEST_OUTCOME].rstrip()}…"


def _draw_nothing(*, is_filtered: bool) -> None:
    if is_filtered:
        st.info(
            gettext("Nothing fits that. Choose another service, or show what was only read too."),
            icon=":material/search_off:",
        )
        return
    draw_empty_state(
        gettext("As soon as Homeroom looks something up for you, or changes something after your yes, it stands here."),
        key="activity-empty",
    )


def _services(student: Student) -> list[str]:
    """Services to filter by: connected now, or on the page before. Querying all of history would be slow."""
    services = session.services()
    connected = {services.integrations[id].label for id in services.connections.all(student.id)}
    return sorted(connected | st.session_state.get(SEEN_SERVICES, set()), key=str.casefold)


def _note_services(entries: Sequence[ActivityEntry]) -> None:
    seen: set[str] = st.session_state.setdefault(SEEN_SERVICES, set())
    found = {name for entry in entries for name in entry.services}
    if not found <= seen:
        st.session_state[SEEN_SERVICES] = seen | found
        # The filter above the list was drawn without these services.
        st.rerun()


def _show_more() -> None:
    st.session_state[SHOWN_COUNT] = st.session_state.get(SHOWN_COUNT, PAGE_SIZE) + PAGE_SIZE


def _reset_length() -> None:
    st.session_state.pop(SHOWN_COUNT, None)
