"""Notes of the Materials page: what could not be listed, how old it is, what to do first, what the library takes."""

import streamlit as st

from services.connections import messages
from services.connections.connection import Health
from services.files.upload import format_size
from services.i18n import gettext
from services.identity.students import Student
from services.materials.results import LibraryUsage
from services.navigation import CONNECTIONS_PAGE
from services.safety.text import literal
from ui import session
from ui.error_boundary import show_error
from ui.local_time import day_and_time
from ui.materials.materials_state import MaterialsState, look_again

LOADING_HEIGHT = 320
"""Pixels: about those of a short course."""


def draw_notes(student: Student, state: MaterialsState) -> None:
    """Tell what the sources could not list, and from when what is shown is."""
    for label, health in _broken_sources(student):
        link = messages.open_connections_link(label, health)
        st.page_link(CONNECTIONS_PAGE.script, label=link, icon=":material/link_off:")
    if state.error is not None:
        show_error(state.error)
    # What one note says another may say with its date.
    notes = [note for note in state.notes if not any(note in other and note != other for other in state.notes)]
    for note in notes:
        st.caption(f":material/info: {literal(note)}")
    moment = day_and_time(state.as_of, student) if state.as_of is not None else ""
    if moment and not any(moment in note for note in notes):
        st.caption(":material/cloud_off: " + gettext("What you see is from {moment}.", moment=moment))
    if state.error is not None or state.as_of is not None:
        st.button(gettext("Look again"), icon=":material/refresh:", key="look-again", on_click=look_again)


def draw_looking() -> None:
    """Room for what comes when a source has answered for the first time."""
    st.caption(gettext(":material/sync: Looking at your courses …"))
    st.skeleton(height=LOADING_HEIGHT)


def _broken_sources(student: Student) -> list[tuple[str, Health]]:
    """Label and health of each account that has courses and must be connected again first."""
    services = session.services()
    connected = services.connections.all(student.id)
    makers = [integration for integration in services.integrations.values() if integration.materials]
    return [
        (maker.label, connected[maker.id].health)
        for maker in makers
        if maker.id in connected and not connected[maker.id].health.offers_tools
    ]


def draw_first_step(student: Student) -> None:
    """The page of a student without courses; where an account must be connected again, the notes have said it."""
    if _broken_sources(student):
        return
    with st.container(border=True, key="materials-empty", gap="small"):
        st.markdown(gettext("**No courses yet**"))
        st.write(
            gettext(
                "Connect Canvas, and the slides, readings and pages of your courses are here. Without it, add a course "
                "of your own and its files."
            )
        )
        st.page_link(CONNECTIONS_PAGE.script, label=gettext("Connect an account"), icon=":material/cable:")


def draw_usage(usage: LibraryUsage) -> None:
    """What the student's library takes of what it may."""
    if usage.warning:
        st.warning(literal(usage.warning), icon=":material/data_usage:")
    words = gettext(
        "Your library: {text} of {text_limit} of text, {files} of {files_limit} of your own files.",
        text=format_size(usage.text_bytes),
        text_limit=format_size(usage.text_limit),
        files=format_size(usage.upload_bytes),
        files_limit=format_size(usage.upload_limit),
    )
    st.caption(words)
