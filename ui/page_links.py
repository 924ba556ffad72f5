"""Links of the sidebar to the pages: the daily ones, the student's classes, and the others behind their name."""

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from services.classes.school_class import ClassRole, SchoolClass
from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE, CLASSROOM_PAGE, PAGES, AppPage, Place
from services.safety.text import literal
from ui import session
from ui.classroom.class_address import CLASS, opened_class

MOST_CLASSES = 3
"""Classes of a member that have a line each; with more of them there is one line for all."""
OPEN = "page-is-open"
"""Key of the one line that is marked (style.css; for ears: `api/open_page.js`)."""


def draw_page_links(student: Student, path: str, *, is_chat_open: bool) -> None:
    """Draw the pages, and the menu with the others. path: of the page that is open.

    is_chat_open: one of the chats is marked instead of Today.
    """
    services = session.services()
    is_instructor = services.keys.is_instructor(student)
    is_presenter = services.classroom.demo.may_be_presented_by(student)
    pages = [page for page in PAGES if page.is_for(instructor=is_instructor, presenter=is_presenter)]
    classes = _classes(student)
    teaches = services.classroom.roles.is_instructor(student) or any(
        role is ClassRole.INSTRUCTOR for _, role in classes
    )
    has_classroom = teaches or len(classes) > MOST_CLASSES
    daily = [page for page in pages if page.place is Place.SIDEBAR or (page is CLASSROOM_PAGE and has_classroom)]
    with st.container(key="sidebar-pages", gap=None):
        for page in daily:
            draw_page_link(page, is_open=page.path == path and not (page is CHAT_PAGE and is_chat_open))
        if not has_classroom:
            for school_class, _ in classes:
                is_open = path == CLASSROOM_PAGE.path and opened_class() == school_class.id
                _draw_class_link(school_class, is_open=is_open)
    is_class_open = not has_classroom and opened_class() in {found.id for found, _ in classes}
    rest = [page for page in pages if page.place is Place.ACCOUNT_MENU and page not in daily]
    with st.container(key="sidebar-foot"):
        _draw_account_menu(student, rest, path, is_open=not is_class_open and path in {page.path for page in rest})


def draw_page_link(page: AppPage, *, is_open: bool) -> None:
    """Draw the line of a page. is_open: it is the one that is marked."""
    with st.container(key=OPEN if is_open else f"page-{page.name}"):
        st.page_link(page.script, label=gettext(page.title), icon=page.icon, width="stretch")


def _draw_class_link(school_class: SchoolClass, *, is_open: bool) -> None:
    with st.container(key=OPEN if is_open else f"page-class-{school_class.id}"):
        st.page_link(
            CLASSROOM_PAGE.script,
            label=literal(school_class.name),
            icon=CLASSROOM_PAGE.icon,
            width="stretch",
            query_params={CLASS: school_class.id},
        )


def _draw_account_menu(student: Student, pages: Sequence[AppPage], path: str, *, is_open: bool) -> None:
    """is_open: one of its pages is; then the menu's own line is the one that is marked."""
    name = literal(student.name) if student.name else gettext("Your account")
    with st.container(key=OPEN if is_open else "page-account"):
        menu = st.popover(name, icon=":material/person:", type="tertiary", width="stretch", key=f"account-{path}")
    with menu, st.container(key="account-menu", gap=None):
        for page in pages:
            st.page_link(page.script, label=gettext(page.title), icon=page.icon, width="stretch")
        st.button(
            gettext("Sign out"),
            icon=":material/logout:",
            type="tertiary",
            width="stretch",
            on_click=session.sign_out,
            args=(student,),
            key="sign-out",
        )


def _classes(student: Student) -> Sequence[tuple[SchoolClass, ClassRole]]:
    """The student's classes that are not over; none where the store does not answer, which the page says."""
    with suppress(StorageError):
        found = session.services().classroom.classes.of_student(student.id)
        return [(school_class, role) for school_class, role in found if school_class.archived_at is None]
    return ()
