"""`AssistantGuard`: whether a turn may begin and go on with its assistant, which may close or be taken away."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from zoneinfo import ZoneInfo

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.assistants.class_assistant import ClassAssistant, exam_sentence, is_class_assistant
from services.assistants.registry import AssistantRegistry
from services.conversations.turn_records import Notice, TurnStatus
from services.errors import AssistantClosed, ItemNotFound, ToolUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.llm.messages import StoredMessage
from services.tools.context import ToolExecutionContext
from services.turns.events import TurnEnded

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
"""How often an answer that is being written looks whether it may go on."""


class AssistantGuard:
    """Assistant of one run of a turn. An assistant of the deployment is read once; one of a class again and again, as
    its class, its publication and its exam windows may end it at any moment.
    """

    def __init__(
        self,
        assistants: AssistantRegistry,
        student: Student,
        assistant_id: str,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._assistants, self._student, self._id = assistants, student, assistant_id
        self._monotonic, self._next_look = monotonic, 0.0
        self._is_over = False
        found = self._load()
        self.is_gone = found is None and is_class_assistant(assistant_id)
        """The turn's assistant, one of a class, is not there for the student any more: the default one answers."""
        self.assistant: Assistant = found or assistants.get(DEFAULT_ASSISTANT)
        self._mode = _mode(self.assistant)

    @property
    def explains_rules_only(self) -> bool:
        return self._mode == "rules"

    def refusal(self, *, said: bool) -> TurnEnded | None:
        """The end of a turn, or of its next run, that may not begin at all: its assistant is closed."""
        return _stopped(self.assistant, self._student, said=said) if self._mode == "closed" else None

    def interruption(self, *, said: bool) -> TurnEnded | None:
        """The end of a turn that may not go on: its assistant was closed, limited or taken away since it began."""
        if self.is_gone or not is_class_assistant(self._id):
            return None
        self._next_look = self._monotonic() + LOOK_EVERY_S
        found = self._load()
        if found is not None and _mode(found) == self._mode:
            return None
        if found is not None and not _mode(found):
            # An exam window has ended: what the turn began with is stricter than what holds now.
            return None
        return _stopped(found, self._student, said=said)

    def may_go_on(self) -> bool:
        """Whether text may still come; looks every two seconds at most. Once False, it stays so."""
        if self._is_over or self.is_gone or not is_class_assistant(self._id):
            return not self._is_over
        if self._monotonic() >= self._next_look:
            self._is_over = self.interruption(said=True) is not None
        return not self._is_over

    def stopped(self, *, said: bool) -> TurnEnded:
        """The end of a turn whose text was not to come any more."""
        return self.interruption(said=said) or _stopped(None, self._student, said=said)

    def with_notice(self, ended: TurnEnded) -> TurnEnded:
        """The end of a turn that the default assistant has answered in place of one that is gone, which says so."""
        if not self.is_gone or ended.notice is not None:
            return ended
        return replace(ended, notice=Notice(sentence=gone_sentence(self.assistant)))

    def _load(self) -> Assistant | None:
        try:
            return self._assistants.for_student(self._student.id, self._id)
        except ItemNotFound:
            log.info("assistant_gone assistant=%.40r", self._id)
            return None


def gone_sentence(default: Assistant) -> str:
    """What a student reads whose chat had an assistant that is not theirs any more."""
    return gettext(
        "The assistant of this chat is not available to you any more. {name} answers from here on.",
        name=gettext(default.name),
    )


def require_answering(assistants: AssistantRegistry, student: Student, assistant_id: str) -> None:
    """Raise `AssistantClosed` while an exam window closes this assistant: nothing of a message is stored then."""
    if not is_class_assistant(assistant_id):
        return
    try:
        found = assistants.for_student(student.id, assistant_id)
    except ItemNotFound:
        return
    if isinstance(found, ClassAssistant) and found.is_closed:
        raise AssistantClosed(exam_sentence(found, ZoneInfo(student.timezone)))


def require_same_class(assistants: AssistantRegistry, context: ToolExecutionContext, asked: Assistant) -> None:
    """Raise `ToolUnavailable` for an assistant of a class, where one of another class has handed the question on.

    Instructors write the words of their assistants: those of one class must not spend what another class pays for, or
    have what it was given to read told in their own.
    """
    through = (id for id in context.asked_through if is_class_assistant(id))
    asking = [context.chosen, *(assistants.for_student(context.student.id, id) for id in through)]
    if asked.class_id and any(found.class_id not in ("", asked.class_id) for found in asking if found):
        raise ToolUnavailable(
            f"{asked.name} belongs to another class, which you cannot ask for the student.",
            next_step="Answer without it: the student can open a chat with it.",
        )


def question_alone(messages: list[StoredMessage]) -> list[StoredMessage]:
    """The student's own words of a turn, without files and what was said before: all that an assistant reads that
    explains only the rules.
    """
    questions = [message for message in messages if message.is_question]
    return [
        replace(message, content=tuple(block for block in message.content if block["type"] == "text"))
        for message in questions
    ]


def _mode(assistant: Assistant) -> str:
    return assistant.exam.mode if isinstance(assistant, ClassAssistant) and assistant.exam else ""


def _stopped(assistant: Assistant | None, student: Student, *, said: bool) -> TurnEnded:
    if isinstance(assistant, ClassAssistant) and assistant.exam:
        sentence = exam_sentence(assistant, ZoneInfo(student.timezone))
        step = gettext("What was said is kept.") if said else gettext("Your message is kept.")
    else:
        sentence = gettext("The assistant of this chat is not available to you any more.")
        step = gettext("Press the button, and Homeroom goes on without it.")
    notice = Notice(sentence=sentence, next_step=step, action="continue" if said else "retry")
    return TurnEnded(status=TurnStatus.INTERRUPTED if said else TurnStatus.FAILED, notice=notice)
