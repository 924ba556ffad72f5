"""`Resolution`: for a student and an assistant, each tool of the root is enabled or has one reason why not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from services.assistants.assistant import Assistant
from services.connections import messages
from services.connections.connection import Connection, Health
from services.connections.connector import Connector
from services.identity.tool_switches import ALL_ON, ToolSwitches
from services.tools import availability
from services.tools.availability import DisabledIntegration, Exclusion
from services.tools.tool import ExclusionKind, Obstacle, Tool

_CHOICES = (ExclusionKind.ASSISTANT_CLOSED, ExclusionKind.SWITCHED_OFF, ExclusionKind.CATEGORY_OFF)
"""Exclusions that an assistant chooses."""
_OF_CHOICE = (*_CHOICES, ExclusionKind.OFF_FOR_STUDENT)
_DEAD_KINDS: Mapping[Health, Literal["locked", "paused"]] = {Health.LOCKED: "locked", Health.PAUSED: "paused"}


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """Result of `resolve`. tools: what may be used now, in the root's order. excluded: every other tool's reason, by
    the tool's name.

    connected: integrations that offer tools. disabled: those that do not. set_aside: labels of those that would, but
    the assistant does not use them. unregistered: tools that the assistant names and nobody offers. left_out: names of
    tools that could be used, but not here. not_set_up: categories that this deployment has no tool of.
    switched_off: categories, and names of single tools, that the student has switched off for themselves.
    """

    tools: tuple[Tool, ...]
    connected: tuple[str, ...]
    disabled: tuple[DisabledIntegration, ...]
    excluded: Mapping[str, Exclusion] = field(default_factory=dict, repr=False)
    set_aside: tuple[str, ...] = ()
    unregistered: tuple[str, ...] = ()
    left_out: frozenset[str] = frozenset()
    not_set_up: tuple[str, ...] = ()
    switched_off: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in self.tools)

    @cached_property
    def absent(self) -> frozenset[str]:
        """Names of the root's tools that may not be used."""
        return self.left_out.union(self.excluded)

    @property
    def unused(self) -> frozenset[str]:
        """Names of the root's tools that the assistant does not use, whatever its student has connected."""
        return frozenset(name for name, reason in self.excluded.items() if reason.kind in _CHOICES)

    def only(self, tools: Iterable[Tool]) -> "Resolution":
        """The same with these tools alone."""
        kept = tuple(tools)
        return replace(self, tools=kept, left_out=self.names.difference(tool.name for tool in kept))

    def reason(self, tool: Tool) -> Exclusion | None:
        """Why this tool is not offered, or None when it is."""
        return self.excluded.get(tool.name)


def resolve(
    connections: Mapping[str, Connection],
    integrations: Mapping[str, Connector],
    tools: Sequence[Tool],
    *,
    assistant: Assistant | None = None,
    capabilities: frozenset[str] = frozenset(),
    withheld: Mapping[str, Obstacle] = {},
    off: ToolSwitches = ALL_ON,
    by_hand: bool = False,
) -> Resolution:
    """Resolve the tools of a student and an assistant.

    Only a connection whose health offers tools enables them, not its existence; our own tools need none.

    assistant: None when nobody's switches bind, only what the student lacks. capabilities: of the deployment; those
    of live connections are added. withheld: what stands in the way of those it could give.
    off, by_hand: see `AvailabilityFacts`.
    """
    live = {id for id in integrations if id in connections and connections[id].health.offers_tools}
    allowed = {
        id
        for id, connector in integrations.items()
        if assistant is None or assistant.allows_integration(id, connector.category)
    }
    dead = {id: _disabled(integrations[id], connections.get(id)) for id in integrations if id not in live}
    facts = availability.AvailabilityFacts(
        by_integration={
            id: availability.connection_exclusion(disabled, connections.get(id)) for id, disabled in dead.items()
        },
        capabilities=capabilities.union(*(integrations[id].capabilities for id in live & allowed)),
        integrations=integrations,
        allowed=frozenset(allowed),
        withheld=withheld,
        off=off,
        by_hand=by_hand,
    )
    reasons = {tool.name: availability.exclusion_of(tool, assistant, facts) for tool in tools}
    enabled = tuple(tool for tool in tools if reasons[tool.name] is None)
    serving = {tool.integration for tool in enabled}
    used = [
        id
        for id in integrations
        if id in allowed
        and integrations[id].category not in off.categories
        and (assistant is None or assistant.uses_category(integrations[id].category))
    ]
    # A service may have tools of several categories: documents are pages of a service for notes.
    wanted = {tool.integration for tool in tools if (why := reasons[tool.name]) is None or why.kind not in _OF_CHOICE}
    return Resolution(
        tools=enabled,
        connected=tuple(id for id in used if id in live),
        disabled=tuple(dead[id] for id in dead if id in used or (id in allowed and id in wanted)),
        excluded={name: reason for name, reason in reasons.items() if reason is not None},
        set_aside=tuple(
            connector.label
            for id, connector in integrations.items()
            if id in live and id not in {*used, *serving} and connector.category not in off.categories
        ),
        not_set_up=_not_set_up(tools, reasons),
        switched_off=_switched_off(tools, off),
        unregistered=tuple(sorted(_wanted_names(assistant) - reasons.keys())),
    )


def _switched_off(tools: Sequence[Tool], off: ToolSwitches) -> tuple[str, ...]:
    """What of these tools is off by the student's choice; names of what is not there any more are left out."""
    categories = dict.fromkeys(tool.category for tool in tools if tool.category in off.categories)
    return (*categories, *(tool.name for tool in tools if tool.name in off.tools and tool.category not in categories))


def _not_set_up(tools: Sequence[Tool], reasons: Mapping[str, Exclusion | None]) -> tuple[str, ...]:
    kinds: dict[str, set[ExclusionKind | None]] = {}
    for tool in tools:
        why = reasons[tool.name]
        kinds.setdefault(tool.category, set()).add(why.kind if why else None)
    return tuple(category for category, found in kinds.items() if found == {ExclusionKind.NOT_SET_UP})


def _wanted_names(assistant: Assistant | None) -> set[str]:
    """The tools that an assistant wants by name."""
    return {name for name, is_on in assistant.switches.items() if is_on} if assistant else set()


def _disabled(integration: Connector, connection: Connection | None) -> DisabledIntegration:
    if connection is None:
        return DisabledIntegration(
            integration=integration.id,
            label=integration.label,
            kind="missing",
            reason=messages.missing_reason(integration.label),
            needs_account=integration.needs_account,
        )
    reason = connection.reason or messages.dead_reason(connection.health)
    kind: Literal["locked", "paused", "reconnect"] = _DEAD_KINDS.get(connection.health, "reconnect")
    return DisabledIntegration(integration=integration.id, label=integration.label, kind=kind, reason=reason)
