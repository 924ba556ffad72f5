"""What guided study noted of the student's understanding: read, changed, deleted, and added to by hand."""

from collections.abc import Sequence

import streamlit as st

from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from services.study.learner_note import LearnerNote
from services.study.learner_notes import LONGEST_NOTE, LONGEST_TOPIC
from ui import session
from ui.chat.composer import send_message
from ui.chat.guided_study import start_guided_study
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.insights.insight_labels import short_day_label
from ui.local_time import to_local
from ui.session_guard import guarded_callback
from ui.study.open_dialog import close_dialog, field_key, open_dialog

DIALOG = "note"
EDIT, DELETE = gettext_noop("Edit"), gettext_noop("Delete")
ICONS = {EDIT: ":material/edit:", DELETE: ":material/delete:"}
MOST_SHOWN, MORE = 12, "study-notes-shown"


def draw_learner_notes(student: Student, course_key: str) -> None:
    """Draw the notes, folded; of a long list the newest."""
    notes = session.services().study.notes.all(student, course_key)
    label = gettext("What your assistant noted") + (f" · {len(notes)}" if notes else "")
    with st.expander(label, key="study-notes"):
        _draw_notes(student, course_key, notes)


def _draw_notes(student: Student, course_key: str, notes: Sequence[LearnerNote]) -> None:
    st.caption(
        gettext(
            "When you study with a guided assistant, it notes what you understand and what not yet, so that it need "
            "not ask again. Only you and your assistants see it; change or delete whatever is not so."
        )
    )
    if st.button(gettext("Start guided study"), icon=":material/school:", key="guided-start"):
        start_guided_study(student, "", send_message)
    shown = int(st.session_state.get(MORE, MOST_SHOWN))
    for note in notes[:shown]:
        _draw_note(student, note)
    if len(notes) > shown:
        st.button(gettext("Show older ones"), icon=":material/expand_more:", key="notes-more", on_click=_show_more)
    st.button(
        gettext("Add a note"),
        icon=":material/add:",
        type="tertiary",
        key="note-add",
        on_click=open_dialog,
        args=(DIALOG, f"\n{course_key}"),
    )


def _show_more() -> None:
    st.session_state[MORE] = int(st.session_state.get(MORE, MOST_SHOWN)) + 4 * MOST_SHOWN


def _draw_note(student: Student, note: LearnerNote) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"study-note-{note.id}"):
        about = f"**{literal(note.topic)}** — " if note.topic else ""
        by = gettext("by you") if note.is_own else gettext("by the assistant")
        day = short_day_label(to_local(note.noted_at, student))
        st.markdown(f"{about}{literal(note.words)} :small[:gray[{literal(f'{by} · {day}')}]]", width="stretch")
        key = f"note-menu-{note.id}"
        st.menu_button(
            gettext("Note: {words}", words=literal(note.words[:40])),
            [EDIT, DELETE],
            key=key,
            icon=":material/more_horiz:",
            type="tertiary",
            format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
            on_click=_run_choice,
            args=(student, note.id, key),
        )


@guarded_callback
def _run_choice(student: Student, note_id: str, key: str) -> None:
    if st.session_state[key] == EDIT:
        open_dialog(DIALOG, note_id)
        return
    session.services().study.notes.delete(student, note_id)
    flash(gettext("The note is deleted."))


def draw_note_dialog(student: Student, subject: str) -> None:
    """Form of a note. subject: its id, or a line break and the key of a new one's course."""
    id, _, course_key = subject.partition("\n")
    notes = session.services().study.notes
    try:
        note = notes.note(student, id) if id else None
        with st.form(field_key("note-form"), border=False):
            topic = (
                "" if note else st.text_input(gettext("Topic"), max_chars=LONGEST_TOPIC, key=field_key("note-topic"))
            )
            words = st.text_area(
                gettext("Note"),
                note.words if note else "",
                max_chars=LONGEST_NOTE,
                placeholder=gettext("Such as: I mix up mitosis and meiosis."),
                key=field_key("note-words"),
            )
            if not st.form_submit_button(gettext("Save"), type="primary", width="stretch"):
                return
        if note:
            notes.change(student, note.id, words)
        else:
            notes.add(student, words, topic=topic, course_key=course_key, is_own=True)
    except HomeroomError as error:
        show_error(error)
        return
    close_dialog()
    st.rerun()
