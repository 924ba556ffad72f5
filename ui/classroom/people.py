"""People of a class: how they join, who is in it, who is invited; for a member, who teaches it and the way out."""

from collections.abc import Sequence

import streamlit as st

from services.classes.memberships import Person
from services.classes.roster import InvitedPerson
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import HomeroomError
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from ui import session
from ui.classroom.class_address import ASSISTANTS, leave_class, show_view
from ui.classroom.class_form import draw_class_form
from ui.classroom.join_code_card import draw_join_code
from ui.classroom.join_panel import teachers_sentence
from ui.classroom.visibility import draw_visibility
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import local_day
from ui.session_guard import guarded_callback, guarded_dialog

SHOWN = 50
LIST_FORMS = "class-list-forms"
"""Counter of lists that were sent: a new one begins with an empty field."""
MAKE_INSTRUCTOR = gettext_noop("Make an instructor")
MAKE_MEMBER = gettext_noop("Make a student again")
REMOVE = gettext_noop("Remove from the class")
ICONS = {
    MAKE_INSTRUCTOR: ":material/school:",
    MAKE_MEMBER: ":material/person:",
    REMOVE: ":material/person_remove:",
}
JOINED_BY = {
    "code": gettext_noop("joined by the code"),
    "list": gettext_noop("came by the list"),
    "lti": gettext_noop("came from the school's system"),
    "made": gettext_noop("made the class"),
}


def draw_people(student: Student, school_class: SchoolClass) -> None:
    """The people of a class: all of them for its instructors, its instructors alone for everybody else."""
    classroom = session.services().classroom
    if classroom.classes.role_in(student.id, school_class.id) is not ClassRole.INSTRUCTOR:
        _draw_for_member(student, school_class)
        return
    people = classroom.memberships.people(student, school_class.id)
    invited = classroom.roster.invited(student, school_class.id)
    members = sum(person.member.is_student for person in people)
    _draw_requests(student, school_class, [person for person in people if person.member.asks_from])
    draw_join_code(student, school_class, members)
    _draw_next_step(student, school_class)
    _draw_people(student, school_class, people)
    _draw_invited(student, school_class, invited)
    if school_class.archived_at is None:
        _draw_list_form(student, school_class)
    draw_class_form(student, school_class)
    _draw_leave(student, school_class)


def _draw_next_step(student: Student, school_class: SchoolClass) -> None:
    """What a class that has no assistant yet needs most; nothing for every other one."""
    records = session.services().classroom.assistants.of_class(student, school_class.id)
    if school_class.archived_at is not None or any(record.published for record in records):
        return
    with st.container(horizontal=True, vertical_alignment="center", border=True, key="class-next-step"):
        st.markdown(gettext("Students find no assistant of this class yet."), width="stretch")
        label = gettext("Publish an assistant") if records else gettext("Make an assistant")
        icon, key = ":material/support_agent:", "class-next-assistant"
        st.button(label, icon=icon, key=key, on_click=show_view, args=(ASSISTANTS,))


def _draw_requests(student: Student, school_class: SchoolClass, asking: Sequence[Person]) -> None:
    """Whoever asks to teach the class, each with a yes and a no."""
    for person in asking[:SHOWN]:
        name = literal(one_line(person.name, 80))
        with st.container(border=True, key=f"class-request-{person.member.student_id}", gap="small"):
            st.markdown(gettext("**{name}** opens Homeroom as an instructor of your course.", name=name))
            words = gettext("Whoever teaches the class sees and changes what you do. Does {name} teach it?", name=name)
            if person.member.is_listed_learner:
                words += " " + gettext("The course's list does not call them a teacher.")
            st.markdown(words)
            with st.container(horizontal=True, key=f"class-request-actions-{person.member.student_id}"):
                about = (student, school_class.id, person)
                key = f"class-request-yes-{person.member.student_id}"
                st.button(gettext("Yes, they teach it"), type="primary", key=key, on_click=_confirm, args=about)
                key = f"class-request-no-{person.member.student_id}"
                st.button(gettext("No"), key=key, on_click=_decline, args=about)


