"""`Toolboxes`: what one student can use at this moment, and the chain of providers that binds every call of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from services.connections.connection import Connection
from services.container import ServiceContainer
from services.integrations.base import Integration
from services.students import Student
from services.tools.base import Tool, ToolExecutionContext
from services.tools.confirming import ConfirmingToolsProvider, Proposals
from services.tools.filtered import FilteredToolsProvider
from services.tools.providers import ToolsProvider
from services.tools.recording import Record, RecordingToolsProvider
from services.tools.renewing import Health, RenewingToolsProvider
from services.tools.resolution import Resolution, resolve
from services.tools.undoing import UndoingToolsProvider


class ConnectedAccounts(Health, Protocol):
    def all(self, student_id: str) -> Mapping[str, Connection]: ...


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """asking: what the model gets; a write becomes a request to the student.

    acting: what runs after their approval. undoing: what takes it back.
    """

    student: Student
    connections: Mapping[str, Connection] = field(repr=False)
    resolution: Resolution
    asking: ToolsProvider = field(repr=False)
    acting: ToolsProvider = field(repr=False)
    undoing: ToolsProvider = field(repr=False)
    container: ServiceContainer = field(repr=False)

    def tool(self, name: str) -> Tool | None:
        return next((tool for tool in self.resolution.tools if tool.name == name), None)

    def context(self, **call: Any) -> ToolExecutionContext:
        """A call's context; `call` fills in what is particular to it."""
        return ToolExecutionContext(
            student=self.student, container=self.container, connections=self.connections, **call
        )


class Toolboxes:
    def __init__(
        self,
        *,
        container: Callable[[], ServiceContainer],
        root: ToolsProvider,
        integrations: Mapping[str, Integration],
        connections: ConnectedAccounts,
        approvals: Proposals,
        activity: Record,
    ) -> None:
        """`container` is asked at each call, because it is complete only after this object is part of it."""
        labels = {id: integration.label for id, integration in integrations.items()}
        self._watched = RecordingToolsProvider(RenewingToolsProvider(root, connections), activity, labels)
        undoing = UndoingToolsProvider(root)
        self._undoing = RecordingToolsProvider(RenewingToolsProvider(undoing, connections), activity, labels)
        self._undoable = {tool.name for tool in undoing.tools()}
        self._root = root
        self._container = container
        self._integrations = integrations
        self._connections = connections
        self._approvals = approvals

    def of(self, student: Student) -> Toolbox:
        """One store read, however many integrations."""
        connections = self._connections.all(student.id)
        resolution = self.resolution(connections)
        acting = FilteredToolsProvider(self._watched, resolution.names)
        return Toolbox(
            student=student,
            connections=connections,
            resolution=resolution,
            asking=ConfirmingToolsProvider(acting, self._approvals),
            acting=acting,
            undoing=FilteredToolsProvider(self._undoing, self._undoable & resolution.names),
            container=self._container(),
        )

    def resolution_of(self, student_id: str) -> Resolution:
        return self.resolution(self._connections.all(student_id))

    def resolution(self, connections: Mapping[str, Connection]) -> Resolution:
        return resolve(connections, self._integrations, self._root.tools())
