"""`Toolboxes`: what one student can use at this moment, and the chain of providers that binds every call of it."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.connections.connection import Connection
from services.connections.connector import Connector
from services.identity.students import Student
from services.runtime.clock import Clock, utc_now
from services.tools.activity import ActivityKind
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import NestedReadCalls
from services.tools.providers.approval_required import ConfirmingToolsProvider, Proposals, UndoingToolsProvider
from services.tools.providers.audit import AuditToolsProvider, Record
from services.tools.providers.cache import CachingToolsProvider, DataVersions
from services.tools.providers.chain import ToolView, ToolViewCache
from services.tools.providers.composite import FilteredToolsProvider
from services.tools.providers.credential_refresh import ConnectionHealth, CredentialRefreshToolsProvider
from services.tools.providers.metrics import MetricsToolsProvider, Tally
from services.tools.providers.provider import ToolsProvider
from services.tools.providers.rate_limit import RateLimitToolsProvider
from services.tools.providers.result_cache import ResultCache
from services.tools.resolution import Resolution, resolve
from services.tools.tool import Obstacle, Tool

if TYPE_CHECKING:
    from services.wiring.container import ServiceContainer

log = logging.getLogger(__name__)


class ConnectedAccounts(ConnectionHealth, DataVersions, Protocol):
    def all(self, student_id: str) -> Mapping[str, Connection]: ...


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """asking: what the model gets; a write becomes a request to the student. reading: of that, what only reads.

    acting: what runs after their approval. undoing: what takes it back.
    """

    student: Student
    assistant: Assistant | None = field(default=None, repr=False)
    connections: Mapping[str, Connection] = field(repr=False)
    resolution: Resolution
    asking: ToolsProvider = field(repr=False)
    reading: ToolsProvider = field(repr=False)
    acting: ToolsProvider = field(repr=False)
    undoing: ToolsProvider = field(repr=False)
    container: "ServiceContainer" = field(repr=False)

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.resolution.tools if tool.name == name), None)

    def context(self, **call: Any) -> ToolExecutionContext:
        """A call's context; `call` fills in what is particular to it."""
        return ToolExecutionContext(
            student=self.student,
            container=self.container,
            connections=self.connections,
            reads=NestedReadCalls(self.reading),
            **{
                "chosen": self.assistant,
                "assistant_id": self.assistant.id if self.assistant else DEFAULT_ASSISTANT,
                **call,
            },
        )


class Toolboxes:
    def __init__(
        self,
        *,
        container: Callable[[], "ServiceContainer"],
        root: ToolsProvider,
        integrations: Mapping[str, Connector],
        connections: ConnectedAccounts,
        approvals: Proposals,
        activity: Record,
        tally: Tally,
        on_failure: Callable[[str, str, str], None] = lambda student_id, tool, kind: None,
        clock: Clock = utc_now,
        capabilities: Callable[[Assistant | None], frozenset[str]] = lambda assistant: frozenset(),
        withheld: Mapping[str, Obstacle] = {},
        heard: Callable[[ToolsProvider], ToolsProvider] = lambda provider: provider,
    ) -> None:
        """`container` is asked at each call, because it is complete only after this object is part of it.

        capabilities: what this deployment and an assistant give, whatever a student has connected. withheld: what
        stands in the way of those that the deployment could give. heard: wraps what answers,
        for whoever learns from it.
        """
        labels = {id: integration.label for id, integration in integrations.items()}
        recorded = AuditToolsProvider(CredentialRefreshToolsProvider(root, connections), activity, labels)
        self._answers = answers = ResultCache(clock)
        rated = RateLimitToolsProvider(MetricsToolsProvider(recorded, tally, on_failure=on_failure))
        self._watched = heard(CachingToolsProvider(rated, answers, connections, integrations))
        undoing = CredentialRefreshToolsProvider(UndoingToolsProvider(root), connections)
        recorded_undoing = AuditToolsProvider(undoing, activity, labels, kind=ActivityKind.UNDO)
        self._undoing = CachingToolsProvider(recorded_undoing, answers, connections, integrations)
        self._root = root
        self._container = container
        self._integrations = integrations
        self._connections = connections
        self._approvals = approvals
        self._capabilities, self._withheld = capabilities, withheld
        self._views = ToolViewCache()
        self._told: set[tuple[str, str]] = set()

    def of(
        self,
        student: Student,
        assistant: Assistant | None = None,
        *,
        connections: Mapping[str, Connection] | None = None,
    ) -> Toolbox:
        """One store read, however many integrations; none when the caller has read the connections.

        assistant: whose switches bind too, if anybody's do.
        """
        connections = self._connections.all(student.id) if connections is None else connections
        view = self._view(connections, assistant)
        return Toolbox(
            student=student,
            assistant=assistant,
            connections=connections,
            resolution=view.resolution,
            asking=view.asking,
            reading=view.reading,
            acting=view.acting,
            undoing=view.undoing,
            container=self._container(),
        )

    def forget(self, student: Student) -> None:
        """Nothing that was answered to this student a moment ago is given again, unless its service is down."""
        self._answers.outdate(student.id)

    def resolution_of(self, student_id: str, assistant: Assistant | None = None) -> Resolution:
        return self.resolution(self._connections.all(student_id), assistant)

    def resolution(self, connections: Mapping[str, Connection], assistant: Assistant | None = None) -> Resolution:
        return self._view(connections, assistant).resolution

    def _view(self, connections: Mapping[str, Connection], assistant: Assistant | None) -> ToolView:
        tools, given = self._root.tools(), self._capabilities(assistant)
        return self._views.get(
            tools, connections, assistant, lambda: self._make(tools, connections, assistant, given), capabilities=given
        )

    def _make(
        self,
        tools: Sequence[Tool],
        connections: Mapping[str, Connection],
        assistant: Assistant | None,
        given: frozenset[str],
    ) -> ToolView:
        resolution = resolve(
            connections,
            self._integrations,
            tools,
            assistant=assistant,
            capabilities=given,
            withheld=self._withheld,
        )
        self._tell_unregistered(resolution, assistant)
        undoable = {tool.name for tool in resolution.tools if tool.undo is not None}
        acting = FilteredToolsProvider(self._watched, resolution.names, resolution.excluded)
        waits = frozenset(assistant.confirm) if assistant else frozenset()
        waiting = [tool.effect.needs_approval or tool.asks_student for tool in resolution.tools]
        reads = {tool.name for tool, waits_too in zip(resolution.tools, waiting, strict=True) if not waits_too} - waits
        return ToolView(
            resolution=resolution,
            asking=ConfirmingToolsProvider(acting, self._approvals, also=waits),
            reading=FilteredToolsProvider(self._watched, reads, resolution.excluded),
            acting=acting,
            undoing=FilteredToolsProvider(self._undoing, undoable),
        )

    def _tell_unregistered(self, resolution: Resolution, assistant: Assistant | None) -> None:
        """Log a name that an assistant wants and nobody offers, once for as long as this process lives."""
        for name in resolution.unregistered if assistant else ():
            if (key := (assistant.id if assistant else "", name)) not in self._told:
                self._told.add(key)
                log.warning("tool_not_in_registry tool=%.80r assistant=%s", name, key[0])
