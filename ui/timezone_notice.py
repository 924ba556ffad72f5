"""Notice that the student's device has another time zone than they read in, with the choice to use it or not."""

import streamlit as st

from services.i18n import gettext
from services.identity import time_zones
from services.identity.students import Student
from ui import session
from ui.session_guard import guarded_callback


def draw_timezone_notice(student: Student) -> None:
    """Offer the device's time zone, until the student uses it or keeps theirs for as long as they are there."""
    here = st.context.timezone or ""
    # A demo's made-up students live where its campus is, whoever holds the phone.
    if not _differs_from(student, here) or session.services().settings.demo_class:
        return
    theirs, place = time_zones.time_zone_place(student.timezone), time_zones.time_zone_place(here)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="timezone-note"):
        sentence = gettext("Times are those of {theirs}, but this device is set to {here}.", theirs=theirs, here=place)
        st.caption(f":small[:material/schedule: {sentence}]", width="content")
        use, keep = gettext("Use {here} instead", here=place), gettext("Keep {theirs}", theirs=theirs)
        st.button(use, key="timezone-use", type="tertiary", on_click=_use_device_timezone, args=(student, here))
        st.button(keep, key="timezone-keep", type="tertiary", on_click=_keep_timezone, args=(student, here))


def _differs_from(student: Student, here: str) -> bool:
    if here in ("", student.timezone, student.timezone_elsewhere) or not time_zones.is_timezone(here):
        return False
    return time_zones.time_zones_differ(here, student.timezone, session.services().clock())


@guarded_callback
def _use_device_timezone(student: Student, here: str) -> None:
    session.services().students.set_timezone(student.id, here)


@guarded_callback
def _keep_timezone(student: Student, here: str) -> None:
    session.services().students.set_timezone(student.id, student.timezone, elsewhere=here)
