"""State of the Materials page: what is known at once, and a look at the sources behind it, then it runs again."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import streamlit as st

from services.errors import HomeroomError, ItemNotFound
from services.identity.students import Student
from services.materials.results import CourseMaterials, CourseStatus
from services.runtime.thread_pools import DaemonPool
from ui import session
from ui.browser_tab import tab_id
from ui.flash_message import keep_flash
from ui.streamlit_compat import BrowserTab, script_session_id

LOOK = "materials-look"
LOOK_AGAIN_AFTER = timedelta(minutes=1)
FIRST_WAIT_S = 0.4
"""Seconds that a page waits which has nothing to show yet: mostly it need not run again then."""
_POOL = DaemonPool("materials-page", 4)


@dataclass(frozen=True, kw_only=True)
class MaterialsState:
    """What the page shows. listed: of the chosen course; None while nothing is known of it.

    is_looking: the sources are being asked. error: why that failed. as_of: of what is shown, where it is not from now.
    """

    courses: Sequence[CourseStatus]
    listed: CourseMaterials | None = None
    notes: Sequence[str] = ()
    is_looking: bool = False
    error: HomeroomError | None = None
    as_of: datetime | None = None


class SourceLook:
    """Look at the sources of a student's courses and of one course's materials.

    course_key: the one that is wanted, "" for the first; at its end the one that was looked at.
    """

    def __init__(self, student: Student, course_key: str, *, session_id: str | None) -> None:
        self.began_at, self.course_key = session.services().clock(), course_key
        self.has_rerun = False
        self.notes: list[str] = []
        self.is_live = True
        self.error: HomeroomError | None = None
        self._student, self._library = student, session.services().materials
        self._ended, self._is_awaited = threading.Event(), False
        self._tab = BrowserTab(id=tab_id(), session_id=session_id) if session_id else None

    def run(self) -> None:
        """Ask the sources; the library keeps what they tell. From any thread."""
        try:
            found = self._library.courses(self._student)
            self._note(found.notes, is_live=found.is_live)
            keys = [status.course.key for status in found.courses]
            self.course_key = self.course_key if self.course_key in keys else next(iter(keys), "")
            if self.course_key:
                listed = self._library.materials(self._student, self.course_key)
                self._note(listed.notes, is_live=listed.is_live)
        except HomeroomError as error:
            self.error = error
        finally:
            self._ended.set()
            if self._tab is not None and not self._is_awaited:
                self.has_rerun = True
                self._tab.rerun_when_idle()

    @property
    def is_done(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float) -> None:
        """Wait for its end: the page that reads the store afterwards need not run again."""
        self._is_awaited = True
        self._is_awaited = self._ended.wait(seconds)

    def _note(self, notes: Sequence[str], *, is_live: bool) -> None:
        self.notes += [note for note in notes if note not in self.notes]
        self.is_live = self.is_live and is_live


def load_materials(student: Student, course_key: str) -> MaterialsState:
    """Load the page from the store. course_key: the course that is wanted; the first one where there is no such."""
    state = load_courses(student, course_key)
    keys = [status.course.key for status in state.courses]
    listed = None
    if keys:
        with suppress(ItemNotFound):
            wanted = course_key if course_key in keys else keys[0]
            listed = session.services().materials.materials(student, wanted, live=False)
    is_known = not state.is_looking or (listed is not None and bool(listed.materials))
    return replace(
        state,
        listed=listed if is_known else None,
        as_of=listed.as_of if listed and state.as_of is not None else None,
    )


def load_courses(student: Student, course_key: str) -> MaterialsState:
    """The student's courses alone, as the store has them."""
    look = _look(student, course_key)
    library = session.services().materials
    known = library.courses(student, live=False)
    if not known.courses and not look.is_done:
        look.wait(FIRST_WAIT_S)
        known = library.courses(student, live=False)
    is_stale = look.is_done and (look.error is not None or not look.is_live)
    return MaterialsState(
        courses=known.courses,
        notes=look.notes,
        is_looking=not look.is_done,
        error=look.error,
        as_of=known.as_of if is_stale else None,
    )


def _look(student: Student, course_key: str) -> SourceLook:
    """The look of this tab at this course: the last one, or one that begins now."""
    look = st.session_state.get(LOOK)
    if look is not None and look.has_rerun:
        keep_flash()
        look.has_rerun = False
    age = session.services().clock() - look.began_at if look is not None else timedelta()
    if look is not None and course_key in ("", look.course_key) and timedelta() <= age < LOOK_AGAIN_AFTER:
        return look
    session_id = script_session_id()
    look = st.session_state[LOOK] = SourceLook(student, course_key, session_id=session_id)
    if session_id is None:
        look.run()
    else:
        _POOL.submit(look.run)
    return look


def look_again() -> None:
    """Ask the sources anew with the next run."""
    st.session_state.pop(LOOK, None)
