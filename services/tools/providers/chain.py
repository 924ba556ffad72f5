"""`ToolViewCache`: resolutions and their chains of providers, kept for as long as nothing that they depend on has changed."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from services.assistants.assistant import Assistant
from services.connections.connection import Connection
from services.i18n import get_locale
from services.tools.providers.provider import ToolsProvider
from services.tools.resolution import Resolution
from services.tools.tool import Tool

MOST_KEPT = 1_000
"""Views of one process; students whose connections are alike share one only when the versions are, too."""


@dataclass(frozen=True, kw_only=True)
class ToolView:
    """Nothing in it belongs to one student: who calls is in the context of the call."""

    resolution: Resolution
    asking: ToolsProvider = field(repr=False)
    reading: ToolsProvider = field(repr=False)
    acting: ToolsProvider = field(repr=False)
    undoing: ToolsProvider = field(repr=False)


class ToolViewCache:
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
    ) -> ToolView:
        """The view for these, made when it is not kept: the tools, the connections' state, the assistant's version.

        capabilities: what the deployment and its assistants give, which may change while it runs.

        Why a tool is left out is told in the language of whoever asks, so that is part of it, too.
        """
        key = (
            get_locale(),
            assistant and assistant.key,
            capabilities,
            *sorted(_state(one) for one in connections.values()),
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
