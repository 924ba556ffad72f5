"""Live transcript: draws a running turn as it streams, in a slot that no earlier run has drawn in."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem, AssistantText, Item, ToolLine, TurnView
from services.conversations.turn_records import TurnStatus
from services.identity.students import Student
from services.runtime.priority_limiter import CPU_SLOTS, Priority
from services.safety.markdown.sanitiser import StreamSanitiser, sanitise
from ui import session
from ui.chat.answer_text import Citations, draw_answer_text, is_in_pieces
from ui.chat.tool_step import draw_thinking
from ui.chat.transcript import Transcript, chat_bubble
from ui.flash_message import keep_flash

SLOT = "conversation_area"


def take_transcript_slot(follows: str | None) -> DeltaGenerator:
    """Container for this run. `follows` names the turn that the run will follow, if any.

    Streamlit removes what an earlier run drew only when a run ends, and a container at the same place inherits it
    until then: a run that follows an answer would show old buttons for as long. So each followed turn alternates
    between two slots, of which one is empty.
    """
    place, followed = st.session_state.get(SLOT, (0, None))
    if follows is not None and follows != followed:
        place = 1 - place
    st.session_state[SLOT] = (place, follows)
    return (st.empty(), st.empty())[place].container(key="conversation")


def was_followed(turn: str) -> bool:
    """Whether the last run of this page followed this turn, named as for `take_transcript_slot`."""
    return bool(st.session_state.get(SLOT, (0, None))[1] == turn)


def follow_turn(student: Student, conversation_id: str, transcript: Transcript, stop: DeltaGenerator | None) -> None:
    """Draw the turn as it grows. A finished answer of text and lookups stays as it is; after anything else, such
    as an approval or a failure, the page reruns to show what was stored.

    The turn belongs to its runner: a closed tab, a reload or another click ends only this drawing of it.
    stop: slot of the Stop button; None when the page reruns in any case, and its flash message goes.
    """
    view = None
    with chat_bubble(is_student=False):
        live = LiveTranscript(transcript)
    for view in session.services().turns.follow(student, conversation_id):
        live.update(view.items)
    if stop is None or view is None or not _is_text_and_lookups(view):
        if stop is not None:
            keep_flash()
        st.rerun()
    with CPU_SLOTS.acquire(Priority.END):
        live.finish()
        stop.empty()


def _is_text_and_lookups(view: TurnView) -> bool:
    """Whether an ended turn holds only text and lookups: drawn anew, the page would look the same.

    A failed lookup may have broken a connection, which the bottom bar shows; a step without a name is not stored.
    """
    is_whole = view.status is TurnStatus.DONE and bool(view.items)
    return is_whole and all(_is_text_or_lookup(item) for item in view.items)


def _is_text_or_lookup(item: Item) -> bool:
    is_found = isinstance(item, ToolLine) and item.success is True and bool(item.name)
    return is_found or isinstance(item, AssistantText)


class LiveTranscript:
    """Items of the running turn, each in a slot of its own; only what changed is sent to the browser."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._container = st.container()
        self._citations_slot = st.empty()
        self._actions_slot = st.empty()
        self._is_thinking = False
        self._slots: list[Any] = []
        self._drawn: list[Item] = []
        self._written: dict[int, str] = {}
        self._citations = Citations()
        self._sanitiser = StreamSanitiser(allowed=transcript.known)

    def update(self, items: Sequence[Item]) -> None:
        if len(items) > len(self._drawn):
            self._refresh_approvals()
        for index, item in enumerate(items):
            if index < len(self._drawn) and self._drawn[index] == item:
                self._drawn[index] = item
                continue
            if index == len(self._slots):
                self._slots.append(self._container.empty())
            self._draw(index, item, is_last=index == len(items) - 1)
            self._drawn[index:] = [item]
        self._show_thinking(not items or self._is_at_rest(items[-1]))

    def _draw(self, index: int, item: Item, *, is_last: bool) -> None:
        if isinstance(item, ToolLine) and item.sources:
            self._transcript.add_addresses([item])
            self._sanitiser = StreamSanitiser(allowed=self._transcript.known)
        if isinstance(item, AssistantText):
            if is_last:
                self._write(index, self._sanitiser.render(item.text))
            else:
                self._write_whole(index, item)
            return
        with self._slots[index].container():
            self._transcript.draw_item(item, self._citations)

    def finish(self) -> None:
        """Redraw each text in one piece, with every known address and its citations."""
        self._show_thinking(False)
        for index, item in enumerate(self._drawn):
            if isinstance(item, AssistantText):
                self._write_whole(index, item)
        self._citations.draw(self._citations_slot, known=self._transcript.known)
        self._transcript.draw_foot(self._drawn, self._actions_slot)

    def _write(self, index: int, written: str) -> None:
        if self._written.get(index) != written:
            self._written[index] = written
            self._slots[index].markdown(written)

    def _write_whole(self, index: int, item: AssistantText) -> None:
        text = self._citations.mark_text(item)
        known = self._transcript.known | self._citations.addresses
        if not is_in_pieces(text):
            self._write(index, sanitise(text, allowed=known))
        elif self._written.get(index) != text:
            self._written[index] = text
            with self._slots[index].container():
                draw_answer_text(text, known=known, tones=self._transcript.tones)

    def _refresh_approvals(self) -> None:
        """Redraw the cards of actions that were executing: once the turn goes on behind them, they have ended."""
        for index, item in enumerate(self._drawn):
            if isinstance(item, ApprovalItem) and self._is_executing(item):
                self._transcript.approval(item.approval_id, refresh=True)
                self._draw(index, item, is_last=False)

    def _is_executing(self, item: ApprovalItem) -> bool:
        return self._transcript.approval(item.approval_id).status is ApprovalStatus.EXECUTING

    def _is_at_rest(self, item: Item) -> bool:
        """Whether nothing on the page shows that the answer is in progress."""
        if isinstance(item, ApprovalItem):
            return not self._is_executing(item)
        return isinstance(item, ToolLine) and item.success is not None

    def _show_thinking(self, is_thinking: bool) -> None:
        if is_thinking != self._is_thinking:
            self._is_thinking = is_thinking
            self._citations_slot.empty()
            if is_thinking:
                draw_thinking(self._citations_slot)
