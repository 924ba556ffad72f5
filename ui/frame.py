"""Frame of every page, which Streamlit runs first: sign-in, navigation and sidebar."""

from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from services.errors import HomeroomError
from services.i18n import get_language, gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE, NOT_FOUND_PAGE, PAGES, AppPage
from ui import session
from ui.chat.chat_change_watch import stop_watching
from ui.classroom.list_notices import join_by_list
from ui.error_boundary import error_boundary
from ui.page_locale import mark_page_language, set_page_locale
from ui.sidebar import draw_sidebar
from ui.streamlit_compat import open_instead_of_unknown
from ui.welcome import draw_welcome

HERE = Path(__file__).parent
NAME = "Homeroom"

st.set_page_config(page_icon=str(HERE / "icon.svg"), layout="centered")
st.html(HERE / "style.css")
st.logo(HERE / "logo.svg", size="large")


def _navigation_pages(student: Student | None) -> list[StreamlitPage]:
    """Copies of the pages, because a run marks the page that it draws; new ones would look for their files again."""
    services = session.services()
    is_instructor = student is not None and services.keys.is_instructor(student)
    is_presenter = services.classroom.demo.may_be_presented_by(student)
    return [copy(page) for page in _made_pages(get_language(), is_instructor=is_instructor, is_presenter=is_presenter)]


@cache
def _made_pages(_language: str, *, is_instructor: bool, is_presenter: bool) -> list[StreamlitPage]:
    return [_made_page(page) for page in PAGES if page.is_for(instructor=is_instructor, presenter=is_presenter)]


def _made_page(page: AppPage) -> StreamlitPage:
    return st.Page(
        page.script,
        title=gettext(page.title),
        icon=page.icon,
        url_path=page.path.strip("/") or None,
        default=page is CHAT_PAGE,
    )


with error_boundary():
    try:
        student = session.look_up_student()
    except HomeroomError:
        # Streamlit needs the pages in every run: else the next run would not know which page it is on.
        st.navigation(_navigation_pages(None), position="hidden")
        raise
    set_page_locale(student)
    mark_page_language(student)
    pages = _navigation_pages(student)
    open_instead_of_unknown({page.url_path for page in pages}, NOT_FOUND_PAGE.path.strip("/"))
    # The sidebar has lines of its own (`ui.page_links`), below the chats.
    page = st.navigation(pages, position="hidden")
    # Browser tabs, the history and screen readers tell pages apart by it.
    title = gettext("Chat") if page is pages[0] and "c" in st.query_params else page.title
    st.set_page_config(page_title=NAME if student is None else f"{title} · {NAME}")
    if page is not pages[0] or student is None:
        stop_watching()
    if student is None:
        draw_welcome()
    else:
        join_by_list(student)
        draw_sidebar(student, f"/{page.url_path}")
        page.run()
