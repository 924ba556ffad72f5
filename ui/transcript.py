"""A conversation on the page: what was said, what was looked up, and what waits for an answer."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from services.agent.view import Action, ApprovalItem, AssistantText, Item, NoticeItem, ToolLine, UserMessage
from services.safety.markdown import sanitise
from services.safety.text import literal
from services.students import Student
from ui import approval_card, outcome, session

ASSISTANT = ":material/school:"
STUDENT = ":material/person:"
ACTIONS = {"retry": ("Retry", ":material/refresh:"), "continue": ("Continue", ":material/play_arrow:")}


def draw(student: Student, items: Sequence[Item]) -> None:
    """Draw finished items; consecutive ones of one speaker share a bubble."""
    known = known_addresses(items)
    for is_student, group in groupby(items, key=lambda item: isinstance(item, UserMessage)):
        with bubble(is_student):
            for item in group:
                draw_item(student, item, known)


def bubble(is_student: bool) -> Any:
    return st.chat_message("user", avatar=STUDENT) if is_student else st.chat_message("assistant", avatar=ASSISTANT)


class LiveTranscript:
    """The running turn's items, each in a slot of its own; only what changed is sent to the browser."""

    def __init__(self, student: Student, known: frozenset[str]) -> None:
        self._student = student
        self._known = known
        self._area = st.container()
        self._slots: list[Any] = []
        self._drawn: list[Item] = []

    def update(self, items: Sequence[Item]) -> None:
        known = self._known | known_addresses(items)
        for index, item in enumerate(items):
            if index < len(self._drawn) and self._drawn[index] == item:
                continue
            if index == len(self._slots):
                self._slots.append(self._area.empty())
            with self._slots[index].container():
                draw_item(self._student, item, known)
            self._drawn[index:] = [item]


def draw_item(student: Student, item: Item, known: frozenset[str]) -> None:
    match item:
        case UserMessage(text=text):
            st.markdown(literal(text))
        case AssistantText(text=text):
            st.markdown(sanitise(text, allowed=known))
        case ToolLine():
            _tool_line(item)
        case ApprovalItem(approval_id=approval_id):
            approval_card.draw(student, session.services().approvals.get(student.id, approval_id))
        case NoticeItem():
            _notice(student, item)


def _notice(student: Student, item: NoticeItem) -> None:
    st.info(f"{literal(item.sentence)} {literal(item.next_step)}".strip(), icon=":material/info:")
    if item.action is not None:
        label, icon = ACTIONS[item.action]
        st.button(label, key=f"notice-{item.action}", icon=icon, on_click=_go_on, args=(student, item.action))


def _go_on(student: Student, action: Action) -> None:
    turns = session.services().turns
    go_on = turns.retry if action == "retry" else turns.resume
    with outcome.told_next_run():
        go_on(student, st.query_params["c"])


def _tool_line(item: ToolLine) -> None:
    state = "running" if item.success is None else "complete" if item.success else "error"
    seconds = f" · {item.seconds:.1f} s" if item.seconds else ""
    with st.status(f"{literal(item.label)}{seconds}", state=state, type="step", expanded=item.success is False):
        if item.sentence:
            st.text(item.sentence)
        if item.arguments:
            st.caption("Asked for")
            st.json(dict(item.arguments), expanded=True)
        for source in item.sources:
            st.markdown(f"- {literal(source.title)}")


def known_addresses(items: Iterable[Item]) -> frozenset[str]:
    """Addresses that a tool result brought, or that the student typed: only these become links."""
    return frozenset(source.url for item in items if isinstance(item, ToolLine) for source in item.sources)
