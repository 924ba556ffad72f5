"""Which language a page speaks: the student's, and to a visitor that of their choice or their browser."""

import hashlib

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from services import language
from services.students import Student

SPOKEN = "spoken_locale"


def begin(student: Student | None) -> None:
    """Say everything of this run in their language."""
    locale = student.locale if student else of_visitor()
    st.session_state[SPOKEN] = locale
    language.speak(locale)


def of_visitor() -> str:
    """What was chosen in this browser on the welcome page, else what it asks for."""
    chosen = st.context.cookies.get(language.COOKIE)
    return language.nearest(st.context.locale, language=chosen if chosen in language.LANGUAGES else None)


def mark(student: Student | None) -> None:
    """Note on the page what it is written in: `/where.js` tells screen readers and the browser's own translation.

    And for whom, in a form that tells nobody who it is: what is being written is kept for them alone.
    """
    of = f' data-of="{hashlib.sha256(student.id.encode()).hexdigest()[:16]}"' if student else ""
    st.html(f'<span class="spoken" lang="{language.language()}"{of}></span>')


def _of_this_page() -> str:
    """The locale of the page's last run: what answers a click, or a part that is drawn alone, runs before the frame.

    On a first page whose student cannot be looked up now, that of the browser.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return language.DEFAULT
    return st.session_state.get(SPOKEN) or of_visitor()


language.otherwise(_of_this_page)
