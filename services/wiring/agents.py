"""`Agents`: everything that talks with the model, made once and shared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from services.agent.chats import Chats
from services.agent.configuration import AssistantConfigs
from services.agent.consulting import Consultations
from services.agent.decisions import Decisions
from services.agent.deferred import DeferredModel
from services.agent.gists import Gists
from services.agent.intake import Intake
from services.agent.models import ChatModel
from services.agent.prompts import PromptBuilder
from services.agent.recovery import Recovery
from services.agent.service import AgentService
from services.agent.turns import TurnRunner
from services.agent.waiting import Waiting
from services.agent.watched import WatchedModel
from services.agent.work import TurnWork
from services.approvals.execution import Execution
from services.assistants.registry import AssistantRegistry
from services.discovery.counters import DailyCounters
from services.discovery.plans.plans import LoadingPlans
from services.integrations.base import Integrations
from services.runtime.clock import Clock
from services.settings import Settings
from services.tools.dispatch import Dispatcher
from services.tools.toolbox import Toolboxes
from services.wiring.repositories import Repositories
from services.wiring.tools import Tools


@dataclass(frozen=True, kw_only=True)
class Agents:
    agent: AgentService
    consultations: Consultations
    gists: Gists
    configs: AssistantConfigs
    turns: TurnRunner
    chats: Chats


class _Talk(TypedDict):
    """What an agent and one that it consults share."""

    model: ChatModel
    models: Mapping[str, str]
    assistants: AssistantRegistry
    toolboxes: Toolboxes
    plans: LoadingPlans
    dispatcher: Dispatcher


def agents_of(
    settings: Settings,
    repositories: Repositories,
    tools: Tools,
    plans: LoadingPlans,
    prompts: PromptBuilder,
    offered: Integrations,
    *,
    model: ChatModel | None,
    clock: Clock,
) -> Agents:
    """model: in place of the one that the settings ask for."""
    watched = WatchedModel(model or DeferredModel.of(settings))
    models = {"quick": settings.model_quick, "thorough": settings.model_thorough}
    talk: _Talk = {
        "model": watched,
        "models": models,
        "assistants": repositories.assistants,
        "toolboxes": tools.toolboxes,
        "plans": plans,
        "dispatcher": tools.dispatcher,
    }
    agent = AgentService(
        **talk,
        conversations=repositories.conversations,
        records=repositories.records,
        accounting=repositories.accounting,
    )
    turns = _turns(repositories, agent, tools, clock)
    configs = AssistantConfigs(
        registry=repositories.assistants,
        toolboxes=tools.toolboxes,
        prompts=prompts,
        integrations=offered,
        models=models,
        can_respond=lambda: watched.answers and not turns.draining.is_set(),
    )
    return Agents(
        agent=agent,
        consultations=Consultations(**talk, prompts=prompts),
        gists=Gists(watched, settings.model_quick, repositories.accounting),
        configs=configs,
        turns=turns,
        chats=Chats(
            repositories.store,
            clock,
            repositories.conversations,
            turns,
            DailyCounters(repositories.store, repositories.students, clock),
        ),
    )


def _turns(repositories: Repositories, agent: AgentService, tools: Tools, clock: Clock) -> TurnRunner:
    work = TurnWork(
        agent=agent, conversations=repositories.conversations, records=repositories.records, leases=repositories.leases
    )
    waiting = Waiting(
        approvals=repositories.approvals, conversations=repositories.conversations, records=repositories.records
    )
    intake = Intake(
        store=repositories.store,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        work=work,
        waiting=waiting,
        clock=clock,
    )
    decisions = Decisions(
        approvals=repositories.approvals,
        execution=Execution(approvals=repositories.approvals, dispatcher=tools.dispatcher, clock=clock),
        toolboxes=tools.toolboxes,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        waiting=waiting,
        work=work,
    )
    work.on_waiting = decisions.look_again
    recovery = Recovery(
        students=repositories.students,
        conversations=repositories.conversations,
        records=repositories.records,
        approvals=repositories.approvals,
        leases=repositories.leases,
        work=work,
        waiting=waiting,
        decisions=decisions,
    )
    return TurnRunner(
        students=repositories.students,
        conversations=repositories.conversations,
        records=repositories.records,
        leases=repositories.leases,
        intake=intake,
        work=work,
        waiting=waiting,
        decisions=decisions,
        recovery=recovery,
    )
