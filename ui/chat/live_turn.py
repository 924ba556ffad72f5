"""Follows a running turn on the page."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.agent.events import TurnStatus
from services.agent.view import AssistantText, Item, ToolLine, TurnView
from services.identity.students import Student
from services.runtime.priority_limiter import INTERPRETER, Rank
from ui import outcome, session
from ui.chat.transcript import LiveTranscript, Transcript, bubble


def follow(student: Student, conversation_id: str, transcript: Transcript, stop: DeltaGenerator | None) -> None:
    """Draw the turn as it grows. An answer that is simply whole then stands as it is; after anything else, such as
    an approval or a failure, the page runs again to show what was stored.

    The turn belongs to its runner: a closed tab, a reload or another click only ends this drawing of it.
    stop: where Stop is; None when the page is to run again in any case, and what is told on it goes.
    """
    view = None
    with bubble(is_student=False):
        live = LiveTranscript(transcript)
    for view in session.services().turns.follow(student, conversation_id):
        live.update(view.items)
    if stop is None or view is None or not _is_plain(view):
        if stop is not None:
            outcome.keep_flash()
        st.rerun()
    with INTERPRETER.enter(Rank.END):
        live.finish()
        stop.empty()


def _is_plain(view: TurnView) -> bool:
    """An answer of words and lookups that came to its end: the page would look the same if it were drawn anew.

    A lookup that failed may have loosened a connection, of which the dock tells; a step without a name is not kept.
    """
    is_whole = view.status is TurnStatus.DONE and bool(view.items)
    return is_whole and all(_is_words_or_found(item) for item in view.items)


def _is_words_or_found(item: Item) -> bool:
    is_found = isinstance(item, ToolLine) and item.success is True and bool(item.name)
    return is_found or isinstance(item, AssistantText)
