"""Why a tool is not offered: one reason each, as data and as a sentence for a person with what to do."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Literal

from services.assistants.assistant import Assistant
from services.connections import messages
from services.connections.connection import Connection, Health
from services.connections.connector import Connector
from services.i18n import gettext, gettext_noop
from services.tools.tool import ExclusionKind as ExclusionKind
from services.tools.tool import Obstacle, Tool

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, kw_only=True)
class Exclusion:
    """sentence: the reason for a person, on its own. next_step: what they can do. setup: what whoever runs Homeroom can
    do instead, where it is theirs. integration: whose connection it is about, if it is.
    """

    kind: ExclusionKind
    sentence: str
    next_step: str
    integration: str | None = None
    setup: str = ""


@dataclass(frozen=True, kw_only=True)
class AvailabilityFacts:
    """What a student lacks: exclusions of integrations that offer nothing, and the capabilities that there are.

    heard: the integrations that the assistant's tools may speak to. withheld: what stands in the way of integrations
    and capabilities that this deployment could have.
    """

    by_integration: Mapping[str, Exclusion]
    capabilities: frozenset[str]
    integrations: Mapping[str, Connector] = field(repr=False)
    heard: frozenset[str]
    withheld: Mapping[str, Obstacle] = field(default_factory=dict, repr=False)


_KINDS = {
    Health.EXPIRED: ExclusionKind.CONNECTION_EXPIRED,
    Health.REVOKED: ExclusionKind.CONNECTION_REVOKED,
    Health.LOCKED: ExclusionKind.CONNECTION_LOCKED,
}
_OTHER_ASSISTANT = gettext_noop("Pick another assistant to use it.")
_OPERATOR = gettext_noop("Whoever runs Homeroom can set it up.")


def connection_exclusion(disabled: "DisabledIntegration", connection: Connection | None) -> Exclusion:
    """The reason that all tools of an integration share."""
    if connection is None:
        step = messages.connect_step(disabled.label)
        kind = ExclusionKind.NOT_CONNECTED
    else:
        step, kind = gettext(messages.RECONNECT), _KINDS.get(connection.health, ExclusionKind.CONNECTION_REVOKED)
    return Exclusion(kind=kind, sentence=disabled.sentence, next_step=step, integration=disabled.integration)


def exclusion_of(tool: Tool, assistant: Assistant | None, lacks: AvailabilityFacts) -> Exclusion | None:
    """The one reason, or None: first what the assistant leaves out, as nothing else would change that."""
    if assistant is not None and (choice := _choice(tool, assistant)) is not None:
        return choice
    if tool.obstacle is not None:
        return _in_the_way(tool.obstacle)
    if tool.integration is not None:
        if tool.integration not in lacks.integrations:
            return _missing(tool.integration, lacks)
        if aside := _unheard(tool, assistant, {tool.integration}, lacks):
            return aside
        if tool.integration in lacks.by_integration:
            return lacks.by_integration[tool.integration]
    lacking = next((name for name in tool.capabilities if name not in lacks.capabilities), None)
    if lacking is None:
        return None
    givers = {integration.id for integration in lacks.integrations.values() if lacking in integration.capabilities}
    return _unheard(tool, assistant, givers, lacks) or _unrouted(tool, lacking, lacks) or _missing(lacking, lacks)


def _choice(tool: Tool, assistant: Assistant) -> Exclusion | None:
    switch = assistant.switches.get(tool.name)
    if switch is True:
        return None
    if switch is False:
        return _left_out(ExclusionKind.SWITCHED_OFF, gettext("{name} has this tool switched off.", name=assistant.name))
    if tool.server is not None and assistant.mcp_servers is not None:
        if tool.server in assistant.mcp_servers:
            return None
        return _left_out(
            ExclusionKind.SWITCHED_OFF,
            gettext("{name} does not use the tools of {server}.", name=assistant.name, server=tool.server),
        )
    if not assistant.uses_category(tool.category):
        return _left_out(
            ExclusionKind.CATEGORY_OFF,
            gettext("{name} does not use {category} tools.", name=assistant.name, category=gettext(tool.category)),
        )
    return None


def _left_out(kind: ExclusionKind, sentence: str) -> Exclusion:
    return Exclusion(kind=kind, sentence=sentence, next_step=gettext(_OTHER_ASSISTANT))


def _in_the_way(obstacle: Obstacle) -> Exclusion:
    setup = gettext(obstacle.setup) if obstacle.setup else ""
    return Exclusion(kind=obstacle.kind, sentence=obstacle.sentence, next_step=obstacle.step, setup=setup)


def _unheard(tool: Tool, assistant: Assistant | None, givers: Set[str], lacks: AvailabilityFacts) -> Exclusion | None:
    """That the assistant leaves aside every service that could do this; None when that is not what the tool lacks."""
    if assistant is None or not givers or givers & lacks.heard:
        return None
    alone = [
        integration.label
        for integration in lacks.integrations.values()
        if integration.category == tool.category and integration.id in lacks.heard
    ]
    if not alone:
        return _left_out(
            ExclusionKind.SWITCHED_OFF,
            gettext("{name} works with a calendar that is not set up here.", name=assistant.name),
        )
    label = gettext(alone[0])
    return _left_out(
        ExclusionKind.SWITCHED_OFF,
        gettext("{name} works with {label} alone, which cannot do this.", name=assistant.name, label=label),
    )


def _unrouted(tool: Tool, capability: str, lacks: AvailabilityFacts) -> Exclusion | None:
    """Why a tool of a category has no connection that it could use; None when that is not what it lacks."""
    category = [
        integration
        for integration in lacks.integrations.values()
        if integration.category == tool.category and integration.id in lacks.heard
    ]
    givers = [one for one in category if capability in one.capabilities]
    if tool.integration is not None or not givers:
        return None
    reasons = [lacks.by_integration[giver.id] for giver in givers if giver.id in lacks.by_integration]
    if dead := next((reason for reason in reasons if reason.kind is not ExclusionKind.NOT_CONNECTED), None):
        return dead
    names, first = reduce(_either, (gettext(giver.label) for giver in givers)), givers[0].id
    if live := [gettext(one.label) for one in category if one.id not in lacks.by_integration]:
        sentence, step = (
            gettext("{label} can only be read.", label=live[0]),
            messages.connect_to_write_step(names),
        )
        return Exclusion(kind=ExclusionKind.CAPABILITY_MISSING, sentence=sentence, next_step=step, integration=first)
    sentence = messages.not_connected(names)
    step = messages.connect_step(names)
    return Exclusion(kind=ExclusionKind.NOT_CONNECTED, sentence=sentence, next_step=step, integration=first)


def _missing(capability: str, lacks: AvailabilityFacts) -> Exclusion:
    giver = next(
        (integration for integration in lacks.integrations.values() if capability in integration.capabilities), None
    )
    readable = capability.replace("_", " ")
    if giver is None and capability in lacks.withheld:
        return _in_the_way(lacks.withheld[capability])
    if giver is None:
        sentence = gettext("This needs {capability}, which is not set up here.", capability=gettext(readable))
        return Exclusion(kind=ExclusionKind.CAPABILITY_MISSING, sentence=sentence, next_step=gettext(_OPERATOR))
    label = gettext(giver.label)
    return Exclusion(
        kind=ExclusionKind.CAPABILITY_MISSING,
        sentence=gettext(
            "This needs {capability}, which {label} would give.", capability=gettext(readable), label=label
        ),
        next_step=messages.connect_step(giver.label),
        integration=giver.id,
    )


def _either(one: str, other: str) -> str:
    return gettext("{one} or {other}", one=one, other=other)


@dataclass(frozen=True, kw_only=True)
class DisabledIntegration:
    """An integration that offers no tools now. kind: never connected, or connected but dead.

    needs_account: what needs none is only an offer: nothing of the student's is missing without it.
    """

    integration: str
    label: str
    kind: Literal["missing", "reconnect"]
    reason: str
    needs_account: bool = True

    @property
    def sentence(self) -> str:
        """The reason for a person, on its own."""
        if self.kind == "missing":
            return gettext("{label} is not connected.", label=gettext(self.label))
        return gettext(
            "{label} must be reconnected: {reason}.", label=gettext(self.label), reason=self.reason.rstrip(".")
        )


MOST_NAMED = 80
"""More names than this help nobody to choose."""


def unknown_tool_message(name: str) -> str:
    """The sentence on a name that nobody registered: a model may have made up a long one."""
    return f"There is no tool named {name[:80]}."


def not_enabled_message(name: str, reason: Exclusion | None) -> str:
    """The sentence on a tool that is registered, and left out here."""
    because = f": {reason.sentence} {reason.next_step}" if reason else "."
    return f"The tool {name[:80]} is not enabled for this student{because}"


def available_tools_message(tools: Sequence[Tool]) -> str:
    """The names of what there is."""
    names = ", ".join(tool.name for tool in tools[:MOST_NAMED]) or "none"
    more = f" and {len(tools) - MOST_NAMED} more" if len(tools) > MOST_NAMED else ""
    return f"Available tools: {names}{more}."
