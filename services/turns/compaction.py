"""`Compaction`: replaces the older turns of a long conversation by a summary that a model writes.

docs/decisions/0024-long-chats-are-summed-up.md
"""

import json
import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace

from services.conversations.summaries import Summaries, escape_tags, summary_in, with_summary
from services.discovery.accounting import Accounting
from services.errors import ModelError, SettingsError
from services.files.attachments import attachments_in
from services.files.content_blocks import estimated_tokens
from services.i18n import gettext, gettext_noop
from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ChatModel, ModelRequest, Usage
from services.llm.effort import with_effort
from services.llm.messages import Block, StoredMessage, result_text, text_block
from services.prompt.loading_plan import LoadingPlan
from services.runtime.prompt_files import prompt
from services.turns.events import Event, ToolFinished, ToolProgress, ToolStarted
from services.turns.turn import Turn

log = logging.getLogger(__name__)

SETTING = "HOMEROOM_COMPACT_AT"
DEFAULT_PERCENT = 60
CHARACTERS_PER_TOKEN = 3
"""Rather too few: newer tokenizers cut finer, and JSON finer still."""
KEPT_SHARE = 0.4
"""Of the limit: the latest turns that stay word for word."""
WORTHWHILE_SHARE = 0.2
"""Of the limit: with less than this to sum up, another call would save nothing."""
LONGEST_RESULT = 3_000
"""Characters of one result; its start says what it found."""
LONGEST_PORTION = 200_000
"""Characters that one request sums up."""
MAX_PORTIONS = 8
LABEL = gettext_noop("Summing up the earlier part of this chat")
FAILED = gettext_noop("That did not work this time. The answer goes on without it.")


def share_of(environment: Mapping[str, str]) -> float:
    """Read the share of a model's window up to which a conversation is sent whole; raises `SettingsError`."""
    written = environment.get(SETTING, str(DEFAULT_PERCENT))
    if not written.isdecimal() or not 1 <= int(written) <= 90:
        raise SettingsError(SETTING, "is not a percentage.", next_step="Set a whole number from 1 to 90.")
    return int(written) / 100


def limit_of(model: str, share: float) -> int:
    """Tokens of a request from which on it is summed up; never so many that each of them costs a multiple."""
    known = capabilities_of(model)
    return min(int(known.window * share), known.surcharge_from or known.window)


