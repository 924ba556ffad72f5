"""`ServiceContainer`: every service of the process, made once by `services.bootstrap`; for tools, `ToolServices`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from services.conversations.branches import Branches
from services.conversations.conversations import Conversations
from services.conversations.deletion_queue import DeletionQueue
from services.conversations.ratings import Ratings
from services.conversations.search import ChatSearch
from services.conversations.turn_records import TurnRecord
from services.errors import ToolUnavailable
from services.tools.availability import unknown_tool_message
from services.tools.providers.provider import find_tool

if TYPE_CHECKING:
    from services.approvals.approvals import Approvals
    from services.assistants.registry import AssistantRegistry
    from services.classes.budgets.budgets import Budgets
    from services.classes.class_services import ClassServices
    from services.connections.connections import Connections
    from services.discovery.accounting import Accounting
    from services.discovery.detector import Detector
    from services.discovery.metrics import Metrics
    from services.discovery.retrieval_misses import RetrievalMisses
    from services.identity.api_keys import ApiKeys
    from services.identity.students import Students
    from services.integrations.base import Integration
    from services.integrations.extensions import Extension
    from services.materials.ingestion.reading_job import ReadingJob
    from services.materials.library import MaterialLibrary
    from services.materials.retention import Retention
    from services.privacy.account_deletion import AccountDeletion
    from services.privacy.student_consents import StudentConsents
    from services.prompt.assistant_config import AssistantConfigs
    from services.reminders.reminder_service import ReminderService
    from services.runtime.clock import Clock
    from services.runtime.metrics_registry import MetricsRegistry
    from services.runtime.rate_limiter import RateLimiter
    from services.safety.fetch import SafeFetch
    from services.settings import Settings
    from services.storage.published_metrics import PublishedMetrics
    from services.storage.store import Store
    from services.study.generation.generation_job import GenerationJob
    from services.study.study_services import StudyServices
    from services.tools.activity import ActivityLog
    from services.tools.dispatch import Dispatcher
    from services.tools.gateway import ToolGateway
    from services.tools.mcp.provider import MCPToolsProvider
    from services.tools.providers.metrics import ToolUsage
    from services.tools.providers.provider import ToolsProvider
    from services.tools.tool import Tool
    from services.turns.agent_loop import AgentService
    from services.turns.assistants.delegation import Delegation
    from services.turns.assistants.preview import AssistantPreview
    from services.turns.live_followers import LiveFollowers
    from services.turns.quarantined_summaries import QuarantinedSummaries
    from services.turns.runner import TurnRunner
    from services.turns.submissions import Submissions
    from services.week.refresher import WeekRefresher
    from services.wiring.jobs_loop import JobsLoop


@dataclass(kw_only=True)
class ServiceContainer:
    settings: Settings
    clock: Clock
    store: Store
    rate_limiter: RateLimiter
    budgets: Budgets
    students: Students
    keys: ApiKeys
    extensions: tuple[Extension, ...]
    integrations: Mapping[str, Integration]
    connections: Connections
    root_tools: ToolsProvider
    mcp: MCPToolsProvider | None
    usage: ToolUsage
    accounting: Accounting
    metrics: Metrics
    dispatcher: Dispatcher
    activity: ActivityLog
    approvals: Approvals
    conversations: Conversations
    agent: AgentService
    delegation: Delegation
    assistant_preview: AssistantPreview
    quarantined_summaries: QuarantinedSummaries
    assistants: AssistantRegistry
    configs: AssistantConfigs
    gateway: ToolGateway
    week_refresher: WeekRefresher
    reminders: ReminderService
    reminder_loop: JobsLoop
    turns: TurnRunner
    submissions: Submissions
    live_followers: LiveFollowers
    chats: ChatActions
    account_deletion: AccountDeletion
    consents: StudentConsents
    jobs: JobsLoop
    fetch: SafeFetch
    materials: MaterialLibrary
    material_reading: ReadingJob
    material_retention: Retention
    study: StudyServices
    quiz_making: GenerationJob
    classroom: ClassServices
    detector: Detector
    misses: RetrievalMisses
    registry: MetricsRegistry
    published_metrics: PublishedMetrics

    def tool(self, name: str) -> Tool:
        """A tool of the root, whoever may use it; raises `ToolUnavailable`."""
        if (tool := find_tool(self.root_tools, name)) is None:
            raise ToolUnavailable(unknown_tool_message(name))
        return tool

    def with_store(self, store: Store) -> ServiceContainer:
        """The same services over another store; for `ToolServices`."""
        return replace(self, store=store)


@dataclass(frozen=True, kw_only=True)
class ChatActions:
    conversations: Conversations
    search: ChatSearch
    deletion_queue: DeletionQueue
    ratings: Ratings
    branches: Branches

    def update_after_turn(self, student_id: str, record: TurnRecord) -> None:
        """Index the words of a turn that has ended; the first one makes a better title."""
        self.search.index(student_id, record.conversation_id, turn=record)
