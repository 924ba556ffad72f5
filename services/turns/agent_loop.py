"""`AgentService`: the agent loop: asks the model and runs its tool calls until the turn ends, and stores each step."""

import logging
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from services.assistants.assistant import Assistant
from services.assistants.registry import AssistantRegistry
from services.classes.class_repository import memberships_read_once
from services.classes.figures.figure_counters import FigureCounters
from services.conversations.claimed_changes import claims_change
from services.conversations.conversations import Conversations
from services.conversations.mentioned_addresses import mentioned_addresses
from services.conversations.turn_records import Notice, TurnRecords, TurnStatus
from services.discovery.accounting import Accounting
from services.discovery.explanation import explain_loading
from services.errors import DuplicateDocument, ItemNotFound, ModelError, WriteConflict
from services.llm.chat_model import AnswerUnwanted, ChatModel, Payer
from services.llm.citations import cited_sources, read_citations
from services.llm.effort import effort_of
from services.llm.messages import Block, Role, StoredMessage, text_block
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.request_messages import with_free_ids
from services.runtime.priority_limiter import CPU_SLOTS, Priority
from services.storage.leases import Leases
from services.storage.store import Store
from services.tools.dispatch import Dispatcher
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox, Toolboxes
from services.turns import stop_reasons
from services.turns.answer_metrics import AnswerMetrics, answer_meta
from services.turns.assistants.assistant_guard import AssistantGuard, question_alone
from services.turns.compaction import Compaction
from services.turns.events import Event, StepStored, TextEnded, TurnEnded
from services.turns.model_step import DrawPage, ModelStep
from services.turns.tool_calls import CallBudget, CallResult, ToolCallRunner, may_have_written
from services.turns.turn import Turn, TurnOver
from services.turns.turn_limits import max_steps_of

log = logging.getLogger(__name__)


