"""The only place that picks concrete parts: settings in, a `ServiceContainer` out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypedDict

from services import logs
from services import settings as settings_of
from services.agent.chats import Chats
from services.agent.configuration import AssistantConfigs
from services.agent.consulting import Consultations
from services.agent.conversations import Conversations
from services.agent.deferred import DeferredModel
from services.agent.gists import Gists
from services.agent.leases import Leases
from services.agent.models import ChatModel
from services.agent.prompts import PromptBuilder
from services.agent.records import TurnRecords
from services.agent.recovery import Recovery
from services.agent.service import AgentService
from services.agent.summing import share_of
from services.agent.turns import TurnRunner
from services.agent.waiting import Waiting
from services.agent.watched import WatchedModel
from services.agent.work import TurnWork
from services.approvals.activity import Activity
from services.approvals.approvals import Approvals
from services.approvals.decisions import Decisions
from services.approvals.execution import Execution
from services.assistants.registry import AssistantRegistry
from services.clock import Clock, utc_now
from services.connections.connections import Connections
from services.connections.vault import KeyRing, Vault
from services.container import ServiceContainer
from services.discovery.accounting import Accounting
from services.discovery.counters import DailyCounters
from services.discovery.metrics import Metrics
from services.discovery.parts import discovery
from services.discovery.plans.plans import LoadingPlans
from services.discovery.use import LearningToolsProvider, ServerUse
from services.integrations import catalog
from services.integrations.base import Integrations
from services.jobs.loop import JobsLoop
from services.keys import ApiKeys
from services.privacy.departures import Departures
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.storage.documents import Documents
from services.storage.engines import open_engine
from services.storage.store import Store
from services.students import Students
from services.tools.composite import CompositeToolsProvider
from services.tools.dispatch import Dispatcher
from services.tools.door import ToolDoor
from services.tools.local import LocalToolsProvider
from services.tools.providers import ToolsProvider
from services.tools.toolbox import Toolboxes
from services.tools.usage import ToolUsage

if TYPE_CHECKING:
    from services.tools.mcp.provider import MCPToolsProvider


@cache
def container() -> ServiceContainer:
    """This process's container; raises `SettingsError` for a setting that is missing or wrong."""
    settings = settings_of.from_process()
    logs.configure(settings)
    return build(settings)


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """What is a door to the store."""

    students: Students
    activity: Activity
    approvals: Approvals
    conversations: Conversations
    records: TurnRecords
    leases: Leases
    assistants: AssistantRegistry
    usage: ToolUsage
    accounting: Accounting
    metrics: Metrics


def build(
    settings: Settings,
    *,
    clock: Clock = utc_now,
    model: ChatModel | None = None,
    engine: Documents | None = None,
    integrations: Integrations | None = None,
) -> ServiceContainer:
    """A container of its own. What is given replaces the part that the settings ask for."""
    store = Store(engine or open_engine(settings))
    found = catalog.look(settings)
    offered = found.integrations if integrations is None else integrations
    connections = _connections(settings, store, offered, clock)
    mcp, use = _mcp(settings, store, clock), ServerUse(store, clock)
    kept, own, dispatcher = _kept(settings, store, clock), _root(found, offered, mcp), Dispatcher()
    root = LearningToolsProvider(own, use) if mcp else own
    toolboxes = _toolboxes(lambda: built, kept, root, offered, connections, clock, found)
    prompts, strategy = PromptBuilder(words=found.words, assistants=kept.assistants.known), settings.tool_loading
    finding = discovery(store=store, clock=clock, prompts=prompts, root=root, use=use, strategy=strategy)
    talk = _talk(settings, kept, model, toolboxes, dispatcher, finding.plans)
    agent = AgentService(**talk, conversations=kept.conversations, records=kept.records, accounting=kept.accounting)
    turns = _turns(kept, agent, toolboxes, dispatcher, clock)
    departures = Departures(store=store, students=kept.students, connections=connections, turns=turns, clock=clock)
    chats = Chats(store, clock, kept.conversations, turns, DailyCounters(store, kept.students, clock))
    jobs = {"recover": turns.recover, "retry_revocations": connections.retry_revocations}
    jobs["clear_out_chats"] = chats.shelf.clear_out
    built = ServiceContainer(
        settings=settings,
        clock=clock,
        store=store,
        students=kept.students,
        keys=ApiKeys(store, clock, instructors=settings.instructors),
        extensions=found.extensions,
        integrations=offered,
        connections=connections,
        root_tools=root,
        mcp=mcp,
        usage=kept.usage,
        accounting=kept.accounting,
        metrics=kept.metrics,
        dispatcher=dispatcher,
        activity=kept.activity,
        approvals=kept.approvals,
        conversations=kept.conversations,
        agent=agent,
        consultations=Consultations(**talk, prompts=prompts),
        gists=Gists(talk["model"], settings.model_quick, kept.accounting),
        assistants=kept.assistants,
        configs=_configs(talk, prompts, offered, turns),
        door=_door(kept, root, toolboxes, dispatcher),
        turns=turns,
        chats=chats,
        departures=departures,
        jobs=JobsLoop(kept.leases, {**jobs, "finish_departures": departures.finish_due}),
        fetch=SafeFetch(allow=settings.egress_allow),
        detector=finding.detector,
        misses=finding.misses,
    )
    return built


