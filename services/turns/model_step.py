"""`ModelStep`: one request to the model within a turn, with the fallbacks for what the model refuses."""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from services.assistants.assistant import Assistant
from services.conversations.conversations import Conversations
from services.errors import FeatureRefused, ModelRefused, PromptTooLong
from services.files.attachments import attachments_in
from services.files.content_blocks import expand_attachments, name_attachments
from services.i18n import gettext
from services.identity.students import Student
from services.llm.chat_model import ChatModel, ModelReply, ModelRequest
from services.llm.effort import with_effort
from services.llm.messages import StoredMessage
from services.materials.picture_blocks import expand_pictures, has_pictures, name_pictures
from services.materials.results import PagePicture
from services.prompt.loading_plan import LoadingPlan
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.request_messages import later_start, without_long_results
from services.turns.compaction import Compaction
from services.turns.events import Event
from services.turns.turn import Turn

log = logging.getLogger(__name__)

DrawPage = Callable[[Student, str, int], PagePicture]
"""Draws a page of a student's material, see `MaterialLibrary.page_picture`."""
StepEvents = Generator[Event, None, "ModelStepResult"]


@dataclass(frozen=True, kw_only=True)
class ModelStepResult:
    """Result of a finished request. plan: the one that was used in the end. messages: those that it held."""

    reply: ModelReply
    plan: LoadingPlan
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
        page_picture: DrawPage,
    ) -> None:
        self._model = model
        self._plans = plans
        self._conversations = conversations
        self._compaction = compaction
        self._page_picture = page_picture

    def request_reply(self, turn: Turn, plan: LoadingPlan, assistant: Assistant) -> StepEvents:
        """Ask the model, if need be without what it turns out not to take: the student notices nothing of it."""
        try:
            return (yield from self._ask_with_features(turn, plan, assistant))
        except ModelRefused as error:
            if type(error) is not ModelRefused or not _has_files(turn.messages):
                raise
        # A file that the model cannot open would be refused with every later message, too, and end the chat for good.
        log.warning("model_refused_files turn=%s", turn.record.id)
        return self._stream(turn, plan, is_read=False)

    def _ask_with_features(self, turn: Turn, plan: LoadingPlan, assistant: Assistant) -> StepEvents:
        try:
            return (yield from self._ask_within_window(turn, plan))
        except FeatureRefused:
            plan = self._plans.fall_back(plan, assistant, turn.messages)
        return (yield from self._ask_within_window(turn, plan))

    def _ask_within_window(self, turn: Turn, plan: LoadingPlan) -> StepEvents:
        """Sum up the older turns of a conversation that is too long; where that fails, cut it."""
        yield from self._compaction.make_room(turn, plan)
        try:
            return self._stream(turn, plan)
        except PromptTooLong:
            is_shorter = yield from self._compaction.shorten(turn)
        if not is_shorter:
            return self._ask_shortened(turn, plan)
        try:
            return self._stream(turn, plan)
        except PromptTooLong:
            log.warning("still_too_long turn=%s", turn.record.id)
        return self._ask_shortened(turn, plan)

    def _ask_shortened(self, turn: Turn, plan: LoadingPlan) -> ModelStepResult:
        """Drop the older half for good; where there is none, drop long results of this request."""
        start = later_start(turn.messages)
        if start is None and not _has_long_results(plan.request(turn.messages)):
            raise PromptTooLong(gettext("This conversation has become too long for the model."))
        log.info("conversation_shortened turn=%s", turn.record.id)
        if start is not None:
            self._conversations.leave_out_before(turn.student.id, turn.record.conversation_id, start)
            dropped = [message for message in turn.messages if message.seq < start and not message.meta.get("summary")]
            turn.messages[:] = [message for message in turn.messages if message not in dropped]
            turn.earlier = [*turn.earlier, *dropped]
        return self._stream(turn, plan, is_last_resort=start is None)

    def _stream(
        self, turn: Turn, plan: LoadingPlan, *, is_last_resort: bool = False, is_read: bool = True
    ) -> ModelStepResult:
        """Send the request and wait for the reply; its text goes to the turn's stream from the reader's thread."""
        update = plan.system_update(turn.messages)
        sent = list(turn.messages)
        if update is not None:
            sent.append(StoredMessage(seq=turn.next_seq, role="system", content=update.content, meta=update.meta))
        request = replace(with_effort(plan.request(sent), turn.effort), payer=turn.payer)
        if is_last_resort:
            request = _without_long_results(request)
        turn.expect_reply(update)
        reply = self._model.stream(self._with_files(turn, request, is_read=is_read), turn.take_text)
        return ModelStepResult(reply=reply, plan=plan, request=request, messages=sent)

    def _with_files(self, turn: Turn, request: ModelRequest, *, is_read: bool) -> ModelRequest:
        """Replace references to files by their content: everywhere else a file is a short reference."""
        if not is_read:
            return replace(request, messages=name_pictures(name_attachments(request.messages)))
        place = (turn.student.id, turn.record.conversation_id)
        messages = expand_attachments(request.messages, self._conversations.files, *place)
        draw = partial(self._page_picture, turn.student)
        return replace(request, messages=expand_pictures(messages, draw, turn.pictures))


def _has_files(messages: Sequence[StoredMessage]) -> bool:
    contents = [{"content": message.content} for message in messages]
    return has_pictures(contents) or any(attachments_in(message.content) for message in messages)


def _without_long_results(request: ModelRequest) -> ModelRequest:
    return replace(request, messages=without_long_results([dict(message) for message in request.messages]))


def _has_long_results(request: ModelRequest) -> bool:
    return _without_long_results(request).messages != request.messages
