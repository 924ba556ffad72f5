"""A line for whoever's device goes by another clock than their Homeroom: a student abroad, or one never asked."""

import streamlit as st

from services.i18n import gettext
from services.identity import time_zones
from services.identity.students import Student
from ui import action, session


def draw(student: Student) -> None:
    """Until the student uses the device's time zone, or keeps theirs for as long as they are there."""
    here = st.context.timezone or ""
    if not _is_news(student, here):
        return
    theirs, place = time_zones.place(student.timezone), time_zones.place(here)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="timezone-note"):
        said = gettext("Times are those of {theirs}, but this device is set to {here}.", theirs=theirs, here=place)
        st.caption(f":small[:material/schedule: {said}]", width="content")
        use, keep = gettext("Use {here} instead", here=place), gettext("Keep {theirs}", theirs=theirs)
        st.button(use, key="timezone-use", type="tertiary", on_click=_use, args=(student, here))
        st.button(keep, key="timezone-keep", type="tertiary", on_click=_keep, args=(student, here))


def _is_news(student: Student, here: str) -> bool:
    if here in ("", student.timezone, student.timezone_elsewhere) or not time_zones.is_timezone(here):
        return False
    return time_zones.differ(here, student.timezone, session.services().clock())


@action.guarded
def _use(student: Student, here: str) -> None:
    session.services().students.set_timezone(student.id, here)


@action.guarded
def _keep(student: Student, here: str) -> None:
    session.services().students.set_timezone(student.id, student.timezone, elsewhere=here)