class AgentService:
    def __init__(
        self,
        *,
        model: ChatModel,
        models: Mapping[str, str],
        assistants: AssistantRegistry,
        toolboxes: Toolboxes,
        store: Store,
        conversations: Conversations,
        records: TurnRecords,
        leases: Leases,
        plans: LoadingPlanner,
        accounting: Accounting,
        dispatcher: Dispatcher,
        page_picture: DrawPage,
        class_figures: FigureCounters,
        budget_note: Callable[[Payer], str] = lambda payer: "",
    ) -> None:
        """page_picture: draws a page of a student's material for the model. budget_note: what the student is told once,
        when most of their budget is spent; "" for nothing.
        """
        self._budget_note = budget_note
        self._answer_metrics = AnswerMetrics(accounting, plans, class_figures)
        self._models = models
        self._assistants = assistants
        self._toolboxes = toolboxes
        self._conversations = conversations
        self._documents = store
        self._records = records
        self._leases = leases
        self._plans = plans
        self._compaction = Compaction(
            model=model,
            cheap=models["quick"],
            summaries=conversations.summaries,
            accounting=accounting,
            share=conversations.summed_up_at,
        )
        self._model_step = ModelStep(
            model=model,
            plans=plans,
            conversations=conversations,
            compaction=self._compaction,
            page_picture=page_picture,
        )
        self._calls = ToolCallRunner(dispatcher)

    def get_user_tools(self, user_id: str) -> list[Tool]:
        """List the tools of this student's connected and healthy integrations, and our own, with one store read."""
        return list(self._toolboxes.resolution_of(user_id).tools)

    def run_turn(self, turn: Turn) -> Generator[Event, None, None]:
        """Run a turn and yield its events, the last one `TurnEnded`; that is missing when it was ended elsewhere."""
        with CPU_SLOTS.acquire(Priority.REQUEST), memberships_read_once(turn.seen_classes):
            guard = AssistantGuard(self._assistants, turn.student, turn.record.assistant)
        try:
            yield from self._steps(turn, guard)
        except TurnOver:
            return
        except AnswerUnwanted:
            if not guard.may_go_on():
                yield from self._cut_off(turn, guard.stopped)
        except ModelError as error:
            log.warning("model_failed kind=%s turn=%s", type(error).__name__, turn.record.id)
            yield from self._cut_off(turn, partial(stop_reasons.turn_failed, error))

    def _steps(self, turn: Turn, guard: AssistantGuard) -> Iterator[Event]:
        if (refusal := guard.refusal(said=turn.said)) is not None:
            yield refusal
            return
        with CPU_SLOTS.acquire(Priority.REQUEST), memberships_read_once(turn.seen_classes):
            assistant = self._begin(turn, guard)
            toolbox = self._toolboxes.for_student(turn.student, assistant)
            turn.effort, turn.class_id = effort_of(turn.record.effort, assistant), assistant.class_id
            model = self._models[turn.effort]
            if not guard.explains_rules_only:
                self._compaction.fold_summary(turn)
            plan = self._plans.plan_turn(turn.record.id, toolbox, assistant, model, turn.messages)
        budget = CallBudget(plan.toolbox, turn.calls)
        for step_number in range(max_steps_of(turn.effort, assistant)):
            with memberships_read_once(turn.seen_classes if step_number == 0 else None):
                interruption = guard.interruption(said=turn.said)
            if interruption is not None:
                yield interruption
                return
            step = yield from self._model_step.request_reply(turn, plan, assistant)
            plan = step.plan
            yield TextEnded()
            with CPU_SLOTS.acquire(Priority.END):
                self._answer_metrics.defer_request(turn, step)
                self._store_update(turn)
                usable, ending = stop_reasons.usable_content(step.reply)
                content = with_free_ids(usable, [*turn.earlier, *turn.messages])
                meta = answer_meta(turn, step, content)
                if guard.explains_rules_only:
                    # Its prompt holds for this answer alone: the next one goes on with the one before.
                    meta.pop("plan")
                calls = [block for block in content if block["type"] == "tool_use"]
                ended = self._checked_end(turn, plan.toolbox, content, ending) if not calls else None
                ended = self._with_budget_note(turn, guard.with_notice(ended) if ended else None)
                stored = self._store(turn, "assistant", content, meta, ended) if content else None
            if stored is not None:
                yield stored
            if ended is not None:
                yield replace(ended, is_stored=stored is not None)
                return
            if calls and (yield from self._run_calls(turn, plan.toolbox, calls, budget)):
                yield TurnEnded(status=TurnStatus.WAITING)
                return
        yield stop_reasons.TOO_MANY_STEPS

    def _checked_end(
        self, turn: Turn, toolbox: Toolbox, content: Sequence[Block], ending: TurnEnded | None
    ) -> TurnEnded | None:
        """The end of a turn, which contradicts words that claim a change when no call has made one."""
        if ending is None or ending.notice is not None or may_have_written(turn.own_messages, toolbox):
            return ending
        said = [*(block for message in turn.own_messages if message.role == "assistant" for block in message.content)]
        if not any(claims_change(block["text"]) for block in (*said, *content) if block["type"] == "text"):
            return ending
        student_id, conversation_id = turn.student.id, turn.record.conversation_id
        turn.deferred.append(
            partial(self._conversations.add_news, student_id, conversation_id, stop_reasons.CLAIM_NEWS)
        )
        return stop_reasons.NOTHING_CHANGED

    def _with_budget_note(self, turn: Turn, ended: TurnEnded | None) -> TurnEnded | None:
        """The end of an answer, with what is to be told of the budget, where there is nothing else to tell."""
        if ended is None or ended.notice is not None:
            return ended
        note = self._budget_note(turn.payer)
        return replace(ended, notice=Notice(sentence=note)) if note else ended

    def _begin(self, turn: Turn, guard: AssistantGuard) -> Assistant:
        """Prepare the turn for its assistant; a chat whose assistant is gone has the default one from now on."""
        turn.may_go_on = guard.may_go_on
        if guard.explains_rules_only:
            turn.messages[:] = question_alone(turn.own_messages)
        if guard.is_gone:
            with suppress(ItemNotFound):
                self._conversations.switch_assistant(turn.student.id, turn.record.conversation_id, guard.assistant)
        return guard.assistant

    def _run_calls(
        self, turn: Turn, toolbox: Toolbox, calls: Sequence[Block], budget: CallBudget
    ) -> Generator[Event, None, bool]:
        """Run the calls and store their results, in the order of the calls; whether the student must decide first."""
        results: dict[str, CallResult] = {}
        origin = toolbox.container.settings.public_url
        named = partial(mentioned_addresses, [*turn.earlier, *turn.messages], own_origin=origin)
        for event in self._calls.run_calls(
            toolbox,
            calls,
            budget,
            {
                **turn.call_fields,
                "seen_addresses": named,
                "cited_sources": lambda: cited_sources(
                    self._conversations.messages(turn.student.id, turn.record.conversation_id)
                ),
                "progress_observer": turn.watch,
            },
        ):
            if isinstance(event, CallResult):
                results[event.call["id"]] = event
            else:
                yield event
        ordered = [results[call["id"]] for call in calls]
        self._answer_metrics.defer_failures(turn, toolbox, ordered)
        meta = {"turn_id": turn.record.id, "results": {result.call["id"]: result.meta for result in ordered}}
        yield self._store(turn, "user", [result.block for result in ordered], meta)
        return any(result.result.requires_approval for result in ordered)

    def _cut_off(self, turn: Turn, end: Callable[..., TurnEnded]) -> Iterator[Event]:
        """Store the text of an answer that broke off; a turn without any text can be retried as it is.

        end: makes the end of the turn, given whether anything was `said`.
        """
        if turn.unsaved_text.strip():
            meta = {"turn_id": turn.record.id, "partial": "interrupted"}
            try:
                self._store_update(turn)
                yield self._store(turn, "assistant", [text_block(turn.unsaved_text)], meta)
            except TurnOver:
                return
        yield end(said=turn.said)

    def _store_update(self, turn: Turn) -> None:
        """Store what the model was told with its last request, once it has answered that: the words follow it."""
        if turn.update is not None:
            self._store(turn, "system", turn.update.content, turn.update.meta)
            turn.update = None

    def _store(
        self,
        turn: Turn,
        role: Role,
        content: Sequence[Block],
        meta: Mapping[str, Any],
        ended: TurnEnded | None = None,
    ) -> StepStored:
        """Store the next message of the turn, and with the last one its end.

        Raises `TurnOver` when this run of it is not the current one any more.
        """
        student_id, record = turn.student.id, turn.record
        stored = StoredMessage(seq=turn.next_seq, role=role, content=tuple(content), meta=meta)
        batch = self._documents.batch()
        self._records.advance(student_id, record.id, record.run, within=batch, said=True)
        self._conversations.insert_message(student_id, record.conversation_id, stored, within=batch)
        if ended is not None:
            self._records.end(student_id, record.id, ended.status, ended.notice, run=record.run, within=batch)
            self._leases.delete(turn.lease, within=batch)
        try:
            batch.commit()
        except (WriteConflict, DuplicateDocument):
            raise TurnOver from None
        turn.messages.append(stored)
        turn.next_seq, turn.said = stored.seq + 1, True
        if role == "assistant":
            turn.pieces = []
        citations = read_citations(meta.get("cited", ()), 0)
        return StepStored(seq=stored.seq, citations=citations, why=explain_loading(turn.own_messages))
