"""A conversation on the page: what was said, what was looked up, and what waits for an answer."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from services.agent.view import Action, ApprovalItem, AssistantText, Item, NoticeItem, ToolLine, UserMessage
from services.approvals.approval import Approval
from services.safety.markdown import sanitise
from services.safety.stream import StreamSanitiser
from services.safety.text import literal
from services.students import Student
from ui import approval_card, outcome, session

ASSISTANT = ":material/school:"
STUDENT = ":material/person:"
ACTIONS = {"retry": ("Retry", ":material/refresh:"), "continue": ("Continue", ":material/play_arrow:")}


def bubble(is_student: bool) -> Any:
    return st.chat_message("user", avatar=STUDENT) if is_student else st.chat_message("assistant", avatar=ASSISTANT)


class Transcript:
    """Draws one conversation's items.

    Only addresses that a tool result brought become links in the assistant's words: a model that was talked into it
    could otherwise send what it knows to a stranger's address.
    """

    def __init__(self, student: Student, conversation_id: str) -> None:
        self._student = student
        self._conversation_id = conversation_id
        self._approvals = session.services().approvals.of_conversation(student.id, conversation_id)
        self.known = {approval.link for approval in self._approvals.values() if approval.link}

    def draw(self, items: Sequence[Item]) -> None:
        """Draw finished items; consecutive ones of one speaker share a bubble."""
        self.learn(items)
        for is_student, group in groupby(items, key=lambda item: isinstance(item, UserMessage)):
            with bubble(is_student):
                for item in group:
                    self.draw_item(item)

    def learn(self, items: Iterable[Item]) -> None:
        """Take note of the addresses that these items bring."""
        self.known |= {source.url for item in items if isinstance(item, ToolLine) for source in item.sources}

    def draw_item(self, item: Item) -> None:
        match item:
            case UserMessage(text=text):
                st.markdown(literal(text))
            case AssistantText(text=text):
                st.markdown(sanitise(text, allowed=self.known))
            case ToolLine():
                _tool_line(item)
            case ApprovalItem(approval_id=approval_id):
                approval_card.draw(self._student, self._approval(approval_id))
            case NoticeItem():
                self._notice(item)

    def _approval(self, approval_id: str) -> Approval:
        known = self._approvals.get(approval_id)
        return known or session.services().approvals.get(self._student.id, approval_id)

    def _notice(self, item: NoticeItem) -> None:
        st.info(f"{literal(item.sentence)} {literal(item.next_step)}".strip(), icon=":material/info:")
        if item.action is not None:
            label, icon = ACTIONS[item.action]
            st.button(label, key=f"notice-{item.action}", icon=icon, on_click=self._go_on, args=(item.action,))

    def _go_on(self, action: Action) -> None:
        turns = session.services().turns
        go_on = turns.retry if action == "retry" else turns.resume
        with outcome.told_next_run():
            go_on(self._student, self._conversation_id)


class LiveTranscript:
    """The running turn's items, each in a slot of its own; only what changed is sent to the browser."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._area = st.container()
        self._slots: list[Any] = []
        self._drawn: list[Item] = []
        self._sanitiser = StreamSanitiser(allowed=transcript.known)

    def update(self, items: Sequence[Item]) -> None:
        self._transcript.learn(items)
        for index, item in enumerate(items):
            if index < len(self._drawn) and self._drawn[index] == item:
                continue
            if index == len(self._slots):
                self._slots.append(self._area.empty())
            self._draw(self._slots[index], item, is_last=index == len(items) - 1)
            self._drawn[index:] = [item]

    def _draw(self, slot: Any, item: Item, *, is_last: bool) -> None:
        if isinstance(item, AssistantText) and is_last:
            slot.markdown(self._sanitiser.render(item.text))
            return
        with slot.container():
            self._transcript.draw_item(item)


def _tool_line(item: ToolLine) -> None:
    state = "running" if item.success is None else "complete" if item.success else "error"
    seconds = f" · {item.seconds:.1f} s" if item.seconds else ""
    with st.status(f"{literal(item.label)}{seconds}", state=state, type="step", expanded=item.success is False):
        if item.sentence:
            st.text(item.sentence)
        if item.arguments:
            st.caption("Asked for")
            st.json(dict(item.arguments), expanded=True)
        if item.sources:
            st.caption("Found")
            st.text("\n".join(source.title for source in item.sources))
