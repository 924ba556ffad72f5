"""`Delegation`: one assistant asks another, which answers in an agent loop of its own with its own tools."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant, exam_sentence
from services.assistants.registry import AssistantRegistry
from services.conversations.mentioned_addresses import mentioned_addresses
from services.errors import BadArguments, ModelError, ModelInterrupted, ServiceUnavailable, ToolUnavailable
from services.i18n import gettext
from services.llm.chat_model import AnswerUnwanted, ChatModel, ModelReply, ModelRequest, Payer
from services.llm.citations import Source
from services.llm.messages import Block, StoredMessage, text_block
from services.materials.picture_blocks import PictureCache, expand_pictures
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import DELEGATION_TOOL, PromptBuilder, context_text
from services.prompt.request_messages import api_messages, without_calls
from services.safety.field_log import absorb
from services.safety.link_urls import is_reader_address
from services.safety.seen_addresses import SeenAddresses
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import Dispatcher
from services.tools.result import DelegatedAnswer, DelegationStep, ToolResult
from services.tools.toolbox import Toolbox, Toolboxes
from services.turns import stop_reasons
from services.turns.assistants.assistant_guard import require_same_class
from services.turns.events import ToolStarted
from services.turns.tool_calls import CallBudget, CallResult, ToolCallRunner, label_of
from services.turns.turn_limits import MAX_DELEGATED_STEPS

log = logging.getLogger(__name__)

MAX_DEPTH = 2
"""A question is delegated at most so often."""
MAX_TOKENS = 80_000
"""Of all requests together, read and written."""


class Delegation:
    """Runs the inner agent loop. Nothing of it is stored; its calls are in the student's activity like any other.

    It only reads. A write would have to wait for the student in the middle of a tool call of another assistant, so
    tools that need approval are not offered inside: the asking assistant proposes the write after the answer.
    """

    def __init__(
        self,
        *,
        model: ChatModel,
        models: Mapping[str, str],
        assistants: AssistantRegistry,
        toolboxes: Toolboxes,
        prompts: PromptBuilder,
        plans: LoadingPlanner,
        dispatcher: Dispatcher,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """models: the model's name for "quick" and "thorough". clock: monotonic seconds."""
        self._model = model
        self._models = models
        self._assistants = assistants
        self._toolboxes = toolboxes
        self._prompts = prompts
        self._plans = plans
        self._calls = ToolCallRunner(dispatcher)
        self._clock = clock

    def ask(
        self, context: ToolExecutionContext, assistant_id: str, question: str, *, within_s: float
    ) -> DelegatedAnswer:
        """Answer `question` as that assistant, for the student of `context`; no step starts after `within_s` seconds.

        Raises `ItemNotFound` for an assistant that does not exist, `BadArguments` for one that asks itself or has
        been asked already, `ToolUnavailable` when the question was delegated too often or comes from another class,
        and `ServiceUnavailable` when the model fails.
        """
        through = (*context.asked_through, context.chosen.id if context.chosen else "")
        if len(through) > MAX_DEPTH:
            raise ToolUnavailable("This question was handed on too often. Answer it yourself.", next_step="")
        assistant = self._assistants.for_student(context.student.id, assistant_id)
        _require_open(context, assistant)
        if assistant.id in through:
            raise BadArguments(
                gettext("{name} is who is asking.", name=assistant.name),
                field="assistant",
                next_step="Answer it yourself, or ask another.",
            )
        require_same_class(self._assistants, context, assistant)
        toolbox = self._read_only_toolbox(context, assistant, is_last=len(through) == MAX_DEPTH)
        loop = _Loop(
            assistant=assistant,
            toolbox=toolbox,
            context=context,
            question=question,
            messages=[_question(context, question)],
            fields=_context_fields(context, through),
            ends_at=self._clock() + within_s,
        )
        system = self._prompts.delegated_system(context, toolbox.resolution, assistant)
        try:
            return self._run(loop, system)
        except ModelError as error:
            log.warning("consultation_failed assistant=%s kind=%s", assistant.id, type(error).__name__)
            raise ServiceUnavailable(
                assistant.name, gettext("{name} could not answer: {error}", name=assistant.name, error=error)
            ) from error

    def converse(
        self,
        toolbox: Toolbox,
        assistant: Assistant,
        system: Sequence[Mapping[str, Any]],
        messages: list[StoredMessage],
        *,
        within_s: float,
    ) -> DelegatedAnswer:
        """Answer the last of these messages as a draft of an assistant, with this toolbox. Raises `ModelError`."""
        loop = _Loop(
            assistant=assistant,
            toolbox=toolbox,
            context=toolbox.context(),
            question=messages[-1].text,
            messages=messages,
            fields={"depth": 1},
            ends_at=self._clock() + within_s,
            is_draft=True,
        )
        return self._run(loop, system)

    def _read_only_toolbox(self, context: ToolExecutionContext, assistant: Assistant, *, is_last: bool) -> Toolbox:
        """Build its toolbox with the same connections and only tools that read; at the last depth it asks nobody."""
        toolbox = self._toolboxes.for_student(context.student, assistant, connections=context.connections)
        offered = tuple(tool for tool in toolbox.reading.tools() if not (is_last and tool.name == DELEGATION_TOOL))
        return replace(toolbox, asking=toolbox.reading, resolution=toolbox.resolution.only(offered))

    def _run(self, loop: "_Loop", system: Sequence[Mapping[str, Any]]) -> DelegatedAnswer:
        loop.tools = self._plans.definitions_for(loop.question, loop.toolbox.resolution)
        budget = CallBudget(loop.toolbox)
        for _ in range(min(loop.assistant.max_steps, MAX_DELEGATED_STEPS)):
            if loop.assistant.class_id and not loop.is_draft:
                # It may close, or be taken from the student, while it answers.
                _require_open(loop.context, self._assistants.for_student(loop.context.student.id, loop.assistant.id))
            reply = self._reply(loop, system)
            content, ending = stop_reasons.usable_content(reply)
            loop.append_message("assistant", content)
            calls = [block for block in content if block["type"] == "tool_use"]
            if not calls:
                return loop.ended("" if ending is None or ending.notice is None else ending.notice.sentence)
            self._run_calls(loop, calls, budget)
            if loop.tokens >= MAX_TOKENS or self._clock() >= loop.ends_at or loop.context.is_stopped:
                break
        return loop.ended(gettext("{name} was stopped before it had finished.", name=loop.assistant.name))

    def _reply(self, loop: "_Loop", system: Sequence[Mapping[str, Any]]) -> ModelReply:
        messages, tools = api_messages(loop.messages), loop.tools
        request = ModelRequest(
            model=self._models[loop.assistant.model],
            system=system,
            tools=tools,
            messages=loop.with_pictures(messages) if tools else without_calls(messages),
            payer=loop.payer,
        )
        reply = self._read(loop, request)
        usage = reply.usage
        loop.context.container.accounting.record_side_request(loop.context.student.id, request.model, usage)
        loop.tokens += usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens
        loop.tokens += usage.output_tokens
        return reply

    def _read(self, loop: "_Loop", request: ModelRequest) -> ModelReply:
        """Read the stream to its finished message; stops as soon as nobody waits for it."""
        try:
            return self._model.stream(request, lambda _: not loop.context.is_stopped)
        except AnswerUnwanted:
            raise ModelInterrupted(gettext("The answer was stopped.")) from None

    def _run_calls(self, loop: "_Loop", calls: Sequence[Block], budget: CallBudget) -> None:
        done = []
        for event in self._calls.run_calls(loop.toolbox, calls, budget, loop.call_fields):
            if isinstance(event, CallResult):
                done.append(event)
            elif isinstance(event, ToolStarted):
                loop.context.progress(gettext(event.label))
        for finished in done:
            absorb(finished.result.provenance)
        answers = {result.call["id"]: result for result in done}
        ordered = [answers[call["id"]] for call in calls]
        loop.steps += [_step(loop.toolbox, answer) for answer in ordered]
        own_origin = loop.context.container.settings.public_url
        loop.sources |= {source.url: source for result in ordered for source in sources_of(result.result, own_origin)}
        results = {answer.call["id"]: answer.meta for answer in ordered}
        loop.append_message("user", [answer.block for answer in ordered], {"results": results})


