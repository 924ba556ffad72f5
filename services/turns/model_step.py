"""`ModelStep`: one request to the model: what it adds to the conversation, and what is done when it is refused."""

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from services.assistants.assistant import Assistant
from services.conversations.conversations import Conversations
from services.errors import FeatureRefused, ModelInterrupted, ModelRefused, PromptTooLong
from services.files.attachment import attachments_in
from services.files.content_blocks import expand_attachments, name_attachments
from services.i18n import gettext
from services.llm.chat_model import ChatModel, ModelReply, ModelRequest
from services.llm.effort import with_effort
from services.llm.messages import Block, Role, StoredMessage
from services.prompt.loading_plan import LoadingPlan
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.request_messages import later_start, without_long_results
from services.turns.compaction import Compaction
from services.turns.events import Event, StepStored, TextDelta
from services.turns.turn import Turn

log = logging.getLogger(__name__)

Keep = Callable[[Turn, Role, Sequence[Block], Mapping[str, Any]], StepStored]


@dataclass(frozen=True, kw_only=True)
class ModelStepResult:
    """A finished request. loading: the plan that it was made with in the end. messages: those that it held."""

    reply: ModelReply
    loading: LoadingPlan
    request: ModelRequest = field(repr=False)
    messages: Sequence[StoredMessage] = field(repr=False)


class ModelStep:
    def __init__(
        self,
        *,
        model: ChatModel,
        plans: LoadingPlanner,
        conversations: Conversations,
        compaction: Compaction,
        keep: Keep,
    ) -> None:
        """keep: stores the next message of a turn."""
        self._model = model
        self._plans = plans
        self._conversations = conversations
        self._compaction = compaction
        self._keep = keep

    def run(self, turn: Turn, loading: LoadingPlan, assistant: Assistant) -> Generator[Event, None, ModelStepResult]:
        """Without what this model turns out not to take, if need be: the student notices nothing of it."""
        try:
            return (yield from self._taken(turn, loading, assistant))
        except ModelRefused as error:
            if type(error) is not ModelRefused or not any(attachments_in(message.content) for message in turn.messages):
                raise
        # A file that the model cannot open would be refused with every message to come, and end the chat for good.
        log.warning("model_refused_files turn=%s", turn.record.id)
        return (yield from self._stream(turn, loading, is_read=False))

    def _taken(self, turn: Turn, loading: LoadingPlan, assistant: Assistant) -> Generator[Event, None, ModelStepResult]:
        try:
            return (yield from self._fitting(turn, loading))
        except FeatureRefused:
            loading = self._plans.fall_back(loading, assistant, turn.messages)
        return (yield from self._fitting(turn, loading))

    def _fitting(self, turn: Turn, loading: LoadingPlan) -> Generator[Event, None, ModelStepResult]:
        """Of a conversation that has grown long, older turns are summed up; where that cannot be, it is cut."""
        yield from self._compaction.make_room(turn, loading)
        try:
            return (yield from self._stream(turn, loading))
        except PromptTooLong:
            is_shorter = yield from self._compaction.shorten(turn)
        if not is_shorter:
            return (yield from self._cut(turn, loading))
        try:
            return (yield from self._stream(turn, loading))
        except PromptTooLong:
            log.warning("still_too_long turn=%s", turn.record.id)
        return (yield from self._cut(turn, loading))

    def _cut(self, turn: Turn, loading: LoadingPlan) -> Generator[Event, None, ModelStepResult]:
        """Leave the older half out, once and for good; without one, long results of this request."""
        start = later_start(turn.messages)
        if start is None and not _has_long_results(loading.request(turn.messages)):
            raise PromptTooLong(gettext("This conversation has become too long for the model."))
        log.info("conversation_shortened turn=%s", turn.record.id)
        if start is not None:
            self._conversations.leave_out_before(turn.student.id, turn.record.conversation_id, start)
            dropped = [message for message in turn.messages if message.seq < start and not message.meta.get("summary")]
            turn.messages[:] = [message for message in turn.messages if message not in dropped]
            turn.earlier = [*turn.earlier, *dropped]
        return (yield from self._stream(turn, loading, is_last_resort=start is None))

    def _stream(
        self, turn: Turn, loading: LoadingPlan, *, is_last_resort: bool = False, is_read: bool = True
    ) -> Generator[Event, None, ModelStepResult]:
        """What the request adds is stored when its answer begins: only then is it part of the conversation."""
        turn.pieces = []
        addition = loading.system_update(turn.messages)
        sent = list(turn.messages)
        if addition is not None:
            told = StoredMessage(seq=turn.next_seq, role="system", content=addition.content, meta=addition.meta)
            sent.append(told)
        request = with_effort(loading.request(sent), turn.effort)
        if is_last_resort:
            request = _without_long_results(request)
        for part in self._model.stream(self._with_files(turn, request, is_read=is_read)):
            if addition is not None:
                yield self._keep(turn, "system", addition.content, addition.meta)
                addition = None
            if isinstance(part, ModelReply):
                return ModelStepResult(reply=part, loading=loading, request=request, messages=sent)
            turn.pieces.append(part.text)
            yield TextDelta(text=part.text)
        raise ModelInterrupted(gettext("The answer broke off."))

    def _with_files(self, turn: Turn, request: ModelRequest, *, is_read: bool) -> ModelRequest:
        """As it goes to the model: everywhere else a file is a short reference, which costs nothing to carry around."""
        files, where = self._conversations.files, (turn.student.id, turn.record.conversation_id)
        messages = (
            expand_attachments(request.messages, files, *where) if is_read else name_attachments(request.messages)
        )
        return request if messages is request.messages else replace(request, messages=messages)


def _without_long_results(request: ModelRequest) -> ModelRequest:
    return replace(request, messages=without_long_results([dict(message) for message in request.messages]))


def _has_long_results(request: ModelRequest) -> bool:
    return _without_long_results(request).messages != request.messages
