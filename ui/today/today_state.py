"""State of Today: the student's days as they were last read, and a reading behind the page when that is a while ago."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial

import streamlit as st

from services.connections.connection import Connection
from services.errors import StorageError
from services.identity.students import Student
from services.identity.visits import last_visit
from services.week.today import Today
from ui import session
from ui.browser_tab import tab_id
from ui.flash_message import keep_flash
from ui.streamlit_compat import BrowserTab, script_session_id

ASKED_AT, IS_READ_BEHIND = "today-asked-at", "today-is-read-behind"
ASK_AGAIN_AFTER = timedelta(seconds=30)
"""Where no reading succeeds, as often as this and not with every click."""
MOST_WAITING = 20


def load_today(student: Student, connected: Mapping[str, Connection]) -> Today:
    """Today from the stores alone; the page runs once more when what is old has been read anew."""
    services = session.services()
    now = services.clock()
    today = services.week_refresher.today(
        student,
        connected,
        since=last_visit(student.openings, now),
        waiting=services.approvals.waiting(student.id, MOST_WAITING),
    )
    with suppress(StorageError):
        services.students.note_opening(student)
    if today.is_current and st.session_state.pop(IS_READ_BEHIND, False):
        keep_flash()
    asked_at = st.session_state.get(ASKED_AT)
    if not today.is_current and (asked_at is None or not timedelta() <= now - asked_at < ASK_AGAIN_AFTER):
        st.session_state[ASKED_AT], st.session_state[IS_READ_BEHIND] = now, True
        services.week_refresher.refresh_behind(student, _page_rerun())
    return today


def _page_rerun() -> partial[None]:
    """What lets this page run again, from any thread."""
    session_id = script_session_id()
    tab = BrowserTab(id=tab_id(), session_id=session_id) if session_id else None
    return partial(_rerun, tab)


def _rerun(tab: BrowserTab | None) -> None:
    if tab is not None:
        tab.rerun_when_idle()
