"""`ServiceContainer`: what every door and every tool shares. Built once, by `services.bootstrap`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.errors import ToolUnavailable
from services.tools.refusals import no_such

if TYPE_CHECKING:
    from services.agent.chats import Chats
    from services.agent.configuration import AssistantConfigs
    from services.agent.consulting import Consultations
    from services.agent.conversations import Conversations
    from services.agent.gists import Gists
    from services.agent.service import AgentService
    from services.agent.turns import TurnRunner
    from services.approvals.activity import Activity
    from services.approvals.approvals import Approvals
    from services.assistants.registry import AssistantRegistry
    from services.connections.connections import Connections
    from services.discovery.accounting import Accounting
    from services.discovery.detector import Detector
    from services.discovery.metrics import Metrics
    from services.discovery.misses import Misses
    from services.identity.api_keys import ApiKeys
    from services.identity.students import Students
    from services.integrations.base import Integration
    from services.integrations.extensions import Extension
    from services.jobs.loop import JobsLoop
    from services.privacy.departures import Departures
    from services.runtime.clock import Clock
    from services.safety.fetch import SafeFetch
    from services.settings import Settings
    from services.storage.store import Store
    from services.tools.base import Tool
    from services.tools.dispatch import Dispatcher
    from services.tools.door import ToolDoor
    from services.tools.mcp.provider import MCPToolsProvider
    from services.tools.providers.provider import ToolsProvider
    from services.tools.usage import ToolUsage


@dataclass(kw_only=True)
class ServiceContainer:
    settings: Settings
    clock: Clock
    store: Store
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
    activity: Activity
    approvals: Approvals
    conversations: Conversations
    agent: AgentService
    consultations: Consultations
    gists: Gists
    assistants: AssistantRegistry
    configs: AssistantConfigs
    door: ToolDoor
    turns: TurnRunner
    chats: Chats
    departures: Departures
    jobs: JobsLoop
    fetch: SafeFetch
    detector: Detector
    misses: Misses

    def tool(self, name: str) -> Tool:
        """A tool of the root, whoever may use it; raises `ToolUnavailable`."""
        for tool in self.root_tools.tools():
            if tool.name == name:
                return tool
        raise ToolUnavailable(no_such(name))
