"""`ChatTitles`: short titles of chats, made by the quick model after the first answer.

Until then, and wherever the model does not help, a chat keeps the title that its own words gave it.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace

from babel import Locale

from services.conversations.conversations import Conversations
from services.conversations.titles import FIRST_MESSAGES, LONGEST_TITLE, ChatNames
from services.conversations.turn_records import TurnRecord
from services.discovery.accounting import Accounting
from services.errors import ModelError, SettingsError
from services.identity.students import Student, Students
from services.llm.chat_model import ChatModel, ModelReply, ModelRequest, Payer
from services.llm.effort import with_effort
from services.llm.messages import StoredMessage, text_block
from services.runtime.prompt_files import prompt
from services.runtime.thread_pools import DaemonPool
from services.safety.text import plain
from services.turns.quarantined_summaries import safe_lines

log = logging.getLogger(__name__)

SETTING = "HOMEROOM_CHAT_TITLES"
MAX_TOKENS = 60
MOST_WORDS = 9
LONGEST_TEXT = 1_200
"""Characters of the question, and of the answer, that the model reads: a title needs no more."""
THREADS, MOST_WAITING = 2, 40
"""Where more chats begin at once than are named in time, the rest keep their first titles."""
_QUOTES = "\"'“”‘’«»„"


def are_made_by_model(environment: Mapping[str, str]) -> bool:
    """Whether the model names chats, or their own words alone do; raises `SettingsError`."""
    written = environment.get(SETTING, "model")
    if written not in ("model", "words"):
        raise SettingsError(SETTING, "is not known.", next_step="Set model or words.")
    return written == "model"


class ChatTitles:
    def __init__(
        self,
        *,
        model: ChatModel,
        name: str,
        accounting: Accounting,
        students: Students,
        conversations: Conversations,
        names: ChatNames,
        payer: Callable[[str, str], Payer],
    ) -> None:
        """name: of the model, the quick one. payer: who pays for an assistant, by the ids of the student and of it."""
        self._payer = payer
        self._model, self._name, self._accounting = model, name, accounting
        self._students, self._conversations, self._names = students, conversations, names
        self._pool = DaemonPool("chat-titles", THREADS)
        self._waiting = threading.Semaphore(MOST_WAITING)

    def name_after_turn(self, student_id: str, record: TurnRecord) -> Future[None] | None:
        """Name a chat behind, once, when the turn that ended was its first; None when nothing is to be done."""
        if record.first_seq != 1 or not self._waiting.acquire(blocking=False):
            return None
        naming = self._pool.submit_for(student_id, self._name_chat, student_id, record)
        naming.add_done_callback(self._end)
        return naming

    def _end(self, naming: Future[None]) -> None:
        self._waiting.release()
        if failure := naming.exception():
            log.warning("chat_not_named kind=%s", type(failure).__name__)

    def _name_chat(self, student_id: str, record: TurnRecord) -> None:
        conversation_id = record.conversation_id
        student = self._students.get(student_id)
        messages = self._conversations.messages(student_id, conversation_id, limit=FIRST_MESSAGES)
        question, answer = _exchange(messages)
        if student is None or not question or not answer:
            return
        before = self._names.claim(student_id, conversation_id)
        if before is None:
            return
        try:
            request = _request(self._name, student, question, answer)
            paid = replace(request, payer=self._payer(student_id, record.assistant))
            reply = self._model.stream(paid, lambda _: True)
        except ModelError as error:
            log.info("chat_not_named kind=%s", type(error).__name__)
            return
        self._accounting.record_side_request(student_id, self._name, reply.usage)
        if title := title_in(reply):
            self._names.replace_title(student_id, conversation_id, before, title)


def _exchange(messages: Sequence[StoredMessage]) -> tuple[str, str]:
    """The first question and the first answer; "" for one that is missing."""
    question = next((message.text for message in messages if message.is_question), "")
    answer = next((message.text for message in messages if message.role == "assistant" and message.text), "")
    return question.strip(), answer.strip()


def _request(model: str, student: Student, question: str, answer: str) -> ModelRequest:
    # Neither text can guess the random mark, so none can pretend to end.
    mark = secrets.token_hex(4)
    language = Locale.parse(student.locale, sep="-").get_language_name("en")
    parts = (plain(question)[:LONGEST_TEXT], plain(answer)[:LONGEST_TEXT])
    marked = "\n".join(f"--- {mark}\n{part}" for part in parts)
    messages = [
        {"role": "user", "content": [text_block(f"Write in {language} ({student.locale}).\n\n{marked}\n--- {mark}")]}
    ]
    system = [text_block(prompt("chat_title"))]
    request = ModelRequest(model=model, system=system, tools=(), messages=messages, is_background=True)
    quick = with_effort(request, "quick")
    return replace(quick, max_tokens=MAX_TOKENS, effort="low" if quick.effort else "")


def title_in(reply: ModelReply) -> str:
    """Read the title from a reply, without addresses, links and markup; "" for what is no title."""
    lines = list(safe_lines(reply)) if reply.stop_reason == "end_turn" else []
    if len(lines) != 1 or "…" in lines[0]:
        return ""
    title = lines[0].strip(f"{_QUOTES}*_`# ").rstrip(".:").strip(_QUOTES)
    is_short = 0 < len(title) <= LONGEST_TITLE and len(title.split()) <= MOST_WORDS
    return title if is_short and not any(sign in title for sign in "`*<>[]|{}") else ""
