"""Reading of a course: what it takes, told before; then how far it is, with pause, going on and removing."""

import streamlit as st

from services.errors import HomeroomError
from services.files.upload import format_size
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.materials.limits import estimate_read_ahead
from services.materials.results import CourseMaterials, CourseState, CourseStatus, LibraryUsage, ReadAheadEstimate
from services.safety.text import literal, one_line
from ui import session
from ui.error_boundary import error_boundary, show_error
from ui.flash_message import flash
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback, guarded_dialog

LOOK_EVERY_S = 2.0
UNDER_WAY = (CourseState.QUEUED, CourseState.READING)


def draw_read_ahead(student: Student, listed: CourseMaterials, usage: LibraryUsage) -> None:
    """Draw the card of a course's reading. usage: of the student's library.

    While it goes on, it looks by itself; at its end the page runs once more.
    """
    status = listed.status
    with st.container(border=True, key="read-ahead", gap="small"):
        if status.state in UNDER_WAY:
            _draw_progress(student, status.course.key)
            args = (student, status.course.key)
            st.button(gettext("Pause"), icon=":material/pause:", key="read-pause", on_click=_pause, args=args)
        else:
            _draw_at_rest(student, status, estimate_read_ahead(listed.materials, usage))


def draw_reading(student: Student, course_key: str) -> None:
    """Draw how far the reading of a course is, if it is under way; at its end the page runs once more."""
    status = _status(student, course_key)
    if status is not None and status.state in UNDER_WAY:
        _draw_progress(student, course_key)


def _status(student: Student, course_key: str) -> CourseStatus | None:
    listed = session.services().materials.courses(student, live=False).courses
    return next((status for status in listed if status.course.key == course_key), None)


@st.fragment(run_every=LOOK_EVERY_S)
def _draw_progress(student: Student, course_key: str) -> None:
    """Draw how far the reading is, and nothing to click: such clicks would not reach the frame."""
    with error_boundary():
        session.require_signed_in(student)
        status = _status(student, course_key)
        if status is None or status.state not in UNDER_WAY:
            st.rerun()
        done = status.read + status.failed
        words = gettext(
            "Reading: {done} of {all} materials", done=formats.number(done), all=formats.number(status.materials)
        )
        if status.state is CourseState.QUEUED and not done:
            words = gettext("Waiting to be read …")
        st.progress(min(done / status.materials, 1.0) if status.materials else 0.0, text=words)
        _draw_trouble(status)


def _draw_at_rest(student: Student, status: CourseStatus, estimate: ReadAheadEstimate) -> None:
    key = status.course.key
    args = (student, key)
    st.markdown(_state_words(student, status))
    _draw_trouble(status)
    with st.container(horizontal=True, gap="small", key="read-actions"):
        if status.state is CourseState.PAUSED:
            st.button(gettext("Go on"), icon=":material/play_arrow:", key="read-resume", on_click=_resume, args=args)
        elif status.state is CourseState.OFF:
            _draw_offer(student, status, estimate)
        if status.read or status.state is not CourseState.OFF:
            label, icon = gettext("Remove what was read"), ":material/delete:"
            if st.button(label, icon=icon, key="read-remove", type="tertiary"):
                guarded_dialog(label, _draw_removal, icon=icon)(student, status)


def _draw_offer(student: Student, status: CourseStatus, estimate: ReadAheadEstimate) -> None:
    """What reading ahead takes, and the button that begins it."""
    with st.container(key="read-offer", gap="xsmall"):
        if estimate.unread:
            st.caption(_offer_words(estimate))
        if estimate.warning:
            st.warning(literal(estimate.warning), icon=":material/data_usage:")
        st.button(
            gettext("Read all of it now") if estimate.unread else gettext("Keep up to date"),
            icon=":material/menu_book:",
            key="read-ahead-begin",
            disabled=not estimate.fits,
            on_click=_begin,
            args=(student, status.course.key),
        )


def _offer_words(estimate: ReadAheadEstimate) -> str:
    files = ngettext("{n} material", "{n} materials", estimate.unread)
    if not estimate.unread_bytes:
        return gettext("Still to be read: {files}.", files=files)
    return gettext("Still to be read: {files}, about {size}.", files=files, size=format_size(estimate.unread_bytes))


def _state_words(student: Student, status: CourseStatus) -> str:
    read, every = formats.number(status.read), formats.number(status.materials)
    when = f" {gettext('As of {moment}.', moment=day_and_time(status.read_at, student))}" if status.read_at else ""
    if status.state is CourseState.PAUSED:
        return gettext("**Paused:** {read} of {all} materials have been read.", read=read, all=every)
    if status.state is CourseState.READY or status.read + status.failed >= status.materials > 0:
        words = gettext(
            "**Read:** {read} of {all} materials. Answers name the file and the page.", read=read, all=every
        )
        if status.failed:
            words += " " + ngettext("{n} cannot be read.", "{n} cannot be read.", status.failed)
        return words + when
    if status.read:
        return gettext(
            "Homeroom reads a material when you first ask about it: {read} of {all} until now. "
            "Once all are read, a search looks through all of them.",
            read=read,
            all=every,
        )
    return gettext(
        "Homeroom reads a material when you first ask about it. Once all are read, a search looks through all of them."
    )


def _draw_trouble(status: CourseStatus) -> None:
    if status.trouble:
        st.caption(f":material/cloud_off: {literal(status.trouble)}")


@guarded_callback
def _begin(student: Student, course_key: str) -> None:
    session.services().materials.read_ahead(student, course_key)


@guarded_callback
def _pause(student: Student, course_key: str) -> None:
    session.services().materials.pause(student, course_key)


@guarded_callback
def _resume(student: Student, course_key: str) -> None:
    session.services().materials.resume(student, course_key)


def _draw_removal(student: Student, status: CourseStatus) -> None:
    name = literal(one_line(status.course.name))
    st.markdown(
        gettext(
            "Homeroom deletes the text of {materials} that it has read of **{course}**, and reads no more of it by "
            "itself. Your own files and the course itself stay as they are.",
            materials=ngettext("{n} material", "{n} materials", status.read),
            course=name,
        )
    )
    if st.button(gettext("Remove"), type="primary", key="read-remove-yes", width="stretch"):
        try:
            session.services().materials.remove(student, status.course.key)
        except HomeroomError as error:
            show_error(error)
            return
        flash(gettext("What was read of this course is removed."))
        st.rerun()
