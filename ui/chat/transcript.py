"""A conversation on the page: what was said, what was looked up, and what waits for an answer."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.agent.view import Action, ApprovalItem, AssistantText, Item, NoticeItem, SummedUp, ToolLine, UserMessage
from services.approvals.approval import Approval, ApprovalStatus
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.markdown import sanitise
from services.safety.provenance import known_addresses
from services.safety.stream import StreamSanitiser
from services.safety.text import literal
from ui import action, session, tool_names
from ui.chat import answer_menu, answer_words, approval_card, attachments, question_card, tool_step, why_tools
from ui.chat.sources import Notes

ASSISTANT = ":material/school:"
STUDENT = ":material/person:"
ACTIONS = {
    "retry": (gettext_noop("Retry"), ":material/refresh:"),
    "continue": (gettext_noop("Continue"), ":material/play_arrow:"),
}


def bubble(is_student: bool) -> Any:
    return st.chat_message("user", avatar=STUDENT) if is_student else st.chat_message("assistant", avatar=ASSISTANT)


class Transcript:
    """Draws one conversation's items.

    Only addresses that the student or a tool result named become links in the assistant's words: a model that was
    talked into it could otherwise send what it knows to a stranger's address.
    """

    def __init__(self, student: Student, conversation_id: str, *, found_seq: int = 0) -> None:
        """found_seq: of the message that a search led to."""
        self._student = student
        self._conversation_id = conversation_id
        self._found_seq = found_seq
        self._question: UserMessage | None = None
        self._approvals = session.services().approvals.of_conversation(student.id, conversation_id)
        self._origin = session.services().settings.public_url
        done = [approval for approval in self._approvals.values() if approval.status is ApprovalStatus.DONE]
        self.known = known_addresses(
            [approval.output for approval in done],
            [approval.link for approval in self._approvals.values() if approval.link],
            own_origin=self._origin,
        )

    def draw(self, items: Sequence[Item], *, is_followed: bool = False) -> None:
        """Draw finished items; consecutive ones of one speaker share a bubble. is_followed: by an answer that runs."""
        self.learn(items)
        for is_student, group in groupby(items, key=lambda item: isinstance(item, UserMessage)):
            with bubble(is_student):
                notes, drawn = Notes(), list(group)
                self._question = drawn[-1] if isinstance(drawn[-1], UserMessage) else self._question
                for item in drawn:
                    with self._mark(item):
                        self.draw_item(item, notes)
                notes.draw(known=self.known)
                self.draw_foot(drawn, is_last=drawn[-1] is items[-1] and not is_followed)

    def learn(self, items: Iterable[Item]) -> None:
        """Take note of the addresses that these items bring."""
        items = list(items)
        texts = [item.text for item in items if isinstance(item, UserMessage)]
        urls = [source.url for item in items if isinstance(item, ToolLine) for source in item.sources]
        self.known |= known_addresses(texts, urls, own_origin=self._origin)

    def _mark(self, item: Item) -> AbstractContextManager[Any]:
        """Around the message that was looked for. A tab, because Streamlit brings the chosen one of new tabs into view,
        and scrolls to nothing else that is not a heading of the address.
        """
        if not self._found_seq or not isinstance(item, UserMessage | AssistantText) or item.seq != self._found_seq:
            return nullcontext()
        self._found_seq = 0
        return st.container(key="found-here").tabs([gettext("Found here")])[0]

    def draw_foot(self, items: Sequence[Item], place: DeltaGenerator | None = None, *, is_last: bool = True) -> None:
        """Under the answer that these items make up, in `place` or where the script stands: what can be done with it,
        and why it had its tools.
        """
        words = [item for item in items if isinstance(item, AssistantText) and item.seq]
        if not words:
            return
        known = [item for item in words if item.why is not None]
        key = f"{self._conversation_id}-{words[-1].seq}"
        with (place or st).container(horizontal=True, gap="small", key=f"foot-{key}"):
            if known:
                why_tools.draw(known[-1].why, f"{self._conversation_id}-{known[-1].seq}")
            answer_menu.draw(self._student, self._conversation_id, words, self._question, is_last=is_last)

    def draw_item(self, item: Item, notes: Notes) -> None:
        """Draw one item where the script stands; what it cites goes into `notes`."""
        match item:
            case UserMessage(text=text):
                st.markdown(literal(text))
                attachments.draw(self._student, self._conversation_id, item)
            case AssistantText():
                answer_words.draw(notes.marked(item), known=self.known)
            case ToolLine():
                tool_step.draw(item, known=self.known, service=tool_names.service_of(item.name))
            case ApprovalItem(approval_id=approval_id):
                approval = self.approval(approval_id)
                card = question_card if approval.is_question else approval_card
                card.draw(self._student, approval)
            case NoticeItem():
                self._notice(item)
            case SummedUp():
                st.caption(gettext("Earlier messages were summed up for the assistant; you still see all of them."))

    def approval(self, id: str, *, anew: bool = False) -> Approval:
        if anew or id not in self._approvals:
            self._approvals[id] = session.services().approvals.get(self._student.id, id)
        return self._approvals[id]

    def _notice(self, item: NoticeItem) -> None:
        with st.container(key="notice" if item.action else None, gap="small"):
            what, next_step = literal(gettext(item.sentence)), literal(gettext(item.next_step))
            st.info(f"**{what}** {next_step}" if next_step else what, icon=":material/info:")
            if item.action is not None:
                label, icon = ACTIONS[item.action]
                args = (self._student, self._conversation_id, item.action)
                st.button(gettext(label), key=f"notice-{item.action}", icon=icon, on_click=_go_on, args=args)


@action.guarded
def _go_on(student: Student, conversation_id: str, wanted: Action) -> None:
    turns = session.services().turns
    go_on = turns.retry if wanted == "retry" else turns.resume
    go_on(student, conversation_id)


class LiveTranscript:
    """The running turn's items, each in a slot of its own; only what changed is sent to the browser."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._area = st.container()
        self._foot = st.empty()
        self._after = st.empty()
        self._is_thinking = False
        self._slots: list[Any] = []
        self._drawn: list[Item] = []
        self._written: dict[int, str] = {}
        self._notes = Notes()
        self._sanitiser = StreamSanitiser(allowed=transcript.known)

    def update(self, items: Sequence[Item]) -> None:
        if len(items) > len(self._drawn):
            self._look_at_approvals()
        for index, item in enumerate(items):
            if index < len(self._drawn) and self._drawn[index] == item:
                self._drawn[index] = item
                continue
            if index == len(self._slots):
                self._slots.append(self._area.empty())
            self._draw(index, item, is_last=index == len(items) - 1)
            self._drawn[index:] = [item]
        self._think(not items or self._is_at_rest(items[-1]))

    def _draw(self, index: int, item: Item, *, is_last: bool) -> None:
        if isinstance(item, ToolLine) and item.sources:
            self._transcript.learn([item])
            self._sanitiser = StreamSanitiser(allowed=self._transcript.known)
        if isinstance(item, AssistantText):
            if is_last:
                self._write(index, self._sanitiser.render(item.text))
            else:
                self._write_whole(index, item)
            return
        with self._slots[index].container():
            self._transcript.draw_item(item, self._notes)

    def finish(self) -> None:
        """Write each text as it will stand from now on: in one piece, with every known address, and notes."""
        self._think(False)
        for index, item in enumerate(self._drawn):
            if isinstance(item, AssistantText):
                self._write_whole(index, item)
        self._notes.draw(self._foot, known=self._transcript.known)
        self._transcript.draw_foot(self._drawn, self._after)

    def _write(self, index: int, written: str) -> None:
        if self._written.get(index) != written:
            self._written[index] = written
            self._slots[index].markdown(written)

    def _write_whole(self, index: int, item: AssistantText) -> None:
        text = self._notes.marked(item)
        if not answer_words.has_diagrams(text):
            self._write(index, sanitise(text, allowed=self._transcript.known))
        elif self._written.get(index) != text:
            self._written[index] = text
            with self._slots[index].container():
                answer_words.draw(text, known=self._transcript.known)

    def _look_at_approvals(self) -> None:
        """Cards of writes that were being done: when the turn goes on behind them, they have ended."""
        for index, item in enumerate(self._drawn):
            if isinstance(item, ApprovalItem) and self._is_executing(item):
                self._transcript.approval(item.approval_id, anew=True)
                self._draw(index, item, is_last=False)

    def _is_executing(self, item: ApprovalItem) -> bool:
        return self._transcript.approval(item.approval_id).status is ApprovalStatus.EXECUTING

    def _is_at_rest(self, item: Item) -> bool:
        """Whether nothing on the page shows that the answer is being worked on."""
        if isinstance(item, ApprovalItem):
            return not self._is_executing(item)
        return isinstance(item, ToolLine) and item.success is not None

    def _think(self, is_thinking: bool) -> None:
        if is_thinking != self._is_thinking:
            self._is_thinking = is_thinking
            self._foot.empty()
            if is_thinking:
                tool_step.draw_thinking(self._foot)