@guarded_callback
def _confirm(student: Student, class_id: str, person: Person) -> None:
    session.services().classroom.memberships.confirm_instructor(student, class_id, person.member.student_id)
    flash(gettext("{name} teaches this class now, too.", name=person.name))


@guarded_callback
def _decline(student: Student, class_id: str, person: Person) -> None:
    session.services().classroom.memberships.decline_instructor(student, class_id, person.member.student_id)
    flash(gettext("{name} does not teach this class, and is not asked about again.", name=person.name))


def _draw_for_member(student: Student, school_class: SchoolClass) -> None:
    if school_class.archived_at is not None:
        st.info(gettext("This class is over. Its assistants and materials are closed."), icon=":material/inventory_2:")
    member = session.services().classroom.memberships.own(student, school_class.id)
    if member.asks_from:
        st.info(
            gettext("Whoever teaches this class is asked whether you teach it, too."), icon=":material/hourglass_empty:"
        )
    elif member.is_guest:
        st.info(gettext("You look in at this class as a guest."), icon=":material/visibility:")
    st.markdown(teachers_sentence(session.services().classroom.classes.instructors(student, school_class.id)))
    draw_visibility()
    _draw_leave(student, school_class)


def _draw_people(student: Student, school_class: SchoolClass, people: Sequence[Person]) -> None:
    heading = ngettext("{n} person", "{n} people", len(people))
    st.markdown(f"## {heading}")
    wanted = ""
    if len(people) > SHOWN:
        wanted = st.text_input(
            gettext("Find somebody"),
            key="class-find",
            placeholder=gettext("Name or e-mail address"),
            icon=":material/search:",
        ).casefold()
    found = [person for person in people if wanted in person.name.casefold() or wanted in person.email.casefold()]
    with st.container(key="class-members", gap="small"):
        for person in found[:SHOWN]:
            _draw_person(student, school_class, person)
    if rest := len(found[SHOWN:]):
        st.caption(ngettext("{n} more: find them by name.", "{n} more: find them by name.", rest))
    if len(people) == 1 and school_class.archived_at is None:
        st.caption(gettext("Nobody has joined yet. Show your students the code or the QR picture."))


def _draw_person(student: Student, school_class: SchoolClass, person: Person) -> None:
    member = person.member
    is_instructor = member.role is ClassRole.INSTRUCTOR
    facts = [
        gettext("Instructor") if is_instructor else gettext("Guest") if member.is_guest else "",
        one_line(person.email, 80) if person.email != person.name else "",
        f"{local_day(member.joined_at, student)}, {gettext(JOINED_BY.get(member.joined_by, JOINED_BY['code']))}",
    ]
    with st.container(horizontal=True, vertical_alignment="center", key=f"class-person-{member.student_id}"):
        name = literal(one_line(person.name, 80))
        words = " · ".join(literal(fact) for fact in facts if fact)
        st.markdown(f"**{name}**  \n:small[:gray[{words}]]", width="stretch")
        if member.student_id != student.id:
            _draw_menu(student, school_class.id, person)


def _draw_menu(student: Student, class_id: str, person: Person) -> None:
    key = f"person-menu-{person.member.student_id}"
    change = MAKE_MEMBER if person.member.role is ClassRole.INSTRUCTOR else MAKE_INSTRUCTOR
    st.menu_button(
        gettext("More about {title}", title=literal(one_line(person.name, 60))),
        [change, REMOVE],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, class_id, person, key),
    )


