"""Actions under an answer: copy, rate, answer again. A menu, and under the last answer buttons.

A pencil stands at each question. Under one that was edited or asked again arrows leaf through its versions, each with
what followed it.
"""

from collections.abc import Sequence

import streamlit as st

from services.conversations.items import AssistantText, UserMessage
from services.conversations.ratings import LONGEST_NOTE, Rating
from services.conversations.versions import QuestionVersions
from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.llm.citations import cited_sources
from ui import session
from ui.error_boundary import show_error
from ui.session_guard import guarded_callback, guarded_dialog

COPY, GOOD = gettext_noop("Copy"), gettext_noop("Good answer")
REFERENCES = gettext_noop("References of this chat")
BAD, TAKE_BACK = gettext_noop("Not helpful"), gettext_noop("Take my rating back")
EDIT, ANSWER_AGAIN = gettext_noop("Change my question"), gettext_noop("Answer again")
ICONS = {
    COPY: ":material/content_copy:",
    REFERENCES: ":material/content_copy:",
    GOOD: ":material/thumb_up:",
    BAD: ":material/thumb_down:",
    TAKE_BACK: ":material/undo:",
    EDIT: ":material/edit:",
    ANSWER_AGAIN: ":material/refresh:",
}

CITATION_STYLES = ("apa", "mla")
RATINGS = {GOOD: Rating(is_good=True), BAD: Rating(is_good=False), TAKE_BACK: None}


def draw_answer_actions(
    student: Student,
    conversation_id: str,
    texts: Sequence[AssistantText],
    question: UserMessage | None,
    *,
    is_last: bool = False,
) -> None:
    """Draw the actions. texts: the answer's texts in order, the last of them stored. question: what they answer."""
    rated = texts[-1]
    rest = [
        *([REFERENCES] if any(item.citations for item in texts) else []),
        *([ANSWER_AGAIN] if question else []),
    ]
    if is_last:
        _draw_buttons(student, conversation_id, texts)
        choices = rest
    else:
        choices = [COPY, GOOD, BAD, *([TAKE_BACK] if rated.rating else []), *rest]
    if choices:
        label = gettext("More") if is_last else _label(rated.rating)
        _draw_menu(student, conversation_id, texts, question, label=label, choices=choices)


def _draw_buttons(student: Student, conversation_id: str, texts: Sequence[AssistantText]) -> None:
    """Copy and rating buttons; a given rating is shown, and removed by pressing it again."""
    rated, id = texts[-1], f"{conversation_id}-{texts[-1].seq}"
    if st.button(f":small[:gray[{gettext(COPY)}]]", key=f"copy-{id}", icon=ICONS[COPY], type="tertiary"):
        _open_copy(student, texts)
    for choice, name in ((GOOD, "good"), (BAD, "bad")):
        is_given = rated.rating is not None and rated.rating.is_good is (choice == GOOD)
        label = _label(rated.rating) if is_given else gettext(choice)
        icon = ":material/check:" if is_given else ICONS[choice]
        args = (student, conversation_id, rated, TAKE_BACK if is_given else choice)
        is_pressed = st.button(
            f":small[:gray[{label}]]", key=f"rate-{name}-{id}", icon=icon, type="tertiary", on_click=_rate, args=args
        )
        if is_pressed and choice == BAD and is_given:
            _open_note(student, conversation_id, rated)


def _draw_menu(
    student: Student,
    conversation_id: str,
    texts: Sequence[AssistantText],
    question: UserMessage | None,
    *,
    label: str,
    choices: Sequence[str],
) -> None:
    rated = texts[-1]
    key = f"answer-{conversation_id}-{rated.seq}"
    chosen = st.menu_button(
        f":small[:gray[{label}]]",
        choices,
        key=key,
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, conversation_id, rated, question, key),
    )
    if chosen == COPY:
        _open_copy(student, texts)
    elif chosen == BAD:
        _open_note(student, conversation_id, rated)
    elif chosen == REFERENCES:
        guarded_dialog(gettext("References of this chat"), _draw_references, icon=ICONS[REFERENCES])(
            student, conversation_id
        )


def _open_copy(student: Student, texts: Sequence[AssistantText]) -> None:
    text = "\n\n".join(item.text for item in texts)
    guarded_dialog(gettext("Copy this answer"), _draw_copy, icon=ICONS[COPY])(student, text)


def _open_note(student: Student, conversation_id: str, rated: AssistantText) -> None:
    guarded_dialog(gettext("Thank you for telling"), _draw_note_form, icon=ICONS[BAD])(student, conversation_id, rated)


def _label(rating: Rating | None) -> str:
    """Label of the menu: the rating, if there is one."""
    return (
        gettext("More") if rating is None else gettext("Rated good") if rating.is_good else gettext("Rated not helpful")
    )


