"""`AgentService`: one turn as a stream of events, each step stored before the next begins."""

import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from services.agent import endings
from services.agent.calls import Answer, CallBudget, CallRunner, label_of
from services.agent.citations import read_citations, write_citations
from services.agent.conversations import Conversations
from services.agent.events import Event, StepStored, TextDelta, TurnEnded, TurnStatus
from services.agent.history import ApiMessage, api_messages, later_start, without_calls, without_long_results
from services.agent.messages import Block, StoredMessage, text_block
from services.agent.models import ChatModel, ModelRequest, Reply
from services.agent.named import named_in
from services.agent.prompts import PromptBuilder
from services.agent.records import TurnRecord, TurnRecords
from services.assistants.assistant import DEFAULT, Assistant
from services.assistants.registry import AssistantRegistry
from services.errors import DuplicateDocument, ItemNotFound, ModelError, ModelInterrupted, PromptTooLong
from services.students import Student
from services.tools.base import Tool, Watch
from services.tools.dispatch import Dispatcher
from services.tools.toolbox import Toolbox, Toolboxes

log = logging.getLogger(__name__)


class TurnOver(Exception):
    """The turn was ended or taken over by somebody else: its worker stops without another word."""


@dataclass(kw_only=True)
class Turn:
    """A run of a turn. messages: the conversation as stored, from the first one that the model is sent.

    recorded: done when the turn's record is stored. The model is asked meanwhile; nothing is stored before.
    watch: who looks on while its tools run.
    """

    student: Student
    record: TurnRecord
    messages: list[StoredMessage] = field(repr=False)
    next_seq: int
    recorded: Future[None]
    watch: Watch
    said: bool = False
    words: str = field(default="", repr=False)

    @property
    def where(self) -> dict[str, str]:
        return {"conversation_id": self.record.conversation_id, "turn_id": self.record.id}

    @property
    def calls(self) -> list[Block]:
        mine = [m for m in self.messages if m.meta.get("turn_id") == self.record.id]
        return [call for message in mine for call in message.tool_calls]