@guarded_callback
def _run_choice(student: Student, class_id: str, person: Person, key: str) -> None:
    memberships, member_id = session.services().classroom.memberships, person.member.student_id
    match st.session_state[key]:
        case "Make an instructor":
            memberships.make_instructor(student, class_id, member_id)
            flash(gettext("{name} teaches this class now, too.", name=person.name))
        case "Make a student again":
            memberships.make_member(student, class_id, member_id)
            flash(gettext("{name} is a student of this class now.", name=person.name))
        case "Remove from the class":
            memberships.remove(student, class_id, member_id)
            flash(
                gettext(
                    "{name} is not in the class any more. Make a new code if they should not come back by it.",
                    name=person.name,
                )
            )


def _draw_invited(student: Student, school_class: SchoolClass, invited: Sequence[InvitedPerson]) -> None:
    if not invited:
        return
    label = ngettext("{n} invited, not here yet", "{n} invited, not here yet", len(invited))
    with st.expander(label, icon=":material/hourglass_empty:"):
        st.caption(gettext("They are in the class once they sign in with this address. Homeroom sends no e-mail."))
        for number, person in enumerate(invited[:SHOWN]):
            with st.container(horizontal=True, vertical_alignment="center", key=f"class-invited-{number}"):
                role = gettext("Instructor") if person.role is ClassRole.INSTRUCTOR else ""
                st.markdown(" · ".join(filter(None, (literal(person.email), role))), width="stretch")
                st.button(
                    gettext("Take back"),
                    type="tertiary",
                    key=f"class-withdraw-{number}",
                    on_click=_withdraw,
                    args=(student, school_class.id, person.email),
                )
        if rest := len(invited[SHOWN:]):
            st.caption(gettext("And {n} more.", n=formats.number(rest)))


@guarded_callback
def _withdraw(student: Student, class_id: str, email: str) -> None:
    session.services().classroom.roster.withdraw(student, class_id, email)


def _draw_list_form(student: Student, school_class: SchoolClass) -> None:
    with st.expander(gettext("Add people by e-mail address"), icon=":material/group_add:"):
        number = st.session_state.get(LIST_FORMS, 0)
        with st.form("class-list", border=False):
            written = st.text_area(
                gettext("E-mail addresses"),
                placeholder=gettext("One on each line, or a column of a spreadsheet"),
                key=f"class-list-addresses-{number}",
                height=120,
            )
            labels = {
                ClassRole.MEMBER: gettext("As students"),
                ClassRole.INSTRUCTOR: gettext("As instructors: they see and change what you do"),
            }
            role = st.radio(
                gettext("How they join"), list(labels), format_func=labels.__getitem__, key="class-list-role"
            )
            if not st.form_submit_button(gettext("Add them"), icon=":material/check:"):
                return
        try:
            parsed = session.services().classroom.roster.invite(student, school_class.id, written, role=role)
        except HomeroomError as error:
            show_error(error)
            return
        words = ngettext("{n} person is invited.", "{n} people are invited.", len(parsed.addresses))
        if parsed.unread:
            unread = ", ".join(one_line(piece, 60) for piece in parsed.unread[:5])
            words = " ".join((words, gettext("Not an address: {pieces}", pieces=unread)))
        flash(words)
        st.session_state[LIST_FORMS] = number + 1
        st.rerun()


def _draw_leave(student: Student, school_class: SchoolClass) -> None:
    label = gettext("Leave the class")
    if st.button(label, icon=":material/logout:", type="tertiary", key="class-leave"):
        guarded_dialog(label, _confirm_leaving)(student, school_class)


def _confirm_leaving(student: Student, school_class: SchoolClass) -> None:
    st.write(
        gettext(
            "Its assistants and materials are not there for you any more. Your own chats, quizzes and cards stay. "
            "With a code you can come back."
        )
    )
    if st.button(gettext("Leave the class"), type="primary", key="class-leave-confirm"):
        try:
            session.services().classroom.memberships.leave(student, school_class.id)
        except HomeroomError as error:
            show_error(error)
            return
        leave_class()
        flash(gettext("You have left {name}.", name=school_class.name))
        st.rerun()
