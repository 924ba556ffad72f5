"""Left side of the presenter's page: how the room joins, how many have, and beginning anew."""

import base64
from html import escape
from urllib.parse import urlsplit

import streamlit as st

from services.classes.join_codes import qr_picture, spaced_join_code
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError, SignInRequired
from services.i18n import gettext, ngettext
from services.identity.students import Student
from ui import session
from ui.error_boundary import show_error
from ui.session_guard import guarded_dialog

LOOK_EVERY_S = 3.0
IS_SET_BACK = "demo-begins-anew"


def draw_join(student: Student, school_class: SchoolClass) -> None:
    """Draw what the room needs to join, large enough for its last row."""
    demo = session.services().classroom.demo
    address = demo.join_address(student)
    with st.container(key="presenter-join", border=True, gap="small"):
        picture = base64.b64encode(qr_picture(address)).decode()
        words = gettext("QR code that leads into the class")
        st.html(f'<img class="qr" alt="{words}" src="data:image/png;base64,{picture}">')
        # It breaks before the path, not within a word that somebody types.
        origin, slash, path = address.rpartition("/join/")
        st.html(f'<p class="address">{escape(origin)}<wbr>{escape(slash + path)}</p>')
        st.markdown(gettext("Class code **{code}**", code=spaced_join_code(school_class.join_code)))
        _draw_joined(student)
    st.caption(_who_can_reach_it())


@st.fragment(run_every=LOOK_EVERY_S)
def _draw_joined(student: Student) -> None:
    """Draw how many have joined; runs the page anew once the session is over. Nothing in it can be clicked."""
    try:
        session.require_signed_in(student)
        count = session.services().classroom.demo.count_joined(student)
    except SignInRequired:
        st.rerun()
    except HomeroomError as error:
        show_error(error)
        return
    words = ngettext("**{count}** student has joined", "**{count}** students have joined", count, count=count)
    with st.container(key="presenter-joined"):
        st.markdown(words)


def _who_can_reach_it() -> str:
    public_url = session.services().settings.public_url
    if urlsplit(public_url).hostname == "localhost":
        return gettext("Only this machine can reach this demo. To let the room join, start it with --room.")
    return gettext(
        "Everybody in this network can reach it at {address} and use it as a made-up student. Nothing is encrypted: "
        "let nobody type what is theirs. It ends, and nothing of it is kept, when the program in the terminal is "
        "stopped.",
        address=f"`{public_url}`",
    )


def draw_reset(student: Student) -> None:
    """Draw the button that sets everything back."""
    if st.button(gettext("Begin anew"), icon=":material/restart_alt:", key="presenter-reset"):
        guarded_dialog(gettext("Begin anew?"), _draw_confirmation, icon=":material/restart_alt:")(student)


def _draw_confirmation(student: Student) -> None:
    st.write(
        gettext(
            "Everything goes back to how it was at the start: students, classes, chats, and what was written into the "
            "calendar. Everybody who has joined is signed out and can scan the code again. You stay signed in."
        )
    )
    if st.session_state.pop(IS_SET_BACK, False):
        st.info(
            gettext("It begins anew. This page comes back by itself in a few seconds."), icon=":material/hourglass:"
        )
        return
    if st.button(gettext("Begin anew"), type="primary", key="presenter-reset-confirmed"):
        session.services().classroom.demo.begin_anew(student)
        st.session_state[IS_SET_BACK] = True
        st.rerun(scope="fragment")
