"""Under an answer: copy its words, and say whether it helped. One element, whose dialogs are drawn on demand."""

from collections.abc import Sequence

import streamlit as st

from services.agent.ratings import LONGEST_NOTE, Rating
from services.agent.view import AssistantText
from services.errors import HomeroomError
from services.students import Student
from ui import outcome, problems, session

COPY, GOOD, BAD, TAKE_BACK = "Copy", "Good answer", "Not helpful", "Take my rating back"
ICONS = {
    COPY: ":material/content_copy:",
    GOOD: ":material/thumb_up:",
    BAD: ":material/thumb_down:",
    TAKE_BACK: ":material/undo:",
}


def draw(student: Student, conversation_id: str, words: Sequence[AssistantText]) -> None:
    """words: the answer's texts in order, the last of them stored."""
    rated = words[-1]
    key = f"answer-{conversation_id}-{rated.seq}"
    chosen = st.menu_button(
        f":small[:gray[{_label(rated.rating)}]]",
        [COPY, GOOD, BAD, *([TAKE_BACK] if rated.rating else [])],
        key=key,
        type="tertiary",
        format_func=lambda one: f"{ICONS[one]} {one}",
        on_click=_rate,
        args=(student, conversation_id, rated.seq, key),
    )
    if chosen == COPY:
        _copy("\n\n".join(one.text for one in words))
    elif chosen == BAD:
        _tell_more(student, conversation_id, rated)


def _label(rating: Rating | None) -> str:
    """What was chosen stands in front: an answer that was judged says so without a click."""
    return "Copy or rate" if rating is None else f"{ICONS[GOOD if rating.is_good else BAD]} Rated"


def _rate(student: Student, conversation_id: str, seq: int, key: str) -> None:
    chosen = st.session_state[key]
    if chosen == COPY:
        return
    rating = None if chosen == TAKE_BACK else Rating(is_good=chosen == GOOD)
    with outcome.told_next_run():
        session.services().chats.ratings.rate(student.id, conversation_id, seq, rating)


@st.dialog("Copy this answer", icon=":material/content_copy:")
def _copy(text: str) -> None:
    st.caption("Point at the text, or tab to it, and press the button at its corner.")
    st.code(text, language=None, wrap_lines=True, height=320 if len(text) > 600 else "content")


@st.dialog("Thank you for telling", icon=":material/thumb_down:")
def _tell_more(student: Student, conversation_id: str, rated: AssistantText) -> None:
    with st.form(f"note-{rated.seq}", border=False):
        note = st.text_area(
            "What should have been different? (optional)",
            rated.rating.note if rated.rating else "",
            max_chars=LONGEST_NOTE,
            key=f"note-text-{conversation_id}-{rated.seq}",
        )
        st.caption("It is kept with your chat. Nobody else reads it.")
        if not st.form_submit_button("Save the note", type="primary", width="stretch"):
            return
    try:
        rating = Rating(is_good=False, note=note)
        session.services().chats.ratings.rate(student.id, conversation_id, rated.seq, rating)
    except HomeroomError as error:
        problems.show(error)
        return
    st.rerun()
