"""`ProviderChains`: the one place where wrappers are stacked around the root; `ToolView`: the chains of one student."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from services.assistants.assistant import Assistant
from services.connections.connection import Connection
from services.connections.connections import Connections
from services.connections.connector import Connector
from services.i18n import get_locale
from services.runtime.rate_limiter import RateLimiter
from services.tools.activity import ActivityKind, ActivityLog
from services.tools.providers.approval_required import ConfirmingToolsProvider, Proposals, UndoingToolsProvider
from services.tools.providers.audit import AuditToolsProvider
from services.tools.providers.composite import FilteredToolsProvider
from services.tools.providers.credential_refresh import CredentialRefreshToolsProvider
from services.tools.providers.local_days import LocalDaysToolsProvider
from services.tools.providers.metrics import MetricsToolsProvider, ToolUsage
from services.tools.providers.provider import ToolsProvider
from services.tools.providers.rate_limit import RateLimitToolsProvider
from services.tools.providers.result_cache import CachingToolsProvider, ResultCache
from services.tools.resolution import Resolution
from services.tools.tool import Tool

Wrapper = Callable[[ToolsProvider], ToolsProvider]

MOST_KEPT = 1_000
"""Views of one process; students whose connections are alike share one only when the versions are, too."""


@dataclass(frozen=True, kw_only=True)
class ToolView:
    """Providers for one resolution. Nothing in it belongs to one student: who calls is in the context of the call.

    asking: what the model gets; a write becomes a pending approval. reading: of that, what only reads.
    acting: what runs after the approval. undoing: what takes it back.
    """

    resolution: Resolution
    asking: ToolsProvider = field(repr=False)
    reading: ToolsProvider = field(repr=False)
    acting: ToolsProvider = field(repr=False)
    undoing: ToolsProvider = field(repr=False)


class ProviderChains:
    """The chain of wrappers that runs tools, and the one that undoes what they did."""

    def __init__(
        self,
        root: ToolsProvider,
        *,
        integrations: Mapping[str, Connector],
        connections: Connections,
        approvals: Proposals,
        activity: ActivityLog,
        usage: ToolUsage,
        results: ResultCache,
        limiter: RateLimiter,
        on_failure: Callable[[str, str, str], None],
        observe: Wrapper,
    ) -> None:
        """on_failure: is called with the student, tool and kind of each failed call. observe: the outermost wrapper."""
        refresh = partial(CredentialRefreshToolsProvider, connections=connections)
        audit = partial(AuditToolsProvider, activity=activity, labels={id: c.label for id, c in integrations.items()})
        cache = partial(CachingToolsProvider, results=results, connections=connections, integrations=integrations)
        self._running = _stacked(
            observe,
            cache,
            partial(RateLimitToolsProvider, limiter=limiter),
            partial(MetricsToolsProvider, usage=usage, on_failure=on_failure),
            audit,
            refresh,
            around=root,
        )
        self._undoing = _stacked(
            cache,
            partial(audit, kind=ActivityKind.UNDO),
            refresh,
            UndoingToolsProvider,
            around=root,
        )
        self._approvals = approvals

    def view(self, resolution: Resolution, assistant: Assistant | None) -> ToolView:
        """Make the view of a resolution. The assistant's `confirm` makes more tools wait for approval."""
        confirmed = frozenset(assistant.confirm) if assistant else frozenset()
        reading = {tool.name for tool in resolution.tools if not (tool.effect.is_change or tool.asks_student)}
        undoable = {tool.name for tool in resolution.tools if tool.undo is not None}
        acting = FilteredToolsProvider(self._running, resolution.names, resolution.excluded)
        return ToolView(
            resolution=resolution,
            asking=LocalDaysToolsProvider(ConfirmingToolsProvider(acting, self._approvals, also=confirmed)),
            reading=LocalDaysToolsProvider(
                FilteredToolsProvider(self._running, reading - confirmed, resolution.excluded)
            ),
            acting=LocalDaysToolsProvider(acting),
            undoing=FilteredToolsProvider(self._undoing, undoable),
        )


def _stacked(*wrappers: Wrapper, around: ToolsProvider) -> ToolsProvider:
    """Stack wrappers around a provider: a call passes them from the first to the last, its result the other way."""
    provider = around
    for wrap in reversed(wrappers):
        provider = wrap(provider)
    return provider


class ToolViewCache:
    """LRU cache of views, for as long as nothing that they depend on has changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tools: Sequence[Tool] = ()
        self._kept: OrderedDict[Hashable, ToolView] = OrderedDict()

    def get(
        self,
        tools: Sequence[Tool],
        connections: Mapping[str, Connection],
        assistant: Assistant | None,
        make: Callable[[], ToolView],
        *,
        capabilities: frozenset[str] = frozenset(),
        switched: Hashable = None,
    ) -> ToolView:
        """The view for these, made when it is not kept: the tools, the connections' state, the assistant's version.

        capabilities: what the deployment and its assistants give, which may change while it runs. switched: what the
        student has switched off.

        Why a tool is left out is told in the language of whoever asks, so that is part of it, too.
        """
        key = (
            get_locale(),
            assistant and assistant.key,
            capabilities,
            switched,
            *sorted(_state(connection) for connection in connections.values()),
        )
        with self._lock:
            if tools is not self._tools and tools != self._tools:
                self._kept.clear()
            self._tools = tools
            if found := self._kept.get(key):
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            if self._tools is tools:
                self._kept[key] = made
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return made


def _state(connection: Connection) -> tuple[str, str, str]:
    """Everything of a connection that a resolution depends on: its version alone does not know that time has passed."""
    return connection.integration, connection.health.value, connection.reason
