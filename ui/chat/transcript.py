"""Transcript of a conversation: messages, tool steps, approvals and notices."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.approvals.approval import Approval
from services.conversations.answer_rows import Tones
from services.conversations.items import (
    Action,
    ApprovalItem,
    AssistantText,
    Item,
    NoticeItem,
    SummedUp,
    ToolLine,
    UserMessage,
)
from services.conversations.mentioned_addresses import named_addresses
from services.conversations.versions import QuestionVersions
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from services.week.course_tones import known_tones
from ui import session
from ui.approvals.approval_card import draw_approval_card
from ui.approvals.question_card import draw_question_card
from ui.chat.answer_actions import draw_answer_actions, draw_edit_pencil, draw_question_versions
from ui.chat.answer_text import Citations, draw_answer_text
from ui.chat.ask_again import draw_ask_again
from ui.chat.attachments import draw_attachments
from ui.chat.tool_explanation import draw_tool_explanation
from ui.chat.tool_step import draw_tool_step
from ui.session_guard import guarded_callback
from ui.study.quiz_panel import draw_quiz, made_quiz
from ui.tool_names import service_label

ASSISTANT_ICON = ":material/school:"
STUDENT_ICON = ":material/person:"
ACTIONS = {
    "retry": (gettext_noop("Retry"), ":material/refresh:"),
    "continue": (gettext_noop("Continue"), ":material/play_arrow:"),
}


def chat_bubble(is_student: bool) -> Any:
    return (
        st.chat_message("user", avatar=STUDENT_ICON)
        if is_student
        else st.chat_message("assistant", avatar=ASSISTANT_ICON)
    )


class Transcript:
    """Draws one conversation's items.

    Only addresses that the student or a tool result named become links in the assistant's text: a model under
    prompt injection could otherwise send what it knows to a stranger's address.
    """

    def __init__(
        self,
        student: Student,
        conversation_id: str,
        *,
        found_seq: int = 0,
        versions: Mapping[int, QuestionVersions] | None = None,
    ) -> None:
        """found_seq: of the message that a search opened. versions: of questions that have several, by their number."""
        self._versions = versions or {}
        self._student = student
        self._conversation_id = conversation_id
        self._found_seq = found_seq
        self._question: UserMessage | None = None
        self._tones: Tones | None = None
        self._approvals = session.services().approvals.for_conversation(student.id, conversation_id)
        self._origin = session.services().settings.public_url
        self.known = named_addresses((), self._approvals.values(), own_origin=self._origin)

    def draw(self, items: Sequence[Item], *, is_followed: bool = False) -> None:
        """Draw finished items; those of one speaker share a bubble. is_followed: a running turn comes after.

        Each question and its answer are in a container of their own, by which the live component tells them apart.
        """
        self.add_addresses(items)
        exchange: DeltaGenerator | None = None
        for is_student, group in groupby(items, key=lambda item: isinstance(item, UserMessage)):
            drawn = list(group)
            last = drawn[-1]
            if isinstance(last, UserMessage):
                self._question = last
                exchange = st.container(key=f"exchange-{last.seq}")
            with exchange or st.container(key="exchange-0"):
                self._draw_bubble(drawn, is_student=is_student, is_last=last is items[-1] and not is_followed)

    def _draw_bubble(self, items: Sequence[Item], *, is_student: bool, is_last: bool) -> None:
        citations = Citations()
        with chat_bubble(is_student):
            for item in items:
                with self._mark(item):
                    self.draw_item(item, citations)
            citations.draw(known=self.known)
            if is_last and self._question is not None:
                draw_ask_again(self._student, self._conversation_id, self._question, items)
            self.draw_foot(items, is_last=is_last)

    def add_addresses(self, items: Iterable[Item]) -> None:
        """Add the addresses of these items to the known ones."""
        self.known |= named_addresses(items, (), own_origin=self._origin)

    def _mark(self, item: Item) -> AbstractContextManager[Any]:
        """Wrap the message that a search opened in a tab: Streamlit scrolls the chosen one of new tabs into view, and
        nothing else that is not a heading of the address.
        """
        if not self._found_seq or not isinstance(item, UserMessage | AssistantText) or item.seq != self._found_seq:
            return nullcontext()
        self._found_seq = 0
        return st.container(key="found-here").tabs([gettext("Found here")])[0]

    def draw_foot(self, items: Sequence[Item], place: DeltaGenerator | None = None, *, is_last: bool = True) -> None:
        """Draw the actions and the tool explanation of the answer that these items make up, in `place` or here."""
        texts = [item for item in items if isinstance(item, AssistantText) and item.seq]
        if not texts:
            return
        known = [item for item in texts if item.why is not None]
        key = f"{self._conversation_id}-{texts[-1].seq}"
        with (place or st).container(horizontal=True, gap="small", key=f"foot-{key}"):
            if known:
                draw_tool_explanation(known[-1].why, f"{self._conversation_id}-{known[-1].seq}")
            draw_answer_actions(self._student, self._conversation_id, texts, self._question, is_last=is_last)

    def draw_item(self, item: Item, citations: Citations) -> None:
        """Draw one item here; its citations go into `citations`."""
        match item:
            case UserMessage(text=text):
                st.markdown(literal(text))
                draw_attachments(self._student, self._conversation_id, item)
                draw_edit_pencil(self._student, self._conversation_id, item)
                if versions := self._versions.get(item.seq):
                    draw_question_versions(item.seq, versions)
            case AssistantText():
                text = citations.mark_text(item)
                draw_answer_text(text, known=self.known | citations.addresses, tones=self.tones)
            case ToolLine():
                draw_tool_step(item, known=self.known, service=service_label(item.name))
            case ApprovalItem(approval_id=approval_id):
                approval = self.approval(approval_id)
                draw_card = draw_question_card if approval.is_question else draw_approval_card
                draw_card(self._student, approval)
                if quiz_id := made_quiz(approval):
                    draw_quiz(quiz_id, key=approval.id)
            case NoticeItem():
                self._draw_notice(item)
            case SummedUp():
                st.caption(gettext("Earlier messages were summed up for the assistant; you still see all of them."))

    def tones(self) -> Tones:
        """Tones of the student's courses, read for the first rows."""
        if self._tones is None:
            self._tones = known_tones(session.services().store, self._student.id)
        return self._tones

    def approval(self, id: str, *, refresh: bool = False) -> Approval:
        """Approval by id, read again to refresh it."""
        if refresh or id not in self._approvals:
            self._approvals[id] = session.services().approvals.get(self._student.id, id)
        return self._approvals[id]

    def _draw_notice(self, item: NoticeItem) -> None:
        with st.container(key="notice" if item.action else None, gap="small"):
            what, next_step = literal(gettext(item.sentence)), literal(gettext(item.next_step))
            st.info(f"**{what}** {next_step}" if next_step else what, icon=":material/info:")
            if item.action is not None:
                label, icon = ACTIONS[item.action]
                args = (self._student, self._conversation_id, item.action)
                st.button(gettext(label), key=f"notice-{item.action}", icon=icon, on_click=retry_or_resume, args=args)


@guarded_callback
def retry_or_resume(student: Student, conversation_id: str, action: Action) -> None:
    """Do what the button of a notice says."""
    turns = session.services().turns
    go_on = turns.retry if action == "retry" else turns.resume
    go_on(student, conversation_id)
