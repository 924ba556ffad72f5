"""School system: the course of a class in the school's system, its list brought in, and the accounts that it opens."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import streamlit as st

from services.classes.lti.course_bindings import LtiCourse
from services.classes.lti.course_rosters import RosterChange
from services.classes.lti.roster_comparison import RisingPerson
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
    if school_class.frozen_at is not None:
        _draw_frozen()
    _draw_list(student, school_class, course)
    _draw_confirmation(student, school_class)
    if school_class.frozen_at is None:
        _draw_parting(student, school_class)


def _draw_frozen() -> None:
    st.warning(
        gettext(
            "The course's list does not call anybody a teacher who teaches this class. So the class stays as it is, "
            "without the list and without figures, until a teacher of the course opens Homeroom from it. Or whoever "
            "runs Homeroom names its teacher."
        ),
        icon=":material/lock:",
    )


def _draw_confirmation(student: Student, school_class: SchoolClass) -> None:
    """The setting whether further instructors wait for a yes."""
    key = f"class-confirms-{school_class.id}-{school_class.version}"
    st.toggle(
        gettext("Ask before the school's system makes somebody an instructor"),
        school_class.confirms_instructors,
        key=key,
        on_change=_set_confirmation,
        args=(student, school_class.id, key),
        help=gettext(
            "In some systems more people open a course as its instructor than teach it. While this is on, each of them "
            "waits under People for a yes of yours."
        ),
    )


@guarded_callback
def _set_confirmation(student: Student, class_id: str, key: str) -> None:
    session.services().classroom.classes.set_confirmation(student, class_id, is_on=st.session_state[key])


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
            # The list may have frozen the class, or let it go on: the whole page says so.
            st.rerun()
        except HomeroomError as error:
            show_error(error)
    if (change := st.session_state.get(key)) is not None:
        _draw_change(student, school_class, change, key)


def _draw_change(student: Student, school_class: SchoolClass, change: RosterChange, key: str) -> None:
    if change.is_withheld:
        words = gettext("The course's list does not call you one of its teachers, so it is not shown to you.")
        st.info(words, icon=":material/info:")
        return
    st.markdown("\n".join(f"- {line}" for line in _change_lines(change) if line))
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
    chosen = _draw_rising(school_class, change.rising)
    if change.is_empty:
        st.caption(gettext("The class is as the course has it."))
        return
    st.button(
        gettext("Bring the class up to date"),
        type="primary",
        key="school-system-apply",
        on_click=_apply,
        args=(student, school_class.id, key, tuple(chosen)),
    )


def _change_lines(change: RosterChange) -> list[str]:
    """What a list changes without a person to name; "" for what it does not."""
    return [
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
            "{n} invitation is taken back, as nobody in the course waits for it any more.",
            "{n} invitations are taken back, as nobody in the course waits for them any more.",
            len(change.withdrawing),
        )
        if change.withdrawing
        else "",
        ngettext(
            "{n} has no address in the list, and joins by opening Homeroom from the course.",
            "{n} have no address in the list, and join by opening Homeroom from the course.",
            change.waiting,
        )
        if change.waiting
        else "",
    ]


def _draw_rising(school_class: SchoolClass, rising: Sequence[RisingPerson]) -> list[str]:
    """Everybody whom the list would make an instructor, by name; the ids of those who are chosen."""
    if not rising:
        return []
    with st.container(border=True, key="school-system-rising", gap="small"):
        st.markdown(
            gettext(
                "**The course calls them its teachers.** Choose who becomes an instructor of this class, and sees and "
                "changes what you do:"
            )
        )
        return [
            person.student_id
            for person in rising
            if st.checkbox(
                literal(one_line(person.name, 80)),
                not school_class.confirms_instructors,
                key=f"school-system-rises-{person.student_id}",
            )
        ]


@guarded_callback
def _apply(student: Student, class_id: str, key: str, chosen: Sequence[str]) -> None:
    change = session.services().classroom.lti.rosters.apply(student, class_id, confirmed=chosen)
    st.session_state.pop(key, None)
    left = [person for person in change.rising if person.student_id not in chosen]
    flash(gettext("The class is up to date.") if left else gettext("The class is as the course has it."))


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
