"""`Tools`: the root of all tools and the ways to call them, made once and shared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.discovery.usage import LearnedContextsToolsProvider, ServerUsage
from services.identity.tool_switches import ToolSwitches
from services.integrations.base import Integrations
from services.integrations.catalog import Catalog
from services.materials.source import MATERIALS
from services.runtime.clock import Clock
from services.settings import Settings
from services.tools.context import ToolServices
from services.tools.dispatch import Dispatcher
from services.tools.gateway import ToolGateway
from services.tools.providers.composite import CompositeToolsProvider
from services.tools.providers.local import LocalToolsProvider
from services.tools.providers.provider import ToolsProvider
from services.tools.toolbox import Toolboxes
from services.turns.model_step import DrawPage
from services.week.observer import WeekObservingToolsProvider
from services.wiring.repositories import Repositories

if TYPE_CHECKING:
    from services.tools.mcp.provider import MCPToolsProvider


@dataclass(frozen=True, kw_only=True)
class Tools:
    """mcp: the tools of the operator's servers, None when there are none. use: what is learnt of how they are used.
    page_picture: draws a page of a student's material for the model.
    """

    root: ToolsProvider
    mcp: "MCPToolsProvider | None"
    use: ServerUsage
    toolboxes: Toolboxes
    dispatcher: Dispatcher
    gateway: ToolGateway
    page_picture: DrawPage


def tools_of(
    settings: Settings,
    repositories: Repositories,
    found: Catalog,
    offered: Integrations,
    connections: Connections,
    *,
    container: Callable[[], ToolServices],
    clock: Clock,
) -> Tools:
    """container: asked at each call, because it is complete only after these are part of it."""

    def own_capabilities(student_id: str, connections: Mapping[str, Connection]) -> frozenset[str]:
        """Uploads are materials where no connection gives any."""
        live = [id for id, connection in connections.items() if id in offered and connection.health.offers_tools]
        if any(MATERIALS in offered[id].capabilities for id in live):
            return frozenset()
        return frozenset({MATERIALS} if container().materials.has_anything(student_id) else ())

    mcp, use, dispatcher = _mcp(settings, repositories, clock), ServerUsage(repositories.store, clock), Dispatcher()
    local = LocalToolsProvider(found.tools(offered))
    root: ToolsProvider = (
        local if mcp is None else LearnedContextsToolsProvider(CompositeToolsProvider([local], later=[mcp]), use)
    )
    toolboxes = Toolboxes(
        container=container,
        root=root,
        integrations=offered,
        connections=connections,
        approvals=repositories.approvals,
        activity=repositories.activity,
        usage=repositories.usage,
        dispatcher=dispatcher,
        limiter=repositories.rate_limiter,
        on_failure=repositories.accounting.record_failure,
        clock=clock,
        capabilities=repositories.assistants.capabilities_with(found.capabilities),
        own_capabilities=own_capabilities,
        withheld=found.withheld,
        observe=WeekObservingToolsProvider,
        switches_of=lambda student_id: _switches_of(repositories, student_id),
    )
    gateway = ToolGateway(
        root=root,
        toolboxes=toolboxes,
        assistants=repositories.assistants,
        dispatcher=dispatcher,
        approvals=repositories.approvals,
    )
    return Tools(
        root=root,
        mcp=mcp,
        use=use,
        toolboxes=toolboxes,
        dispatcher=dispatcher,
        gateway=gateway,
        page_picture=lambda *page: container().materials.page_picture(*page),
    )


def _switches_of(repositories: Repositories, student_id: str) -> ToolSwitches:
    student = repositories.students.get(student_id)
    return student.tools_off if student else ToolSwitches()


def _mcp(settings: Settings, repositories: Repositories, clock: Clock) -> "MCPToolsProvider | None":
    """Nothing of it is loaded when there are no servers."""
    if not settings.mcp_servers:
        return None
    from services.tools.mcp.provider import MCPToolsProvider

    return MCPToolsProvider(settings.mcp_servers, store=repositories.store, clock=clock)