def _kept(settings: Settings, store: Store, clock: Clock) -> _Kept:
    students = Students(store, clock, secret=settings.cookie_secret)
    counters = DailyCounters(store, students, clock)
    return _Kept(
        students=students,
        activity=Activity(store, clock),
        approvals=Approvals(store, clock),
        conversations=Conversations(store, clock, summed_up_at=share_of(settings.environment)),
        records=TurnRecords(store, clock),
        leases=Leases(store, clock),
        assistants=AssistantRegistry(store),
        usage=ToolUsage(store, clock),
        accounting=Accounting(counters, clock),
        metrics=Metrics(counters),
    )


class _Talk(TypedDict):
    """What everything that talks with the model shares."""

    model: WatchedModel
    models: Mapping[str, str]
    assistants: AssistantRegistry
    toolboxes: Toolboxes
    plans: LoadingPlans
    dispatcher: Dispatcher


def _talk(
    settings: Settings,
    kept: _Kept,
    model: ChatModel | None,
    toolboxes: Toolboxes,
    dispatcher: Dispatcher,
    plans: LoadingPlans,
) -> _Talk:
    return {
        "model": WatchedModel(model or DeferredModel.of(settings)),
        "models": {"quick": settings.model_quick, "thorough": settings.model_thorough},
        "assistants": kept.assistants,
        "toolboxes": toolboxes,
        "plans": plans,
        "dispatcher": dispatcher,
    }


def _toolboxes(
    container: Callable[[], ServiceContainer],
    kept: _Kept,
    root: ToolsProvider,
    integrations: Integrations,
    connections: Connections,
    clock: Clock,
    found: catalog.Catalog,
) -> Toolboxes:
    return Toolboxes(
        container=container,
        root=root,
        integrations=integrations,
        connections=connections,
        approvals=kept.approvals,
        activity=kept.activity,
        tally=kept.usage,
        on_failure=kept.accounting.note_failure,
        clock=clock,
        capabilities=kept.assistants.with_own(found.capabilities),
        withheld=found.withheld,
    )


def _configs(talk: _Talk, prompts: PromptBuilder, offered: Integrations, turns: TurnRunner) -> AssistantConfigs:
    return AssistantConfigs(
        registry=talk["assistants"],
        toolboxes=talk["toolboxes"],
        prompts=prompts,
        integrations=offered,
        models=talk["models"],
        can_respond=lambda: talk["model"].answers and not turns.draining.is_set(),
    )


def _door(kept: _Kept, root: ToolsProvider, toolboxes: Toolboxes, dispatcher: Dispatcher) -> ToolDoor:
    return ToolDoor(
        root=root,
        toolboxes=toolboxes,
        assistants=kept.assistants,
        dispatcher=dispatcher,
        approvals=kept.approvals,
    )


def _connections(settings: Settings, store: Store, integrations: Integrations, clock: Clock) -> Connections:
    return Connections(
        store=store,
        vault=Vault(KeyRing.parse(settings.vault_keys)),
        integrations=integrations,
        clock=clock,
        public_url=settings.public_url,
    )


def _root(found: catalog.Catalog, integrations: Integrations, mcp: "MCPToolsProvider | None") -> ToolsProvider:
    local = LocalToolsProvider(found.tools(integrations))
    return local if mcp is None else CompositeToolsProvider([local], later=[mcp])


def _mcp(settings: Settings, store: Store, clock: Clock) -> "MCPToolsProvider | None":
    """The tools of the operator's servers; None, and nothing of it loaded, when there are none."""
    if not settings.mcp_servers:
        return None
    from services.tools.mcp.provider import MCPToolsProvider

    return MCPToolsProvider(settings.mcp_servers, store=store, clock=clock)


def _turns(kept: _Kept, agent: AgentService, toolboxes: Toolboxes, dispatcher: Dispatcher, clock: Clock) -> TurnRunner:
    work = TurnWork(agent=agent, conversations=kept.conversations, records=kept.records, leases=kept.leases)
    waiting = Waiting(approvals=kept.approvals, conversations=kept.conversations, records=kept.records)
    decisions = Decisions(
        approvals=kept.approvals,
        execution=Execution(approvals=kept.approvals, dispatcher=dispatcher, clock=clock),
        toolboxes=toolboxes,
        conversations=kept.conversations,
        records=kept.records,
        leases=kept.leases,
        waiting=waiting,
        work=work,
    )
    work.on_waiting = decisions.look_again
    recovery = Recovery(
        students=kept.students,
        conversations=kept.conversations,
        records=kept.records,
        approvals=kept.approvals,
        leases=kept.leases,
        work=work,
        waiting=waiting,
        decisions=decisions,
    )
    return TurnRunner(
        students=kept.students,
        conversations=kept.conversations,
        records=kept.records,
        leases=kept.leases,
        work=work,
        waiting=waiting,
        decisions=decisions,
        recovery=recovery,
        clock=clock,
    )
