"""Locale of a page: the student's, or for a visitor that of their choice or browser."""

import streamlit as st

from services import i18n
from services.identity.page_owner import owner_mark
from services.identity.students import Student
from ui.streamlit_compat import is_script_running

LOCALE = "spoken_locale"


def set_page_locale(student: Student | None) -> None:
    """Set the locale of this run."""
    locale = student.locale if student else visitor_locale()
    st.session_state[LOCALE] = locale
    i18n.set_locale(locale)


def visitor_locale() -> str:
    """Locale that was chosen in this browser on the welcome page, else that of the browser."""
    chosen = st.context.cookies.get(i18n.LANGUAGE_COOKIE)
    return i18n.negotiate_locale(st.context.locale, language=chosen if chosen in i18n.LANGUAGES else None)


def mark_page_language(student: Student | None) -> None:
    """Mark the page with its language, which `/where.js` sets for screen readers and browser translation.

    Also with the mark of the student: drafts in the browser are kept for them alone, and what is sent from here counts
    for nobody else who has signed in meanwhile.
    """
    owner = f' data-of="{owner_mark(student.id)}"' if student else ""
    st.html(f'<span class="spoken" lang="{i18n.get_language()}"{owner}></span>')


def _locale_of_last_run() -> str:
    """Locale of the page's last run: callbacks and fragments run before the frame.

    On a first page whose student cannot be looked up, that of the browser.
    """
    if not is_script_running():
        return i18n.DEFAULT_LOCALE
    return st.session_state.get(LOCALE) or visitor_locale()


i18n.set_locale_selector(_locale_of_last_run)