@dataclass(kw_only=True)
class _Loop:
    """State of an inner conversation. tools: the definitions that it begins with and keeps. is_draft: nobody but its
    instructors has the assistant.
    """

    assistant: Assistant
    toolbox: Toolbox
    context: ToolExecutionContext
    question: str
    messages: list[StoredMessage]
    fields: Mapping[str, Any]
    ends_at: float
    steps: list[DelegationStep] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    tokens: int = 0
    tools: Sequence[Mapping[str, Any]] = ()
    pictures: PictureCache = field(default_factory=dict)
    is_draft: bool = False

    @property
    def payer(self) -> Payer:
        """Whose budget pays: that of the class whose assistant answers, else of the one whose assistant has asked."""
        asking = self.context.payer
        return replace(asking, class_id=self.assistant.class_id or asking.class_id)

    @property
    def call_fields(self) -> dict[str, Any]:
        """Fields of the context of the next calls, with the addresses that were mentioned by then."""
        return {**self.fields, "seen_addresses": partial(_named, self.context, tuple(self.messages))}

    def with_pictures(self, messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        draw = partial(self.context.container.materials.page_picture, self.context.student)
        return expand_pictures(messages, draw, self.pictures)

    def append_message(self, role: Any, content: Sequence[Block], meta: Mapping[str, Any] | None = None) -> None:
        if content:
            self.messages.append(
                StoredMessage(seq=len(self.messages) + 1, role=role, content=content, meta=dict(meta or {}))
            )

    def ended(self, why_partial: str) -> DelegatedAnswer:
        return DelegatedAnswer(
            assistant=self.assistant,
            text="\n\n".join(self._words()) or "It has no answer.",
            steps=tuple(self.steps),
            sources=tuple(self.sources.values()),
            tokens=self.tokens,
            why_partial=why_partial,
        )

    def _words(self) -> Iterator[str]:
        """Texts of its last message."""
        said = [message for message in self.messages if message.role == "assistant"]
        return (str(block["text"]) for block in (said[-1].content if said else ()) if block["type"] == "text")


def _require_open(context: ToolExecutionContext, assistant: Assistant) -> None:
    """Raise `ToolUnavailable` while an exam window is open: through another assistant it says nothing at all then."""
    if isinstance(assistant, ClassAssistant) and assistant.exam:
        raise ToolUnavailable(exam_sentence(assistant, context.timezone), next_step="")


def _question(context: ToolExecutionContext, question: str) -> StoredMessage:
    """Build the question; a model's text is hidden, so that its addresses do not count as the student's own."""
    content = [text_block(context_text(context.now(), context.student.locale)), text_block(question)]
    meta = {"has_context": True, "is_hidden": not context.is_students_word}
    return StoredMessage(seq=1, role="user", content=content, meta=meta)


def _context_fields(context: ToolExecutionContext, through: tuple[str, ...]) -> dict[str, Any]:
    """Fields of the call that asks. `asked_by` is left out: the next calls are a model's."""
    return {
        "conversation_id": context.conversation_id,
        "turn_id": context.turn_id,
        "asked_through": through,
        "depth": context.depth + 1,
        "progress_observer": context.progress_observer,
    }


def _named(context: ToolExecutionContext, messages: Sequence[StoredMessage]) -> SeenAddresses:
    """Addresses mentioned outside, and then in the inner loop's results."""
    outside = context.seen_addresses() if context.seen_addresses else None
    return mentioned_addresses(messages, own_origin=context.container.settings.public_url, known=outside)


def sources_of(result: ToolResult, own_origin: str = "") -> Iterator[Source]:
    """Sources of a result; of a stranger's text only the first, so that it cannot bring many addresses. Pages of
    materials have addresses of our own making, and come all.
    """
    if not result.provenance.worst.is_of_strangers:
        return iter(result.sources)
    ours = [s for s in result.sources if s.url.startswith(f"{own_origin}/") and is_reader_address(s.url)]
    return iter(ours if own_origin and ours else result.sources[:1])


def _step(toolbox: Toolbox, answer: CallResult) -> DelegationStep:
    name = answer.call["name"]
    return DelegationStep(tool=name, label=label_of(toolbox, name), success=answer.result.success)
