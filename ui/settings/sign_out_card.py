"""Settings: ends every session of the student's, once they have said so twice."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from ui import action, session


def draw(student: Student) -> None:
    with st.popover(gettext("Sign out everywhere"), icon=":material/logout:", key="sign-out-everywhere"):
        st.write(
            gettext(
                "Every session of yours ends with its next click: in this browser, in others and on all your devices. "
                "Nothing is deleted, and answers that are being written are finished."
            )
        )
        st.button(
            gettext("End all my sessions"),
            type="primary",
            on_click=_end,
            args=(student,),
            key="end-sessions",
            width="stretch",
        )


@action.guarded
def _end(student: Student) -> None:
    session.sign_out_everywhere(student)
