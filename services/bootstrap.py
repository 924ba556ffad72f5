"""Bootstrap: builds the `ServiceContainer` from settings, room by room; the only place that picks concrete parts."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from services import settings as settings_of
from services.connections.connections import Connections
from services.connections.vault import KeyRing, Vault
from services.i18n import gettext_noop
from services.identity.api_keys import ApiKeys
from services.integrations import catalog
from services.integrations.base import Integrations
from services.integrations.catalog import Catalog
from services.llm.chat_model import ChatModel
from services.privacy.student_consents import StudentConsents
from services.runtime import log_output, logs
from services.runtime.clock import Clock, utc_now
from services.runtime.metrics_registry import MetricsRegistry
from services.runtime.traces import TRACES
from services.safety.consent import Recipient
from services.safety.consent_terms import ConsentTerms, model_provider
from services.safety.fetch import SafeFetch
from services.settings import Settings
from services.storage.documents import Documents
from services.storage.engines import open_engine
from services.storage.published_metrics import PublishedMetrics
from services.storage.record_guard import RecordGuard
from services.storage.store import Store
from services.storage.timed_documents import TimedDocuments
from services.storage.unreadable_records import UNREADABLE_RECORDS
from services.wiring.background_jobs import background_jobs, week_and_reminders
from services.wiring.classes import classroom_of
from services.wiring.container import ServiceContainer
from services.wiring.materials import embeddings_recipient, library_of
from services.wiring.model_requests import answering_model, discovery_parts, prompt_builder
from services.wiring.repositories import Repositories, repositories_of
from services.wiring.study import study_of
from services.wiring.tools import Tools, tools_of
from services.wiring.turns import TurnParts, turn_parts


@cache
def container() -> ServiceContainer:
    """The container of this process, built once; raises `SettingsError` for a setting that is missing or wrong."""
    settings = settings_of.from_process()
    logs.configure(settings)
    log_output.take_over(settings)
    TRACES.configure(settings)
    return build(settings)


def build(
    settings: Settings,
    *,
    clock: Clock = utc_now,
    model: ChatModel | None = None,
    engine: Documents | None = None,
    integrations: Integrations | None = None,
) -> ServiceContainer:
    """Build a container: store, integrations, their tools, the turns that use them, materials, and background jobs.
    What is given replaces the part that the settings ask for.
    """
    registry = _metrics_registry()
    store = Store(TimedDocuments(engine or open_engine(settings), registry), RecordGuard(registry, clock))
    found = catalog.load_catalog(settings)
    terms = _terms(settings, found)
    repositories = repositories_of(store, settings, clock, terms, registry)
    offered = found.integrations if integrations is None else integrations
    connections = _connections(settings, store, repositories, offered, clock, terms)
    tools = tools_of(settings, repositories, found, offered, connections, container=lambda: built, clock=clock)
    library = library_of(repositories, offered, connections, clock, settings=settings, terms=terms)
    llm = answering_model(settings, model, repositories)
    accounts = (connections, offered, tools.gateway)
    study = study_of(settings, repositories, library.materials, *accounts, model=llm, terms=terms, clock=clock)
    classroom = classroom_of(settings, repositories, tools, library.materials, clock)
    prompts = prompt_builder(found.words, repositories.assistants)
    discovery = discovery_parts(store, clock, prompts, tools.root, tools.use, settings.tool_loading)
    agent = turn_parts(
        settings,
        repositories,
        tools,
        discovery.plans,
        prompts,
        offered,
        model=llm,
        clock=clock,
        terms=terms,
        class_figures=classroom.figure_counters,
    )
    built = ServiceContainer(
        settings=settings,
        clock=clock,
        store=store,
        **_of_container(repositories),
        keys=ApiKeys(store, clock, classroom.roles),
        extensions=found.extensions,
        integrations=offered,
        connections=connections,
        **_tools_of_container(tools),
        **week_and_reminders(settings, repositories, connections, tools, study.study, clock),
        **vars(agent),
        **vars(library),
        **vars(study),
        classroom=classroom,
        consents=_consents(repositories, connections, agent, terms, clock),
        **background_jobs(settings, repositories, connections, agent, library, study.study, classroom, clock),
        fetch=SafeFetch(allow=settings.egress_allow),
        detector=discovery.detector,
        misses=discovery.misses,
        published_metrics=PublishedMetrics(store, registry, clock),
    )
    return built


def _metrics_registry() -> MetricsRegistry:
    registry = MetricsRegistry()
    UNREADABLE_RECORDS.count_in(registry)
    return registry


def _of_container(repositories: Repositories) -> Mapping[str, Any]:
    """The repositories that the container holds under their own names."""
    names = (
        "rate_limiter", "budgets", "students", "usage", "accounting", "metrics", "activity", "approvals",
        "conversations", "assistants", "registry",
    )  # fmt: skip
    return {name: getattr(repositories, name) for name in names}


def _tools_of_container(tools: Tools) -> Mapping[str, Any]:
    return {"root_tools": tools.root, "mcp": tools.mcp, "dispatcher": tools.dispatcher, "gateway": tools.gateway}


def _consents(
    repositories: Repositories, connections: Connections, agent: TurnParts, terms: ConsentTerms, clock: Clock
) -> StudentConsents:
    return StudentConsents(
        store=repositories.store,
        students=repositories.students,
        connections=connections,
        turns=agent.turns,
        terms=terms,
        clock=clock,
    )


def _terms(settings: Settings, found: Catalog) -> ConsentTerms:
    """What students are asked to agree to, with everybody named who receives words."""
    receives = gettext_noop("what an answer needs of this tool server, which whoever runs Homeroom has chosen")
    servers = [
        Recipient(name=server.label, address=server.url, receives=receives) for server in settings.mcp_servers.values()
    ]
    return ConsentTerms(
        model_provider(settings.anthropic_base_url, settings.public_url),
        public_url=settings.public_url,
        recipients=(*found.recipients, *servers),
        embeddings=embeddings_recipient(settings.embeddings),
        are_given=settings.consent == "given",
    )


def _connections(
    settings: Settings,
    store: Store,
    repositories: Repositories,
    integrations: Integrations,
    clock: Clock,
    terms: ConsentTerms,
) -> Connections:
    return Connections(
        store=store,
        vault=Vault(KeyRing.parse(settings.vault_keys)),
        integrations=integrations,
        clock=clock,
        public_url=settings.public_url,
        terms=terms,
    )
