"""Composer: field for messages and files that starts a turn, and above it the bar with notices and Stop."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.assistants.class_assistant import is_class_assistant
from services.connections import messages
from services.connections.connection import Connection
from services.errors import AnsweredElsewhere, ConsentRequired, HomeroomError, ItemNotFound, TurnBusy
from services.files import limits
from services.files.upload import Upload, error_for_student
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.runtime.priority_limiter import CPU_SLOTS, Priority
from ui import session
from ui.chat.attachments import accepted_uploads, draw_upload_messages
from ui.chat.chat_menu import draw_undo_delete, forget_deleted
from ui.chat.chat_state import ChatState
from ui.chat.consent_request import HeldMessage, draw_consent_request, hold_message, is_consent_awaited
from ui.chat.draft import draw_draft_files, save_draft_files, save_draft_text, take_draft_files, take_draft_text
from ui.chat.guided_study import draw_guided_actions
from ui.chat.live_component import (
    FILE_QUESTIONS,
    draw_live_composer,
    give_up_live,
    is_drawn_by_script,
    is_live,
    told_by_composer,
)
from ui.chat.live_transcript import was_followed
from ui.chat.pickers import (
    chosen_assistant,
    draw_answer_picker,
    peek_assistant,
    peek_new_chat_effort,
    take_new_chat_assistant,
    take_new_chat_effort,
)
from ui.classroom.assistants.chat_policy import draw_class_policy, draw_exam_notice
from ui.flash_message import flash, show_flash
from ui.privacy_notice import privacy_notice_for
from ui.session_guard import guarded_callback
from ui.streamlit_compat import tab_id

COMPOSER = "composer"


def draw_composer(student: Student, chat: ChatState, connected: Mapping[str, Connection]) -> None:
    """Draw the field, which stays open during an answer, so that the next question can be written meanwhile.

    Ours, and Streamlit's own, which `ui/style.css` hides while ours is there. That one must be the same element in
    every run: Streamlit would draw another one without the text that was typed.
    """
    conversation = chat.id
    if text := take_draft_text():
        st.session_state[COMPOSER] = text
    draw_draft_files()
    placeholder = _placeholder(student, peek_assistant(chat))
    draw_live_composer(
        placeholder=placeholder,
        assistant=peek_assistant(chat),
        effort=peek_new_chat_effort(),
        text=text,
        waits=is_consent_awaited(),
        draw_picker=partial(draw_answer_picker, student, chat, connected),
        on_typed=partial(_send_untransmitted, student),
    )
    draw_upload_messages()
    st.chat_input(
        placeholder,
        key=COMPOSER,
        # Any type: the field marks a refused type without a reason. Too large files are refused before they are sent.
        accept_file="multiple",
        max_upload_size=limits.LARGEST_MB,
        on_submit=_send_typed,
        args=(student, conversation),
    )
    note = privacy_notice_for(student)
    # Emptied at once: Streamlit greys out what a run has not drawn yet, for as long as an answer runs.
    below = st.bottom.empty()
    if note:
        below.caption(f":small[{note}]")


def _placeholder(student: Student, assistant_id: str) -> str:
    """What the field says while it is empty: a class's assistant by its name, as it may know nothing of a week."""
    if is_class_assistant(assistant_id):
        with suppress(ItemNotFound):
            assistant = session.services().assistants.for_student(student.id, assistant_id)
            return gettext("Ask {name}", name=assistant.name)
    return gettext("Ask about your week")


def _send_untransmitted(student: Student) -> None:
    """Send a text that the browser could not post, and go without the component from now on."""
    told = told_by_composer("typed")
    give_up_live()
    send_message(student, told["chat"] or None, told["text"], key=told["key"])


def _send_typed(student: Student, conversation: str | None) -> None:
    if (typed := st.session_state[COMPOSER]) is None:
        return
    new = [Upload(name=file.name, content=file.getvalue()) for file in typed.files]
    uploads, text = [*take_draft_files(), *new], typed.text
    if uploads and not text.strip():
        text = gettext(FILE_QUESTIONS[len(uploads) > 1])
    send_message(student, conversation, text, uploads)


