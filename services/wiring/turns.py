"""Wiring of turns: agent service, runner, conversations, and the discovery of tools, made once and shared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from services.approvals.execution import ApprovalExecutor
from services.assistants.class_assistant import is_class_assistant
from services.assistants.registry import AssistantRegistry
from services.classes.figures.figure_counters import FigureCounters
from services.conversations.branches import Branches
from services.conversations.change_watch import LOOK_EVERY_S
from services.conversations.deletion_queue import DeletionQueue
from services.conversations.ratings import Ratings
from services.conversations.search import ChatSearch
from services.conversations.titles import ChatNames
from services.conversations.turn_records import TurnRecord
from services.discovery.daily_counters import DailyCounters
from services.errors import ItemNotFound
from services.identity.students import Student
from services.integrations.base import Integrations
from services.llm.chat_model import ChatModel, HealthTrackingModel, Payer
from services.prompt.assistant_config import AssistantConfigs
from services.prompt.loading_planner import LoadingPlanner
from services.prompt.prompt_builder import PromptBuilder
from services.runtime.clock import Clock
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.storage.leases import Heartbeat
from services.study.learner_notes import LearnerNotes
from services.tools.dispatch import Dispatcher
from services.tools.toolbox import Toolboxes
from services.turns.agent_loop import AgentService
from services.turns.assistants.assistant_guard import require_answering
from services.turns.assistants.delegation import Delegation
from services.turns.assistants.preview import AssistantPreview
from services.turns.chat_titles import ChatTitles, are_made_by_model
from services.turns.decisions import Decisions
from services.turns.executor import TurnExecutor
from services.turns.live_followers import LiveFollowers
from services.turns.pending_decisions import PendingDecisions
from services.turns.quarantined_summaries import QuarantinedSummaries
from services.turns.recovery import Recovery
from services.turns.runner import TurnRunner
from services.turns.start import LONGEST_MESSAGE, TurnStart
from services.turns.submissions import Submissions
from services.turns.turn_limits import CALLS_IN_A_TURN, WRITES_IN_A_TURN
from services.wiring.container import ChatActions
from services.wiring.repositories import Repositories
from services.wiring.tools import Tools

LIMITS = {
    "tool_calls_per_turn": CALLS_IN_A_TURN,
    "changes_per_turn": WRITES_IN_A_TURN,
    "characters_per_message": LONGEST_MESSAGE,
}


@dataclass(frozen=True, kw_only=True)
class TurnParts:
    agent: AgentService
    delegation: Delegation
    assistant_preview: AssistantPreview
    quarantined_summaries: QuarantinedSummaries
    configs: AssistantConfigs
    turns: TurnRunner
    submissions: Submissions
    live_followers: LiveFollowers
    chats: ChatActions


class _AgentParts(TypedDict):
    """Parts that an agent loop and a delegated one share."""

    model: ChatModel
    models: Mapping[str, str]
    assistants: AssistantRegistry
    toolboxes: Toolboxes
    plans: LoadingPlanner
    dispatcher: Dispatcher


def turn_parts(
    settings: Settings,
    repositories: Repositories,
    tools: Tools,
    plans: LoadingPlanner,
    prompts: PromptBuilder,
    offered: Integrations,
    *,
    model: HealthTrackingModel,
    clock: Clock,
    terms: ConsentTerms,
    class_figures: FigureCounters,
) -> TurnParts:
    models = {"quick": settings.model_quick, "thorough": settings.model_thorough}
    shared: _AgentParts = {
        "model": model,
        "models": models,
        "assistants": repositories.assistants,
        "toolboxes": tools.toolboxes,
        "plans": plans,
        "dispatcher": tools.dispatcher,
    }
    agent = AgentService(
        **shared,
        store=repositories.store,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        accounting=repositories.accounting,
        page_picture=tools.page_picture,
        class_figures=class_figures,
        budget_note=repositories.budgets.note,
    )
    turns = _turns(repositories, agent, tools, clock, terms)
    configs = AssistantConfigs(
        registry=repositories.assistants,
        toolboxes=tools.toolboxes,
        prompts=prompts,
        integrations=offered,
        models=models,
        limits=LIMITS,
        can_respond=lambda: model.is_answering and not turns.draining.is_set(),
    )
    delegation = Delegation(**shared, prompts=prompts)
    return TurnParts(
        agent=agent,
        delegation=delegation,
        assistant_preview=AssistantPreview(
            delegation=delegation, toolboxes=tools.toolboxes, prompts=prompts, terms=terms
        ),
        quarantined_summaries=QuarantinedSummaries(model, settings.model_quick, repositories.accounting),
        configs=configs,
        turns=turns,
        submissions=Submissions(
            turns=turns,
            conversations=repositories.conversations,
            records=repositories.records,
            leases=repositories.leases,
        ),
        live_followers=LiveFollowers(),
        chats=_chats(repositories, turns, clock, _titles(settings, repositories, model, clock)),
    )


def _titles(settings: Settings, repositories: Repositories, model: ChatModel, clock: Clock) -> ChatTitles | None:
    """What names chats after their first answer; None where their own words alone do."""
    if not are_made_by_model(settings.environment):
        return None
    return ChatTitles(
        model=model,
        name=settings.model_quick,
        accounting=repositories.accounting,
        students=repositories.students,
        conversations=repositories.conversations,
        names=ChatNames(repositories.store, clock, repositories.conversations.changes),
        payer=partial(_payer, repositories.assistants),
    )


def _payer(assistants: AssistantRegistry, student_id: str, assistant_id: str) -> Payer:
    """Whose budget pays for an answer of this assistant: its class's, if it belongs to one."""
    if not is_class_assistant(assistant_id):
        return Payer(student_id=student_id)
    try:
        return Payer(student_id=student_id, class_id=assistants.for_student(student_id, assistant_id).class_id)
    except ItemNotFound:
        return Payer(student_id=student_id)


