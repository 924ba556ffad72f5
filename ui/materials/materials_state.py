"""State of the Materials page: what is known at once, and a look at the sources behind it, then it runs again."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import streamlit as st

from services.errors import HomeroomError, ItemNotFound
from services.identity.students import Student
from services.materials.material import Material, MaterialCourse
from services.materials.results import CourseMaterials, CourseStatus
from services.runtime.thread_pools import DaemonPool
from ui import session
from ui.flash_message import keep_flash
from ui.streamlit_compat import BrowserTab, script_session_id, tab_id

LOOK = "materials-look"
LOOK_AGAIN_AFTER = timedelta(minutes=1)
FIRST_WAIT_S = 0.4
"""Seconds that a page waits which has nothing to show yet: mostly it need not run again then."""
_POOL = DaemonPool("materials-page", 4)


@dataclass(frozen=True, kw_only=True)
class MaterialsState:
    """What the page shows. listed: of the chosen course; None while nothing is known of it.

    is_looking: the sources are being asked; is_waiting: and nothing is known of the course before. error: why that
    failed. as_of: of what is shown, where it is not from now.
    """

    courses: Sequence[CourseStatus]
    listed: CourseMaterials | None = None
    notes: Sequence[str] = ()
    is_looking: bool = False
    is_waiting: bool = False
    error: HomeroomError | None = None
    as_of: datetime | None = None


class SourceLook:
    """Look at the sources of a student's courses and of one course's materials.

    course_key: the one that is wanted, "" for the first; at its end the one that was looked at. The page then runs
    again where it shows something else by then: a run for nothing would close a dialog that was opened meanwhile.
    """

    def __init__(self, student: Student, course_key: str, *, session_id: str | None) -> None:
        self.began_at, self.course_key = session.services().clock(), course_key
        self.has_rerun = False
        self.notes: list[str] = []
        self.is_live = True
        self.error: HomeroomError | None = None
        self._student, self._library = student, session.services().materials
        self._courses: list[MaterialCourse] = []
        self._materials: list[Material] = []
        self._drawn: MaterialsState | None = None
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._tab = BrowserTab(id=tab_id(), session_id=session_id) if session_id else None

    def run(self) -> None:
        """Ask the sources; the library keeps what they tell. From any thread."""
        try:
            found = self._library.courses(self._student)
            self._note(found.notes, is_live=found.is_live)
            self._courses = [status.course for status in found.courses]
            keys = [course.key for course in self._courses]
            self.course_key = self.course_key if self.course_key in keys else next(iter(keys), "")
            if self.course_key:
                listed = self._library.materials(self._student, self.course_key)
                self._note(listed.notes, is_live=listed.is_live)
                self._materials = [item.material for item in listed.materials]
        except HomeroomError as error:
            self.error = error
        finally:
            with self._lock:
                self._ended.set()
                drawn = self._drawn
            self._rerun_for_news(drawn)

    @property
    def is_done(self) -> bool:
        return self._ended.is_set()

    def wait(self, seconds: float) -> None:
        """Wait for its end: the page that reads the store afterwards need not run again."""
        self._ended.wait(seconds)

    def note_drawn(self, state: MaterialsState) -> None:
        """Note what a run draws that began before the end of this look."""
        if not state.is_looking:
            return
        with self._lock:
            self._drawn = state
            has_ended = self._ended.is_set()
        if has_ended:
            self._rerun_for_news(state)

    def _rerun_for_news(self, drawn: MaterialsState | None) -> None:
        if self._tab is not None and drawn is not None and self._is_news(drawn):
            self.has_rerun = True
            self._tab.rerun_when_idle()

    def _is_news(self, drawn: MaterialsState) -> bool:
        if self.notes or self.error or not self.is_live or not drawn.courses or drawn.is_waiting:
            return True
        has_new_courses = self._courses != [status.course for status in drawn.courses]
        listed = drawn.listed
        return has_new_courses or (
            listed is not None and self._materials != [item.material for item in listed.materials]
        )

    def _note(self, notes: Sequence[str], *, is_live: bool) -> None:
        self.notes += [note for note in notes if note not in self.notes]
        self.is_live = self.is_live and is_live


def load_materials(student: Student, course_key: str) -> MaterialsState:
    """Load the page from the store. course_key: the course that is wanted; the first one where there is no such."""
    look = _look(student, course_key)
    state = _courses_state(student, look)
    keys = [status.course.key for status in state.courses]
    listed = None
    if keys:
        with suppress(ItemNotFound):
            wanted = course_key if course_key in keys else keys[0]
            listed = session.services().materials.materials(student, wanted, live=False)
    # A course of the student's own asks no source.
    is_known = not state.is_looking or (listed is not None and (listed.is_live or bool(listed.materials)))
    loaded = replace(
        state,
        listed=listed if is_known else None,
        is_waiting=not is_known,
        as_of=listed.as_of if listed and state.as_of is not None else None,
    )
    look.note_drawn(loaded)
    return loaded


def load_courses(student: Student, course_key: str) -> MaterialsState:
    """The student's courses alone, as the store has them."""
    look = _look(student, course_key)
    state = _courses_state(student, look)
    look.note_drawn(state)
    return state


def _courses_state(student: Student, look: SourceLook) -> MaterialsState:
    # What ends while the store is read is told by the run that follows.
    library, is_done = session.services().materials, look.is_done
    known = library.courses(student, live=False)
    if not known.courses and not is_done:
        look.wait(FIRST_WAIT_S)
        is_done = look.is_done
        known = library.courses(student, live=False)
    is_stale = is_done and (look.error is not None or not look.is_live)
    return MaterialsState(
        courses=known.courses,
        notes=look.notes if is_done else (),
        is_looking=not is_done,
        error=look.error if is_done else None,
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
        _POOL.submit_for(student.id, look.run)
    return look


def look_again() -> None:
    """Ask the sources anew with the next run."""
    st.session_state.pop(LOOK, None)
