"""State of Today: the student's days as they were last read, and a reading behind the page when that is a while ago."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import streamlit as st

from services.connections.connection import Connection
from services.errors import StorageError
from services.identity.students import Student
from services.identity.visits import last_visit
from services.week.snapshots import account_stamps
from services.week.today import Today
from ui import session
from ui.flash_message import keep_flash
from ui.streamlit_compat import BrowserTab, script_session_id, tab_id

READING = "today-reading"
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
    reading = st.session_state.get(READING)
    if reading is not None and reading.has_rerun:
        keep_flash()
        reading.has_rerun = False
    is_recent = (
        reading is not None and reading.is_of(connected) and timedelta() <= now - reading.began_at < ASK_AGAIN_AFTER
    )
    if not today.is_current and not is_recent:
        reading = st.session_state[READING] = ReadingBehind(student, connected, today, session_id=script_session_id())
        services.week_refresher.refresh_behind(student, reading.end)
    return today


class ReadingBehind:
    """Reading of the student's days behind this page, which runs again at its end when it would show something else.

    has_rerun: whether it was asked to, and has not run since.
    """

    def __init__(
        self, student: Student, connected: Mapping[str, Connection], drawn: Today, *, session_id: str | None
    ) -> None:
        self.began_at, self.has_rerun = session.services().clock(), False
        self._student, self._connected, self._drawn = student, connected, drawn
        self._tab = BrowserTab(id=tab_id(), session_id=session_id) if session_id else None

    def is_of(self, connected: Mapping[str, Connection]) -> bool:
        """Whether it is of these accounts, and none that was connected since."""
        return account_stamps(connected) == account_stamps(self._connected)

    def end(self) -> None:
        """Run the page again, from any thread."""
        with suppress(StorageError):
            if self._tab is not None and self._is_news():
                self.has_rerun = True
                self._tab.rerun_when_idle()

    def _is_news(self) -> bool:
        drawn = self._drawn
        read = session.services().week_refresher.today(
            self._student, self._connected, since=drawn.since, waiting=drawn.waiting
        )
        same = {name: getattr(drawn, name) for name in ("now", "since", "as_of", "is_current")}
        return drawn.tells_its_age or replace(read, **same) != drawn
