"""Who may use what: for one student each tool of the root is enabled, or its integration has one reason why not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.connections.connection import Connection, Health
from services.integrations.base import Integration
from services.tools.base import Tool

_REASONS = {
    Health.EXPIRED: "its access has expired",
    Health.REVOKED: "its access was withdrawn",
    Health.LOCKED: "its saved access cannot be opened any more",
}


@dataclass(frozen=True, kw_only=True)
class Disabled:
    """An integration that offers no tools now. kind: never connected, or connected but dead."""

    integration: str
    label: str
    kind: Literal["missing", "reconnect"]
    reason: str

    @property
    def sentence(self) -> str:
        """The reason for a person, on its own."""
        if self.kind == "missing":
            return f"{self.label} is not connected."
        return f"{self.label} must be reconnected: {self.reason.rstrip('.')}."


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """tools: what the student may use now, in the root's order. connected: integrations that offer tools."""

    tools: tuple[Tool, ...]
    connected: tuple[str, ...]
    disabled: tuple[Disabled, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.tools)

    def reason(self, tool: Tool) -> Disabled | None:
        """Why this tool is not offered, or None when it is."""
        return next((one for one in self.disabled if one.integration == tool.integration), None)


def resolve(
    connections: Mapping[str, Connection], integrations: Mapping[str, Integration], tools: Sequence[Tool]
) -> Resolution:
    """Freshness, not existence: only a connection whose health offers tools enables them; own tools always are."""
    live = {id for id in integrations if id in connections and connections[id].health.offers_tools}
    return Resolution(
        tools=tuple(tool for tool in tools if tool.integration is None or tool.integration in live),
        connected=tuple(id for id in integrations if id in live),
        disabled=tuple(_disabled(integrations[id], connections.get(id)) for id in integrations if id not in live),
    )


def _disabled(integration: Integration, connection: Connection | None) -> Disabled:
    if connection is None:
        reason = f"{integration.label} is not connected"
        return Disabled(integration=integration.id, label=integration.label, kind="missing", reason=reason)
    reason = connection.reason or _REASONS.get(connection.health, "it does not work at the moment")
    return Disabled(integration=integration.id, label=integration.label, kind="reconnect", reason=reason)
