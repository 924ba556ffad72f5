"""School system: the course of a class in the school's system, its list brought in, and the accounts that it opens."""

from urllib.parse import urlsplit

import streamlit as st

from services.classes.lti.course_bindings import LtiCourse
from services.classes.lti.course_rosters import RosterChange
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback, guarded_dialog

CHANGE = "school-system-change"
SHOWN = 20


def draw_school_system(student: Student, school_class: SchoolClass) -> None:
    """What ties a class to a course, for its instructors."""
    lti = session.services().classroom.lti
    course = lti.courses.of_class(student, school_class.id)
    if course is None:
        _draw_unbound()
        return
    platform = lti.platforms.get(course.platform_id)
    name = platform.name if platform else gettext("the school's system")
    st.markdown(
        gettext(
            "This class belongs to **{course}** in {system}. Who opens Homeroom from there joins it.",
            course=literal(one_line(course.title, 120)) or gettext("a course"),
            system=literal(name),
        )
    )
    _draw_list(student, school_class, course)
    _draw_parting(student, school_class)


def _draw_unbound() -> None:
    st.info(gettext("This class belongs to no course in your school's system yet."), icon=":material/link_off:")
    st.markdown(
        gettext(
            "Open Homeroom once from your course, in Canvas, Moodle or another system that your school has connected. "
            "Homeroom then asks which class it is, and everybody who opens it from the course joins this one."
        )
    )


def _draw_list(student: Student, school_class: SchoolClass, course: LtiCourse) -> None:
    heading = gettext("The list of the course")
    st.markdown(f"## {heading}")
    if not course.memberships_url:
        st.caption(gettext("The school's system gives no list. People join when they open Homeroom from the course."))
        return
    if course.synced_at:
        st.caption(gettext("Brought in {when}.", when=day_and_time(course.synced_at, student)))
    key = f"{CHANGE}-{school_class.id}"
    if st.button(gettext("Look what has changed"), icon=":material/sync:", key="school-system-compare"):
        st.session_state.pop(key, None)
        try:
            with st.spinner(gettext("Reading the list…")):
                compare = session.services().classroom.lti.rosters.compare
                st.session_state[key] = compare(student, school_class.id)
        except HomeroomError as error:
            show_error(error)
    if (change := st.session_state.get(key)) is not None:
        _draw_change(student, school_class, change, key)


def _draw_change(student: Student, school_class: SchoolClass, change: RosterChange, key: str) -> None:
    lines = [
        ngettext("{n} person is in the course.", "{n} people are in the course.", change.listed),
        ngettext("{n} joins the class.", "{n} join the class.", len(change.joining)) if change.joining else "",
        ngettext(
            "{n} is invited, and joins when signing in with the address that the course has.",
            "{n} are invited, and join when they sign in with the address that the course has.",
            len(change.inviting),
        )
        if change.inviting
        else "",
        ngettext(
            "{n} has no address in the list, and joins by opening Homeroom from the course.",
            "{n} have no address in the list, and join by opening Homeroom from the course.",
            change.waiting,
        )
        if change.waiting
        else "",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines if line))
    if change.leaving:
        names = ", ".join(one_line(gone.name, 60) for gone in change.leaving[:SHOWN])
        rest = ngettext(" and {n} more", " and {n} more", more) if (more := len(change.leaving[SHOWN:])) else ""
        words = gettext("No longer in the course, and taken out of the class: {names}", names=names + rest)
        st.warning(literal(words), icon=":material/person_remove:")
    if change.lowered:
        names = ", ".join(one_line(person.name, 60) for person in change.lowered[:SHOWN])
        words = gettext(
            "No longer an instructor of the course, and a student in the class from then on: {names}", names=names
        )
        st.warning(literal(words), icon=":material/person:")
    for person in change.alone:
        words = gettext(
            "{name} is no longer an instructor of the course, but nobody else teaches this class, so {name} goes on "
            "until somebody does.",
            name=one_line(person.name, 60),
        )
        st.info(literal(words), icon=":material/info:")
    if change.is_empty:
        if not change.alone:
            st.caption(gettext("The class is as the course has it."))
        return
    st.button(
        gettext("Bring the class up to date"),
        type="primary",
        key="school-system-apply",
        on_click=_apply,
        args=(student, school_class.id, key),
    )


@guarded_callback
def _apply(student: Student, class_id: str, key: str) -> None:
    session.services().classroom.lti.rosters.apply(student, class_id)
    st.session_state.pop(key, None)
    flash(gettext("The class is as the course has it."))


def _draw_parting(student: Student, school_class: SchoolClass) -> None:
    label = gettext("Unlink the class from the course")
    if st.button(label, icon=":material/link_off:", type="tertiary", key="school-system-part"):
        guarded_dialog(label, _confirm_parting)(student, school_class)


def _confirm_parting(student: Student, school_class: SchoolClass) -> None:
    st.markdown(
        gettext(
            "Everybody who is in the class stays. The next instructor who opens Homeroom from the course says which "
            "class it is."
        )
    )
    if st.button(gettext("Unlink them"), type="primary", key="school-system-part-yes"):
        session.services().classroom.lti.courses.unbind(student, school_class.id)
        flash(gettext("The class belongs to no course any more."))
        st.rerun()


def draw_linked_accounts(student: Student) -> None:
    """The accounts at school systems that open this one, because its owner said so; nothing where there are none."""
    linked = session.services().classroom.lti.accounts.linked(student)
    if not linked:
        return
    with st.expander(gettext("Opened by your course"), icon=":material/link:"):
        st.caption(gettext("Whoever signs in to these as you is signed in here, too."))
        for number, account in enumerate(linked):
            with st.container(horizontal=True, vertical_alignment="center", key=f"linked-account-{number}"):
                host = urlsplit(account.issuer).hostname or account.issuer
                since = gettext("since {when}", when=day_and_time(account.linked_at, student))
                st.markdown(f"{literal(host)}  \n:small[:gray[{literal(since)}]]", width="stretch")
                st.button(
                    gettext("Unlink"),
                    type="tertiary",
                    key=f"linked-account-part-{number}",
                    on_click=_unlink,
                    args=(student, account.id),
                )


@guarded_callback
def _unlink(student: Student, id: str) -> None:
    session.services().classroom.lti.accounts.unlink(student, id)
    flash(gettext("Your course opens an account of its own from now on."))
