"""Which language a page speaks: the student's, and to a visitor that of their choice or their browser."""

import hashlib

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from services import i18n
from services.identity.students import Student

SPOKEN = "spoken_locale"


def set_page_locale(student: Student | None) -> None:
    """Say everything of this run in their language."""
    locale = student.locale if student else visitor_locale()
    st.session_state[SPOKEN] = locale
    i18n.set_locale(locale)


def visitor_locale() -> str:
    """What was chosen in this browser on the welcome page, else what it asks for."""
    chosen = st.context.cookies.get(i18n.LANGUAGE_COOKIE)
    return i18n.negotiate_locale(st.context.locale, language=chosen if chosen in i18n.LANGUAGES else None)


def mark_page_language(student: Student | None) -> None:
    """Note on the page what it is written in: `/where.js` tells screen readers and the browser's own translation.

    And for whom, in a form that tells nobody who it is: what is being written is kept for them alone.
    """
    of = f' data-of="{hashlib.sha256(student.id.encode()).hexdigest()[:16]}"' if student else ""
    st.html(f'<span class="spoken" lang="{i18n.get_language()}"{of}></span>')


def _of_this_page() -> str:
    """The locale of the page's last run: what answers a click, or a part that is drawn alone, runs before the frame.

    On a first page whose student cannot be looked up now, that of the browser.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return i18n.DEFAULT_LOCALE
    return st.session_state.get(SPOKEN) or visitor_locale()


i18n.set_locale_selector(_of_this_page)