class AgentService:
    def __init__(
        self,
        *,
        model: ChatModel,
        models: Mapping[str, str],
        assistants: AssistantRegistry,
        toolboxes: Toolboxes,
        conversations: Conversations,
        records: TurnRecords,
        prompts: PromptBuilder,
        dispatcher: Dispatcher,
    ) -> None:
        self._model = model
        self._models = models
        self._assistants = assistants
        self._toolboxes = toolboxes
        self._conversations = conversations
        self._records = records
        self._prompts = prompts
        self._calls = CallRunner(dispatcher)

    def get_user_tools(self, user_id: str) -> list[Tool]:
        """The tools of this student's connected and healthy integrations, and our own (row A1): one store read."""
        return list(self._toolboxes.resolution_of(user_id).tools)

    def run(self, turn: Turn) -> Generator[Event, None, None]:
        """The turn's events, the last one `TurnEnded`; none of that when somebody else ended it meanwhile."""
        try:
            yield from self._steps(turn)
        except TurnOver:
            return
        except ModelError as error:
            log.warning("model_failed kind=%s turn=%s", type(error).__name__, turn.record.id)
            yield from self._cut_off(turn, error)

    def _steps(self, turn: Turn) -> Iterator[Event]:
        assistant = self._assistant(turn)
        toolbox = self._toolboxes.of(turn.student, assistant)
        system = self._prompts.system(turn.student, toolbox.resolution, assistant)
        budget = CallBudget(toolbox, turn.calls)
        model = self._models[assistant.model]
        for _ in range(assistant.max_steps):
            reply = yield from self._ask(turn, model, toolbox, system)
            content, ending = endings.usable(reply)
            if content:
                yield self._store(turn, "assistant", content, self._assistant_meta(turn, toolbox, content, reply))
            calls = [block for block in content if block["type"] == "tool_use"]
            if not calls and ending is not None:
                yield ending
                return
            if calls and (yield from self._answer(turn, toolbox, calls, budget)):
                yield TurnEnded(status=TurnStatus.WAITING)
                return
        yield endings.TOO_MANY_STEPS

    def _assistant(self, turn: Turn) -> Assistant:
        """The one that the turn began with; the default one when it is not there any more."""
        try:
            return self._assistants.get(turn.record.assistant)
        except ItemNotFound:
            log.warning("assistant_gone turn=%s", turn.record.id)
            return self._assistants.get(DEFAULT)

    def _ask(
        self, turn: Turn, model: str, toolbox: Toolbox, system: Sequence[Mapping[str, Any]]
    ) -> Generator[Event, None, Reply]:
        """One model request; a conversation that has grown too long is shortened once, for good."""
        tools = [tool.definition() for tool in toolbox.resolution.tools]
        request = ModelRequest(model=model, system=system, tools=tools, messages=())
        messages = api_messages(turn.messages)
        try:
            return (yield from self._stream(turn, request, messages))
        except PromptTooLong:
            shorter = self._shortened(turn)
            if shorter == messages:
                raise
        log.info("conversation_shortened turn=%s", turn.record.id)
        return (yield from self._stream(turn, request, shorter))

    def _stream(
        self, turn: Turn, request: ModelRequest, messages: Sequence[ApiMessage]
    ) -> Generator[Event, None, Reply]:
        turn.words = ""
        sent = messages if request.tools else without_calls(messages)
        for part in self._model.stream(replace(request, messages=sent)):
            if isinstance(part, Reply):
                return part
            turn.words += part.text
            yield TextDelta(text=part.text)
        raise ModelInterrupted("The answer broke off.")

    def _shortened(self, turn: Turn) -> list[ApiMessage]:
        start = later_start(turn.messages)
        if start is None:
            return without_long_results(api_messages(turn.messages))
        self._conversations.start_from(turn.student.id, turn.record.conversation_id, start)
        turn.messages = [message for message in turn.messages if message.seq >= start]
        return api_messages(turn.messages)

    def _answer(
        self, turn: Turn, toolbox: Toolbox, calls: Sequence[Block], budget: CallBudget
    ) -> Generator[Event, None, bool]:
        """Run the calls and store their results, in the order of the calls; whether the student must decide first."""
        answers: dict[str, Answer] = {}
        named = partial(named_in, turn.messages, own_origin=toolbox.container.settings.public_url)
        for happened in self._calls.run(toolbox, calls, budget, {**turn.where, "named": named, "watch": turn.watch}):
            if isinstance(happened, Answer):
                answers[happened.call["id"]] = happened
            else:
                yield happened
        ordered = [answers[call["id"]] for call in calls]
        meta = {"turn_id": turn.record.id, "results": {a.call["id"]: a.meta for a in ordered}}
        yield self._store(turn, "user", [answer.block for answer in ordered], meta)
        return any(answer.result.requires_approval for answer in ordered)

    def _assistant_meta(self, turn: Turn, toolbox: Toolbox, content: Sequence[Block], reply: Reply) -> dict[str, Any]:
        labels = {b["id"]: label_of(toolbox, b["name"]) for b in content if b["type"] == "tool_use"}
        usage = {name: getattr(reply.usage, name) for name in reply.usage.__dataclass_fields__}
        cited = {"cited": write_citations(reply.cited)} if reply.cited else {}
        return {"turn_id": turn.record.id, "labels": labels, "usage": usage, **cited}

    def _cut_off(self, turn: Turn, error: ModelError) -> Iterator[Event]:
        """Keep the words of an answer that broke off; a turn in which nothing was said can be tried again as it is."""
        if turn.words.strip():
            meta = {"turn_id": turn.record.id, "partial": "interrupted"}
            try:
                yield self._store(turn, "assistant", [text_block(turn.words)], meta)
            except TurnOver:
                return
        yield endings.failed(error, said=turn.said)

    def _store(self, turn: Turn, role: Any, content: Sequence[Block], meta: Mapping[str, Any]) -> StepStored:
        """Store the next message of the turn, if this run of it still has a say; raises `TurnOver` when it has not."""
        student_id, record = turn.student.id, turn.record
        turn.recorded.result()
        if not self._records.advance(student_id, record.id, record.run, said=True):
            raise TurnOver
        try:
            stored = self._conversations.append(
                student_id, record.conversation_id, role=role, content=content, meta=meta, seq=turn.next_seq
            )
        except DuplicateDocument:
            raise TurnOver from None
        turn.messages.append(stored)
        turn.next_seq, turn.said, turn.words = stored.seq + 1, True, ""
        return StepStored(seq=stored.seq, citations=read_citations(meta.get("cited", ()), 0))