@guarded_callback
def _run_choice(
    student: Student, conversation_id: str, rated: AssistantText, question: UserMessage | None, key: str
) -> None:
    """Callback of the menu: what needs no dialog is done before the page is drawn again; a stored note stays."""
    chosen = st.session_state[key]
    is_bad_already = chosen == BAD and rated.rating is not None and not rated.rating.is_good
    if chosen in RATINGS and not is_bad_already:
        _save_rating(student, conversation_id, rated, RATINGS[chosen])
    elif chosen == ANSWER_AGAIN and question is not None:
        branches = session.services().chats.branches
        st.query_params["c"] = branches.ask_instead(student, conversation_id, question.seq)


@guarded_callback
def _rate(student: Student, conversation_id: str, rated: AssistantText, choice: str) -> None:
    _save_rating(student, conversation_id, rated, RATINGS[choice])


def _save_rating(student: Student, conversation_id: str, rated: AssistantText, rating: Rating | None) -> None:
    session.services().chats.ratings.rate(student.id, conversation_id, rated.seq, rating)


def _draw_edit_form(student: Student, conversation_id: str, question: UserMessage) -> None:
    with st.form(f"edit-{question.seq}", border=False):
        text = st.text_area(
            gettext("Your question"), question.text, height=160, key=f"edit-text-{conversation_id}-{question.seq}"
        )
        st.caption(gettext("The answer so far is kept: go back to it with the arrows under your question."))
        if not st.form_submit_button(gettext("Ask this instead"), type="primary", width="stretch"):
            return
    try:
        branches = session.services().chats.branches
        st.query_params["c"] = branches.ask_instead(student, conversation_id, question.seq, text)
    except HomeroomError as error:
        show_error(error)
        return
    st.rerun()


def _draw_copy(_: Student, text: str) -> None:
    st.caption(gettext("Point at the text, or tab to it, and press the button at its corner."))
    st.code(text, language=None, wrap_lines=True, height=320 if len(text) > 600 else "content")


def _draw_references(student: Student, conversation_id: str) -> None:
    style = st.segmented_control(
        gettext("Style"),
        CITATION_STYLES,
        default=CITATION_STYLES[0],
        format_func=str.upper,
        key=f"references-{conversation_id}",
        required=True,
    )
    services = session.services()
    result = services.gateway.call(
        student,
        "reference_list",
        {"style": style},
        asked_by="the chat's page",
        cited_sources=lambda: cited_sources(services.conversations.messages(student.id, conversation_id)),
        by_hand=True,
    )
    if not result.success:
        st.info(result.trouble, icon=":material/info:")
        return
    _draw_copy(student, "\n\n".join(result.data["entries"]))
    st.caption(gettext("Check each entry before you hand it in: what a page does not name is left out."))


def _draw_note_form(student: Student, conversation_id: str, rated: AssistantText) -> None:
    with st.form(f"note-{rated.seq}", border=False):
        note = st.text_area(
            gettext("What should have been different? (optional)"),
            rated.rating.note if rated.rating else "",
            max_chars=LONGEST_NOTE,
            key=f"note-text-{conversation_id}-{rated.seq}",
        )
        st.caption(gettext("It is kept with your chat. Only the thumb is counted, never the words."))
        if not st.form_submit_button(gettext("Save the note"), type="primary", width="stretch"):
            return
    try:
        _save_rating(student, conversation_id, rated, Rating(is_good=False, note=note))
    except HomeroomError as error:
        show_error(error)
        return
    st.rerun()


def draw_edit_pencil(student: Student, conversation_id: str, question: UserMessage) -> None:
    """Draw the pencil of a question, which a mouse sees while it points at the question (`ui/style.css`)."""
    key = f"edit-question-{conversation_id}-{question.seq}"
    if st.button(gettext(EDIT), key=key, icon=ICONS[EDIT], type="tertiary"):
        guarded_dialog(gettext("Edit your question"), _draw_edit_form, icon=ICONS[EDIT])(
            student, conversation_id, question
        )


def draw_question_versions(seq: int, versions: QuestionVersions) -> None:
    """Draw "‹ 2 of 3 ›". seq: of the question."""
    at, count = versions.current, len(versions.ids)
    with st.container(key=f"versions-{seq}", horizontal=True, vertical_alignment="center", gap="xsmall"):
        _draw_arrow(f"version-before-{seq}", gettext("Version before"), ":material/chevron_left:", versions, at - 1)
        st.caption(gettext("{n} of {count}", n=at + 1, count=count), width="content")
        _draw_arrow(f"version-after-{seq}", gettext("Version after"), ":material/chevron_right:", versions, at + 1)


def _draw_arrow(key: str, label: str, icon: str, versions: QuestionVersions, to: int) -> None:
    is_there = 0 <= to < len(versions.ids)
    st.button(
        label,
        key=key,
        icon=icon,
        type="tertiary",
        disabled=not is_there,
        on_click=_open_version,
        args=(versions.ids[to] if is_there else "",),
    )


def _open_version(id: str) -> None:
    st.query_params["c"] = id