class Compaction:
    def __init__(
        self, *, model: ChatModel, cheap: str, summaries: Summaries, accounting: Accounting, share: float
    ) -> None:
        """cheap: name of the model that sums up. share: of the answering model's window."""
        self._model = model
        self._cheap = cheap
        self._summaries = summaries
        self._accounting = accounting
        self._share = share

    def fold_summary(self, turn: Turn) -> None:
        """Replace the turn's earlier messages by their stored summary, if there is one."""
        if len(turn.messages) < 3 or not turn.may_have_summary:
            return
        summary = self._summaries.latest(turn.student.id, turn.record.conversation_id)
        if summary is not None:
            turn.earlier = [message for message in turn.messages if message.seq <= summary.last_seq]
            turn.messages[:] = with_summary(turn.messages, summary)

    def make_room(self, turn: Turn, plan: LoadingPlan) -> Generator[Event, None, bool]:
        """Sum up older turns when the next request would pass the limit, shown as a step; whether it was done."""
        limit = limit_of(plan.prefix.model, self._share)
        if turn.has_summed or _tokens(turn.messages, plan) <= limit:
            return False
        start = _start(turn.messages, int(limit * KEPT_SHARE))
        if start is None or _sum(turn.messages, before=start) < limit * WORTHWHILE_SHARE:
            return False
        return (yield from self._sum_up(turn, start))

    def shorten(self, turn: Turn) -> Generator[Event, None, bool]:
        """Sum up older turns after the model has refused a request as too long, whatever our estimate was."""
        start = _start(turn.messages, _sum(turn.messages) // 3)
        if start is None or turn.has_summed:
            return False
        return (yield from self._sum_up(turn, start))

    def _sum_up(self, turn: Turn, start: int) -> Generator[Event, None, bool]:
        """Replace the messages before `start`; False, and nothing changed, when the model cannot do it now."""
        turn.has_summed, step = True, f"summing-{turn.next_seq}"
        yield ToolStarted(call_id=step, name="", label=LABEL, arguments={})
        done = [message for message in turn.messages if message.seq < start and not message.meta.get("summary")]
        before = self._summaries.latest(turn.student.id, turn.record.conversation_id)
        try:
            text = yield from self._summarize(turn, step, before.text if before else "", done)
        except ModelError as error:
            log.warning("summary_failed kind=%s turn=%s", type(error).__name__, turn.record.id)
            yield ToolFinished(call_id=step, success=False, sentence=gettext(FAILED))
            return False
        first_seq = before.first_seq if before else done[0].seq
        where = (turn.student.id, turn.record.conversation_id)
        summary = self._summaries.save(*where, first_seq=first_seq, last_seq=start - 1, text=text)
        log.info("conversation_summed_up turn=%s messages=%s", turn.record.id, len(done))
        turn.earlier = [*turn.earlier, *done]
        turn.messages[:] = with_summary(turn.messages, summary)
        yield ToolFinished(call_id=step, success=True)
        return True

    def _summarize(
        self, turn: Turn, step: str, text: str, done: Sequence[StoredMessage]
    ) -> Generator[Event, None, str]:
        """Merge the earlier summary and these messages into one, a portion at a time; raises `ModelError`."""
        wanted = joined_portions(transcript_lines(done))[-MAX_PORTIONS:]
        for number, portion in enumerate(wanted, 1):
            note = gettext("{done} of {total}", done=number, total=len(wanted)) if len(wanted) > 1 else ""
            text = yield from self._summarize_portion(turn, text, portion, ToolProgress(call_id=step, note=note))
        return text

    def _summarize_portion(
        self, turn: Turn, before: str, portion: str, progress: ToolProgress
    ) -> Generator[Event, None, str]:
        """Merge the earlier summary and one portion; raises `ModelError` when the model writes none.

        Raises `AnswerUnwanted` when the turn was stopped meanwhile.
        """
        yield progress
        reply = self._model.stream(
            replace(self._request(before, portion), payer=turn.payer), lambda _: not turn.watch.is_over
        )
        self._accounting.record_side_request(turn.student.id, self._cheap, reply.usage)
        written = "\n".join(block["text"] for block in reply.content if block["type"] == "text").strip()
        if reply.stop_reason != "end_turn" or not written:
            raise ModelError("The record was not written to its end.")
        return written

    def _request(self, before: str, portion: str) -> ModelRequest:
        record = f"<record>\n{escape_tags(before)}\n</record>\n\n" if before else ""
        text = f"{record}<conversation>\n{portion}\n</conversation>\n\nWrite the record now."
        said = {"role": "user", "content": [text_block(text)]}
        plain = ModelRequest(
            model=self._cheap, system=[text_block(prompt("summary_instructions"))], tools=(), messages=[said]
        )
        request = with_effort(plain, "quick")
        return replace(request, effort="low") if request.effort else request


def _start(messages: Sequence[StoredMessage], kept: int) -> int | None:
    """Find the question from which on all messages stay: as early as `kept` tokens allow, but not the first one."""
    questions = [message.seq for message in messages if message.is_question and not message.meta.get("is_hidden")]
    for seq in questions[1:]:
        if _sum(messages, since=seq) <= kept:
            return seq
    return questions[-1] if len(questions) > 1 else None


def _tokens(messages: Sequence[StoredMessage], plan: LoadingPlan) -> int:
    """Estimate the tokens of a request: our own count, or that of the API for the last one and what came since."""
    system = len(json.dumps(plan.prefix.system, ensure_ascii=False)) // CHARACTERS_PER_TOKEN
    estimated = system + sum(map(_size, messages))
    for at in range(len(messages) - 1, -1, -1):
        meta = messages[at].meta
        is_alike = meta.get("summary", "") == summary_in(messages)
        if is_alike and meta.get("plan", {}).get("model") == plan.prefix.model:
            usage = meta.get("usage", {})
            counted: int = sum(usage.get(kind, 0) for kind in Usage.__dataclass_fields__)
            return max(estimated, counted + sum(map(_size, messages[at + 1 :])))
    return estimated


def _sum(messages: Sequence[StoredMessage], *, since: int = 0, before: int | None = None) -> int:
    return sum(
        _size(message) for message in messages if message.seq >= since and (before is None or message.seq < before)
    )


def _size(message: StoredMessage) -> int:
    written = json.dumps(list(message.content), ensure_ascii=False)
    files: int = estimated_tokens(message.content)
    return len(written) // CHARACTERS_PER_TOKEN + files


def transcript_lines(messages: Sequence[StoredMessage]) -> list[str]:
    """Write one text for each message that says something. None can pass for our own text or another message: only the
    first line of each stands at the margin.
    """
    return [escape_tags(text) for message in messages if (text := "\n".join(map(_indented, _lines(message))))]


def joined_portions(texts: Sequence[str]) -> list[str]:
    """Join texts to as few portions as fit into a request each."""
    found: list[str] = []
    for text in texts:
        if found and len(found[-1]) + len(text) < LONGEST_PORTION:
            found[-1] = f"{found[-1]}\n\n{text}"
        else:
            found.append(text[:LONGEST_PORTION])
    return found


def _lines(message: StoredMessage) -> Iterator[str]:
    if message.role == "system" or (message.is_question and message.meta.get("is_hidden")):
        return
    if message.is_question:
        yield f"[{message.seq}] Student ({message.at[:16]}): {message.text}"
        yield from (f"(attached: {file.name})" for file in attachments_in(message.content))
        if message.meta.get("has_context"):
            yield f"(the app told: {message.content[0]['text']})"
        return
    for block in message.content:
        if block["type"] == "text":
            yield f"[{message.seq}] {message.role.capitalize()}: {block['text']}"
        elif block["type"] == "tool_use":
            yield f"[{message.seq}] Call {block['name']} {json.dumps(block['input'], ensure_ascii=False)}"
        elif block["type"] == "tool_result":
            yield f"[{message.seq}] Result: {_shortened(block)}"


def _indented(said: str) -> str:
    return "\n  ".join(said.splitlines())


def _shortened(block: Block) -> str:
    said = block["content"] if isinstance(block["content"], str) else result_text(block)
    return said if len(said) <= LONGEST_RESULT else f"{said[:LONGEST_RESULT]} (and more)"
