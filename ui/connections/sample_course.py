"""Sample course for students without an account: buttons to begin and end it, always marked as made up.

A student's own Canvas ends it, too, when it is connected (`services/connections/connections.py`).
"""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection
from services.i18n import gettext
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.sample_course.course import ID
from ui import session
from ui.flash_message import flash
from ui.local_time import local_day
from ui.session_guard import guarded_callback

_FOR_THE_MODEL = (
    "The student has connected {service}, and the sample course is put away: what was said from it is made up. "
    "Answer about courses from {service}."
)


def is_offered() -> bool:
    return ID in session.services().integrations


def is_on(connected: Mapping[str, Connection]) -> bool:
    return ID in connected and connected[ID].health.offers_tools


def own_courses(connected: Mapping[str, Connection]) -> list[Integration]:
    """Student's own connected integrations that have courses."""
    live = [
        session.services().integrations[id] for id, connection in connected.items() if connection.health.offers_tools
    ]
    return [integration for integration in live if integration.needs_account and integration.category == "courses"]


def is_wanted(connected: Mapping[str, Connection]) -> bool:
    """Whether it may be begun: never beside the student's own courses."""
    return is_offered() and not own_courses(connected)


def connected_message(student: Student, made: Integration, before: Mapping[str, Connection]) -> str:
    """Message after a new connection, which may have ended the sample; the model of the latest chat is told, too.

    before: the connections as they were.
    """
    services = session.services()
    if ID not in before or ID in services.connections.all(student.id):
        return gettext("{service} is connected. Ask about it in the chat.", service=gettext(made.label))
    for chat in services.conversations.list(student.id, 1):
        services.conversations.add_news(student.id, chat.id, _FOR_THE_MODEL.format(service=made.label))
    return gettext(
        "{service} is connected. The sample course is put away, so that answers come from your own courses.",
        service=gettext(made.label),
    )


def draw_begin_button(student: Student, *, key: str, with_flash: bool = True) -> None:
    """with_flash: flash what it did; False where the page shows it anyway."""
    args = (student, with_flash)
    st.button(gettext("Try a sample course"), icon=":material/science:", key=key, on_click=_begin, args=args)


def draw_end_button(student: Student, *, key: str) -> None:
    st.button(
        gettext("Put it away"), icon=":material/archive:", key=key, type="tertiary", on_click=_put_away, args=(student,)
    )


def draw_sample_note(student: Student, connected: Mapping[str, Connection], *, key: str) -> None:
    """Note that the sample course is on, and whether it is still needed."""
    if not is_on(connected):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
        st.caption(f":material/science: {_state_sentence(connected)}", width="content")
        draw_end_button(student, key=f"{key}-end")


def draw_sample_card(student: Student, connected: Mapping[str, Connection]) -> None:
    """Card on Connections, which goes once the student's own accounts give courses."""
    if ID not in connected and not is_wanted(connected):
        return
    integration, title = session.services().integrations[ID], gettext("Sample course")
    with st.container(border=True, key=f"card-{ID}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.markdown(f"## {integration.icon} {title}", width="content")
            if ID in connected:
                st.badge(gettext("On"), color="violet", icon=integration.icon)
        st.write(gettext(integration.summary))
        st.caption(gettext(integration.consent))
        if ID not in connected:
            draw_begin_button(student, key="sample-begin")
            return
        since = local_day(connected[ID].connected_at, student)
        st.markdown(
            gettext("On since {since}.", since=since)
            + (f" {_state_sentence(connected)}" if own_courses(connected) else "")
        )
        draw_end_button(student, key="sample-end")


def _state_sentence(connected: Mapping[str, Connection]) -> str:
    if own := own_courses(connected):
        return gettext(
            "{service} is connected, so the sample course can go whenever you like.", service=gettext(own[0].label)
        )
    return gettext("You are trying the sample course: everything in it is made up.")


@guarded_callback
def _begin(student: Student, with_flash: bool) -> None:
    session.services().connections.connect_without_account(student.id, ID)
    if with_flash:
        flash(gettext("The sample course is on. Ask what is due this week."))


@guarded_callback
def _put_away(student: Student) -> None:
    session.services().connections.disconnect(student.id, ID)
    flash(gettext("The sample course is put away. You find it again under Connections."))