def send_message(
    student: Student, conversation: str | None, text: str, uploads: Sequence[Upload] = (), *, key: str | None = None
) -> None:
    """Start a turn with this text and these files, in a new conversation when there is none yet.

    When it cannot start, the text goes back into the field, and the accepted files stay above it.
    key: under which the browser has tried to send it already, so that it is sent once.
    """
    services = session.services()
    if not text.strip():
        return None
    try:
        student = session.require_signed_in(student)
        if is_consent_awaited():
            return hold_message(HeldMessage(conversation=conversation, text=text, uploads=uploads))
        with CPU_SLOTS.acquire(Priority.SEND):
            chosen = {} if conversation else {"assistant": take_new_chat_assistant(), "effort": take_new_chat_effort()}
            key = key or secrets.token_hex(16)
            ids = services.submissions.submit(student, text, uploads, key=key, conversation_id=conversation, **chosen)
        st.query_params["c"] = ids.conversation_id
        # Questions that others sent at the same moment go to the model before this page is drawn.
        CPU_SLOTS.acquire(Priority.PAGE)
    except ConsentRequired:
        hold_message(HeldMessage(conversation=conversation, text=text, uploads=uploads))
    except HomeroomError as error:
        is_elsewhere = isinstance(error, TurnBusy) and not _is_answered_here(student, conversation, error)
        flash(AnsweredElsewhere() if is_elsewhere else error_for_student(error, uploads))
        save_draft_text("" if text in map(gettext, FILE_QUESTIONS) else text)
        save_draft_files(accepted_uploads(error, uploads))


def _send_held(student: Student, held: HeldMessage) -> None:
    send_message(student, held.conversation, held.text, held.uploads)


def _is_answered_here(student: Student, conversation: str | None, error: TurnBusy) -> bool:
    """Whether this page shows the running turn: nobody sees another tab's on it."""
    if conversation is None or error.next_step != TurnBusy.next_step:
        return True
    services = session.services()
    if services.live_followers.wait_for(tab_id(), 0):
        return True
    running = services.turns.current(student.id, conversation)
    return running is not None and was_followed(f"{conversation}/{running.turn_id}")


def draw_bottom_bar(student: Student, chat: ChatState, connected: Mapping[str, Connection]) -> DeltaGenerator | None:
    """Draw the bar; returns the slot of Stop, to be emptied when the turn ends, or None when the page reruns then."""
    with st.bottom.container(key="dock", gap="xsmall"):
        flashed = show_flash()
        if chat.id is None:
            draw_undo_delete(student)
        else:
            forget_deleted()
        _draw_broken_connections(connected)
        draw_consent_request(student, connected, send=_send_held)
        policy = st.container(key="class-exam")
        with st.container(key="pickers", horizontal=True, vertical_alignment="center", gap="small"):
            assistant = chosen_assistant(student, chat)
            if not is_live():
                draw_answer_picker(student, chat, connected)
            draw_class_policy(student, assistant)
            stop = (
                _draw_stop_button(student, chat.running.turn_id) if chat.running and is_drawn_by_script(chat) else None
            )
        with policy:
            draw_exam_notice(student, chat, assistant)
        if assistant.is_guided and chat.id:
            draw_guided_actions(student, chat.id, send_message)
        reruns_then = isinstance(flashed, TurnBusy) and not isinstance(flashed, AnsweredElsewhere)
        return None if reruns_then else stop


def _draw_stop_button(student: Student, turn_id: str) -> DeltaGenerator:
    slot = st.empty()
    slot.button(gettext("Stop"), key="stop", icon=":material/stop_circle:", on_click=_stop, args=(student, turn_id))
    return slot


@guarded_callback
def _stop(student: Student, turn_id: str) -> None:
    session.services().turns.stop(student, turn_id)


def _draw_broken_connections(connected: Mapping[str, Connection]) -> None:
    """Link to Connections for each connection that must be reconnected before an answer can use it."""
    integrations = session.services().integrations
    for id, connection in connected.items():
        if not connection.health.offers_tools:
            label = messages.open_connections_link(integrations[id].label, connection.health)
            st.page_link(CONNECTIONS_PAGE.script, label=label, icon=":material/link_off:")
