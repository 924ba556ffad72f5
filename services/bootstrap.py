"""The only place that picks concrete parts: settings in, a `ServiceContainer` out."""

from functools import cache

from services import logs
from services import settings as settings_of
from services.agent.anthropic_model import AnthropicModel
from services.agent.conversations import Conversations
from services.agent.leases import Leases
from services.agent.models import ChatModel
from services.agent.prompts import PromptBuilder
from services.agent.records import TurnRecords
from services.agent.recovery import Recovery
from services.agent.service import AgentService
from services.agent.turns import TurnRunner
from services.agent.waiting import Waiting
from services.agent.work import TurnWork
from services.approvals.activity import Activity
from services.approvals.approvals import Approvals
from services.approvals.decisions import Decisions
from services.approvals.execution import Execution
from services.clock import Clock, utc_now
from services.connections.connections import Connections
from services.connections.vault import KeyRing, Vault
from services.container import ServiceContainer
from services.integrations import catalog
from services.integrations.base import Integrations
from services.jobs.loop import JobsLoop
from services.keys import ApiKeys
from services.settings import Settings
from services.storage.documents import Documents
from services.storage.engines import open_engine
from services.storage.store import Store
from services.students import Students
from services.tools.dispatch import Dispatcher
from services.tools.local import LocalToolsProvider
from services.tools.toolbox import Toolboxes


@cache
def container() -> ServiceContainer:
    """This process's container; raises `SettingsError` for a setting that is missing or wrong."""
    settings = settings_of.from_process()
    logs.configure(settings)
    return build(settings)


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
    integrations = catalog.discover(settings) if integrations is None else integrations
    vault = Vault(KeyRing.parse(settings.vault_keys))
    connections = Connections(
        store=store, vault=vault, integrations=integrations, clock=clock, public_url=settings.public_url
    )
    connected_tools = [tool for integration in integrations.values() for tool in integration.tools]
    root = LocalToolsProvider([*connected_tools, *catalog.own_tools()])
    students, activity, approvals = Students(store, clock), Activity(store, clock), Approvals(store, clock)
    conversations, records, leases = Conversations(store, clock), TurnRecords(store, clock), Leases(store, clock)
    dispatcher = Dispatcher()
    toolboxes = Toolboxes(
        container=lambda: built,
        root=root,
        integrations=integrations,
        connections=connections,
        approvals=approvals,
        activity=activity,
    )
    agent = AgentService(
        model=model or AnthropicModel(api_key=settings.anthropic_api_key, base_url=settings.anthropic_base_url),
        model_name=settings.model_quick,
        toolboxes=toolboxes,
        conversations=conversations,
        records=records,
        prompts=PromptBuilder(),
        dispatcher=dispatcher,
    )
    turns = _turns(
        students=students,
        conversations=conversations,
        records=records,
        leases=leases,
        agent=agent,
        approvals=approvals,
        toolboxes=toolboxes,
        dispatcher=dispatcher,
        clock=clock,
    )
    jobs = {"recover": turns.recover, "retry_revocations": connections.retry_revocations}
    built = ServiceContainer(
        settings=settings,
        clock=clock,
        store=store,
        students=students,
        keys=ApiKeys(store, clock, instructors=settings.instructors),
        integrations=integrations,
        connections=connections,
        root_tools=root,
        activity=activity,
        approvals=approvals,
        conversations=conversations,
        agent=agent,
        turns=turns,
        jobs=JobsLoop(leases, jobs),
    )
    return built


def _turns(
    *,
    students: Students,
    conversations: Conversations,
    records: TurnRecords,
    leases: Leases,
    agent: AgentService,
    approvals: Approvals,
    toolboxes: Toolboxes,
    dispatcher: Dispatcher,
    clock: Clock,
) -> TurnRunner:
    work = TurnWork(agent=agent, conversations=conversations, records=records, leases=leases)
    waiting = Waiting(approvals=approvals, conversations=conversations, records=records)
    decisions = Decisions(
        approvals=approvals,
        execution=Execution(approvals=approvals, dispatcher=dispatcher, clock=clock),
        toolboxes=toolboxes,
        conversations=conversations,
        records=records,
        leases=leases,
        waiting=waiting,
        work=work,
    )
    recovery = Recovery(
        students=students,
        conversations=conversations,
        records=records,
        approvals=approvals,
        leases=leases,
        work=work,
        waiting=waiting,
        decisions=decisions,
    )
    return TurnRunner(
        students=students,
        conversations=conversations,
        records=records,
        leases=leases,
        work=work,
        waiting=waiting,
        decisions=decisions,
        recovery=recovery,
        clock=clock,
    )