def _require_answer(repositories: Repositories, student: Student, assistant_id: str) -> None:
    """Raise `AssistantClosed` during an exam, `BudgetUsedUp` where no budget is left for this assistant's answer."""
    require_answering(repositories.assistants, student, assistant_id)
    repositories.budgets.require(_payer(repositories.assistants, student.id, assistant_id))


def _chats(repositories: Repositories, turns: TurnRunner, clock: Clock, titles: ChatTitles | None) -> ChatActions:
    store, conversations = repositories.store, repositories.conversations
    chats = ChatActions(
        conversations=conversations,
        search=ChatSearch(store, clock, conversations),
        deletion_queue=DeletionQueue(store, clock, conversations, end_turns=turns.end_conversation),
        ratings=Ratings(store, DailyCounters(store, repositories.students, clock)),
        branches=Branches(store, conversations, new_chat=turns.new_chat, withdraw=turns.withdraw_from),
    )

    def after_turn(student_id: str, record: TurnRecord) -> None:
        chats.update_after_turn(student_id, record)
        if titles is not None:
            titles.name_after_turn(student_id, record)

    turns.on_turn_end(after_turn)
    conversations.changes.on_watched = Heartbeat(conversations.changes.look, LOOK_EVERY_S).start
    repositories.approvals.on_change = conversations.mark_changed
    return chats


def _is_guided(assistants: AssistantRegistry, student: Student, assistant_id: str) -> bool:
    try:
        return assistants.for_student(student.id, assistant_id).is_guided
    except ItemNotFound:
        return False


def _executor(repositories: Repositories, agent: AgentService) -> TurnExecutor:
    return TurnExecutor(
        store=repositories.store,
        agent=agent,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        registry=repositories.registry,
    )


def _guided_news(
    assistants: AssistantRegistry, notes: LearnerNotes, student: Student, assistant_id: str
) -> Sequence[str]:
    """What a guided assistant is told of a student's understanding; nothing for any other."""
    if is_class_assistant(assistant_id):
        is_guided = _is_guided(assistants, student, assistant_id)
    else:
        is_guided = any(known.is_guided for known in assistants.cached() if known.id == assistant_id)
    return notes.news(student) if is_guided else ()


def _turns(
    repositories: Repositories, agent: AgentService, tools: Tools, clock: Clock, terms: ConsentTerms
) -> TurnRunner:
    executor = _executor(repositories, agent)
    pending = PendingDecisions(
        approvals=repositories.approvals, conversations=repositories.conversations, records=repositories.records
    )
    turn_start = TurnStart(
        store=repositories.store,
        students=repositories.students,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        executor=executor,
        pending=pending,
        clock=clock,
        guided_news=partial(_guided_news, repositories.assistants, LearnerNotes(repositories.store, clock)),
    )
    decisions = Decisions(
        approvals=repositories.approvals,
        execution=ApprovalExecutor(approvals=repositories.approvals, dispatcher=tools.dispatcher, clock=clock),
        toolboxes=tools.toolboxes,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        pending=pending,
        executor=executor,
        students=repositories.students,
        terms=terms,
    )
    executor.on_turn_waiting = decisions.continue_if_decided
    return TurnRunner(
        students=repositories.students,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        turn_start=turn_start,
        executor=executor,
        pending=pending,
        decisions=decisions,
        recovery=_recovery(repositories, executor, pending, decisions),
        terms=terms,
        require_answer=partial(_require_answer, repositories),
    )


def _recovery(
    repositories: Repositories, executor: TurnExecutor, pending: PendingDecisions, decisions: Decisions
) -> Recovery:
    return Recovery(
        students=repositories.students,
        conversations=repositories.conversations,
        records=repositories.records,
        approvals=repositories.approvals,
        leases=repositories.leases,
        executor=executor,
        pending=pending,
        decisions=decisions,
        guard=repositories.store.guard,
    )
