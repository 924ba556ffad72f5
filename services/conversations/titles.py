"""Titles of chats: made from the first question and answer, and `ChatNames`, which keeps a student's own."""

import re
from collections.abc import Sequence

from services.conversations.change_watch import ChangeWatch
from services.llm.messages import StoredMessage
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.store import Store

LONGEST_TITLE = 60
FIRST_MESSAGES = 12
"""Messages at the start of a chat among which its first answer is searched."""
_LOOKED_AT = 2_000
"""Characters of a text that are read: its start names a chat, and to match more of it could take seconds."""
_FEWEST_WORDS = 2
_POLITE = re.compile(
    r"(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|hola|buenos d[ií]as|buenas(?: tardes| noches)?"
    r"|thanks|thank you|please|por favor|ok(?:ay)?|um+|homeroom|there"
    r"|(?:can|could|would|will) you|i (?:need|want)(?: you)? to"
    r"|i(?:'d| would) like(?: you)? to|help me(?: to| with)?|¿?puedes|podr[ií]as|quiero|necesito)(?=\W|$)[\s,.!:;–-]*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_PASTED = re.compile(r":\s*(?:\n|[\"“«>].{45,}|.{80,})", re.DOTALL)
"""End of an instruction that pasted text follows; a few quoted words are a name, and belong to it."""
_MARKUP = re.compile(r"[*_`#>|]+|\[\d+\]|!?\[([^\]]{0,200})\]\([^)]{0,500}\)")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+(.+?)|\*\*(.+?)\*\*:?)[ \t]*$", re.MULTILINE)
_UNNAMED: Document = {"is_named": {"$ne": True}}


def title_of(question: str, answer: str = "") -> str:
    """One line of at most `LONGEST_TITLE` characters; "" when there is nothing to name the chat after.

    answer: the first one, as Markdown; its heading is used where the question alone ("And this?") says too little.
    """
    question = question.strip()[:_LOOKED_AT]
    heading = "" if says_enough(question) else _first_heading(answer.strip()[:_LOOKED_AT])
    return shortened(heading or _core_of_question(question) or _line(question))


def titles_of_exchange(messages: Sequence[StoredMessage]) -> tuple[str, str]:
    """Titles after the first question alone, and after it and its answer. messages: from the first one on."""
    opening = messages[:FIRST_MESSAGES]
    question = next((message.text for message in opening if message.is_question), "")
    answer = next((message.text for message in opening if message.role == "assistant" and message.text), "")
    return title_of(question), title_of(question, answer)


def says_enough(question: str) -> bool:
    """Whether it names a chat for good: a greeting, or a single word, is replaced by the next message."""
    return len(_core_of_question(question.strip()[:_LOOKED_AT]).split()) >= _FEWEST_WORDS


def shortened(text: str) -> str:
    """Cut a text to one line, between words."""
    line = _line(text)
    if len(line) <= LONGEST_TITLE:
        return line
    cut = line[: LONGEST_TITLE - 1].rsplit(" ", 1)[0]
    return f"{cut.rstrip(' ,;:.')}…"


def _core_of_question(question: str) -> str:
    """Strip greetings and pasted text from the question, and keep only the first sentence of a long one."""
    text = _instruction(question.strip())
    bare = text
    while (polite := _POLITE.match(bare)) and polite.end():
        bare = bare[polite.end() :]
    bare = _line(bare) if len(_line(bare)) <= LONGEST_TITLE else _line(_first_sentence(bare))
    return bare if bare == _line(text) else _capital(bare.rstrip(" ?.!"))


def _instruction(text: str) -> str:
    """Text before something pasted; a colon within a quoted title (“Lab 3: Spectra”) does not start that."""
    for at in (found.start() for found in re.finditer(":", text)):
        before = text[:at]
        is_quoted = before.count("“") > before.count("”") or before.count('"') % 2
        if not is_quoted and _PASTED.match(text, at):
            return before
    return text


def _first_sentence(text: str) -> str:
    """First sentence with enough words."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if len(sentence.split()) >= _FEWEST_WORDS]
    return sentences[0] if sentences else text


def _first_heading(answer: str) -> str:
    heading = _HEADING.search(answer)
    return "" if heading is None else _plain(heading.group(1) or heading.group(2))


def _plain(text: str) -> str:
    return _capital(_line(_MARKUP.sub(r"\1", text)).rstrip(" .:!"))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _line(text: str) -> str:
    return " ".join(text.split())


class ChatNames:
    def __init__(self, store: Store, clock: Clock, changes: ChangeWatch) -> None:
        self._store, self._clock, self._changes = store, clock, changes

    def name_after_exchange(self, student_id: str, conversation_id: str, messages: Sequence[StoredMessage]) -> None:
        """Name it after the first question and answer of `messages`, while it has the title of the question alone."""
        before, after = titles_of_exchange(messages)
        if after and after != before:
            self._change(student_id, conversation_id, {"has_weak_title": True}, title=after)

    def claim(self, student_id: str, conversation_id: str) -> str | None:
        """Claim the one title that a model makes for a chat: its title now; None when it has a name of the student's,
        or another claim was first.
        """
        mine = self._store.for_student(student_id)
        unclaimed = {**_UNNAMED, "is_title_claimed": {"$ne": True}, "deleted_at": None}
        claimed = mine.compare_and_set("conversations", conversation_id, unclaimed, {"is_title_claimed": True})
        return str(claimed["title"]) if claimed else None

    def replace_title(self, student_id: str, conversation_id: str, before: str, after: str) -> None:
        """Give it the title that a model made, unless it has got another one than `before` meanwhile."""
        self._change(student_id, conversation_id, {"title": before, "deleted_at": None}, title=after)

    def _change(self, student_id: str, conversation_id: str, unchanged: Document, *, title: str) -> None:
        now = stamp(self._clock())
        changes = {"title": title, "has_weak_title": False, "changed_at": now}
        expected = {**unchanged, **_UNNAMED}
        mine = self._store.for_student(student_id)
        if mine.compare_and_set("conversations", conversation_id, expected, changes) is not None:
            self._changes.notify(student_id, conversation_id, now)
