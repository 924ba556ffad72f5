"""`Repositories`: everything that reads and writes the store, made once and shared."""

from dataclasses import dataclass

from services.approvals.approvals import Approvals
from services.assistants.registry import AssistantRegistry
from services.classes.assistants.published_assistants import PublishedAssistants
from services.classes.budgets.budget import school_zone
from services.classes.budgets.budget_repository import BudgetRepository
from services.classes.budgets.budgets import Budgets
from services.classes.budgets.ledger_repository import LedgerRepository
from services.classes.class_repository import ClassRepository
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecords
from services.discovery.accounting import Accounting
from services.discovery.daily_counters import DailyCounters
from services.discovery.metrics import Metrics
from services.identity.students import Students
from services.runtime.clock import Clock
from services.runtime.metrics_registry import MetricsRegistry
from services.runtime.rate_limiter import RateLimiter
from services.safety.consent_terms import ConsentTerms
from services.settings import Settings
from services.storage.leases import Leases
from services.storage.store import Store
from services.tools.activity import ActivityLog
from services.tools.providers.metrics import ToolUsage
from services.turns.compaction import share_of


@dataclass(frozen=True, kw_only=True)
class Repositories:
    store: Store
    rate_limiter: RateLimiter
    budgets: Budgets
    students: Students
    activity: ActivityLog
    approvals: Approvals
    conversations: Conversations
    records: TurnRecords
    leases: Leases
    assistants: AssistantRegistry
    usage: ToolUsage
    accounting: Accounting
    metrics: Metrics
    registry: MetricsRegistry


def repositories_of(
    store: Store, settings: Settings, clock: Clock, terms: ConsentTerms, registry: MetricsRegistry
) -> Repositories:
    """Make the repositories of this store."""
    given = terms.chat() if terms.are_given else None
    students = Students(store, clock, secret=settings.cookie_secret, given=given)
    counters = DailyCounters(store, students, clock)
    return Repositories(
        store=store,
        rate_limiter=RateLimiter(store.shared, clock),
        budgets=Budgets(
            repository=BudgetRepository(store),
            ledgers=LedgerRepository(store),
            students=students,
            zone=school_zone(settings.environment),
            clock=clock,
        ),
        students=students,
        activity=ActivityLog(store, clock),
        approvals=Approvals(store, clock),
        conversations=Conversations(store, clock, summed_up_at=share_of(settings.environment)),
        records=TurnRecords(store, clock),
        leases=Leases(store, clock),
        assistants=AssistantRegistry(store, classes=PublishedAssistants(store, ClassRepository(store, clock))),
        usage=ToolUsage(store, clock, registry),
        accounting=Accounting(counters, clock),
        metrics=Metrics(counters),
        registry=registry,
    )
