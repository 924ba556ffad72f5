"""Availability of tools: the one reason why a tool is not offered, as data and as sentences for a person or a model."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant
from services.connections import messages
from services.connections.connection import Connection, Health
from services.connections.connector import Connector
from services.i18n import gettext, gettext_noop
from services.identity.tool_switches import ALL_ON, ToolSwitches
from services.tools.tool import ExclusionKind as ExclusionKind
from services.tools.tool import Obstacle, Tool, heading


@dataclass(frozen=True, kw_only=True)
class Exclusion:
    """Reason why a student is not offered a tool. sentence: the reason for a person, on its own. next_step: what they
    can do. setup: what the operator can do instead. integration: whose connection it is about, if it is.
    """

    kind: ExclusionKind
    sentence: str
    next_step: str
    integration: str | None = None
    setup: str = ""


@dataclass(frozen=True, kw_only=True)
class DisabledIntegration:
    """Integration that offers no tools now. kind: never connected, connected but dead, not to be opened, or connected
    without the consent that a model reads it.

    needs_account: what needs none is only an offer: nothing of the student's is missing without it.
    """

    integration: str
    label: str
    kind: Literal["missing", "reconnect", "locked", "paused"]
    reason: str
    needs_account: bool = True

    @property
    def sentence(self) -> str:
        """The reason for a person, on its own."""
        if self.kind == "missing":
            return messages.not_connected(self.label)
        if self.kind == "locked":
            return messages.credential_locked(self.label)
        if self.kind == "paused":
            return messages.not_agreed(self.label)
        return messages.must_be_reconnected(self.label, self.reason)


@dataclass(frozen=True, kw_only=True)
class AvailabilityFacts:
    """Input of `exclusion_of`: exclusions of integrations that offer nothing, and the capabilities that there are.

    off: what the student has switched off. by_hand: a page reads for them, so that what is Homeroom's own stays on.
    allowed: the integrations that the assistant's tools may call. withheld: obstacles of integrations and capabilities
    that this deployment could have.
    """

    by_integration: Mapping[str, Exclusion]
    capabilities: frozenset[str]
    integrations: Mapping[str, Connector] = field(repr=False)
    allowed: frozenset[str]
    withheld: Mapping[str, Obstacle] = field(default_factory=dict, repr=False)
    off: ToolSwitches = ALL_ON
    by_hand: bool = False


_KINDS = {
    Health.EXPIRED: ExclusionKind.CONNECTION_EXPIRED,
    Health.REVOKED: ExclusionKind.CONNECTION_REVOKED,
    Health.LOCKED: ExclusionKind.CONNECTION_LOCKED,
    Health.PAUSED: ExclusionKind.CONSENT_REQUIRED,
}
_STEPS = {"locked": messages.NOTHING_TO_DO, "paused": messages.AGREE}
MOST_NAMED = 80
"""More names of tools than this help nobody to choose."""
_OTHER_ASSISTANT = gettext_noop("Pick another assistant to use it.")
ASK_THE_OPERATOR = gettext_noop("Whoever runs Homeroom can set it up.")


def connection_exclusion(disabled: DisabledIntegration, connection: Connection | None) -> Exclusion:
    """The exclusion that all tools of an integration share."""
    if connection is None:
        step = messages.connect_step(disabled.label)
        kind = ExclusionKind.NOT_CONNECTED
    else:
        step = gettext(_STEPS.get(disabled.kind, messages.RECONNECT))
        kind = _KINDS.get(connection.health, ExclusionKind.CONNECTION_REVOKED)
    return Exclusion(kind=kind, sentence=disabled.sentence, next_step=step, integration=disabled.integration)


def exclusion_of(tool: Tool, assistant: Assistant | None, facts: AvailabilityFacts) -> Exclusion | None:
    """The exclusion of a tool, or None. The student's own choice comes first, which they alone change; then that of the
    assistant, as nothing else would change it.
    """
    if is_off(tool, facts.off, by_hand=facts.by_hand):
        return _off_for_student(tool, facts.off)
    if assistant is not None and (choice := _assistant_choice(tool, assistant)) is not None:
        return choice
    if tool.obstacle is not None:
        return _from_obstacle(tool.obstacle)
    if tool.integration is not None:
        if tool.integration not in facts.integrations:
            return _missing_capability(tool.integration, facts)
        if refused := _not_allowed(tool, assistant, {tool.integration}, facts):
            return refused
        if tool.integration in facts.by_integration:
            return facts.by_integration[tool.integration]
    lacking = next((name for name in tool.capabilities if name not in facts.capabilities), None)
    if lacking is None:
        return None
    givers = {integration.id for integration in facts.integrations.values() if lacking in integration.capabilities}
    return (
        _not_allowed(tool, assistant, givers, facts)
        or _without_connection(tool, lacking, facts)
        or _missing_capability(lacking, facts)
    )


def is_off(tool: Tool, off: ToolSwitches, *, by_hand: bool = False) -> bool:
    """Whether the student has switched a tool off. by_hand: for a page, which may always show and change what Homeroom
    itself keeps for them.
    """
    if by_hand and (tool.effect.is_change or not (tool.integration or tool.capabilities or tool.service)):
        return False
    return tool.name in off.tools or tool.category in off.categories


def _off_for_student(tool: Tool, off: ToolSwitches) -> Exclusion:
    if tool.category in off.categories:
        sentence = gettext(
            "All tools of “{category}” are switched off in Settings.", category=gettext(heading(tool.category))
        )
    else:
        sentence = gettext("This tool is switched off in Settings.")
    step = gettext("The page Tools and Settings can switch it on again.")
    return Exclusion(kind=ExclusionKind.OFF_FOR_STUDENT, sentence=sentence, next_step=step)


def _assistant_choice(tool: Tool, assistant: Assistant) -> Exclusion | None:
    if isinstance(assistant, ClassAssistant) and assistant.exam:
        return _excluded_by_assistant(
            ExclusionKind.ASSISTANT_CLOSED,
            gettext("{name} uses no tools while an exam window is open.", name=assistant.name),
        )
    switch = assistant.switches.get(tool.name)
    if switch is True:
        return None
    if switch is False:
        return _excluded_by_assistant(
            ExclusionKind.SWITCHED_OFF, gettext("{name} has this tool switched off.", name=assistant.name)
        )
    if tool.server is not None and assistant.mcp_servers is not None:
        if tool.server in assistant.mcp_servers:
            return None
        return _excluded_by_assistant(
            ExclusionKind.SWITCHED_OFF,
            gettext("{name} does not use the tools of {server}.", name=assistant.name, server=tool.server),
        )
    if not assistant.uses_category(tool.category):
        return _excluded_by_assistant(
            ExclusionKind.CATEGORY_OFF,
            gettext("{name} does not use {category} tools.", name=assistant.name, category=gettext(tool.category)),
        )
    return None


def _excluded_by_assistant(kind: ExclusionKind, sentence: str) -> Exclusion:
    return Exclusion(kind=kind, sentence=sentence, next_step=gettext(_OTHER_ASSISTANT))


def _from_obstacle(obstacle: Obstacle) -> Exclusion:
    setup = gettext(obstacle.setup) if obstacle.setup else ""
    return Exclusion(kind=obstacle.kind, sentence=obstacle.sentence, next_step=obstacle.step, setup=setup)


def _not_allowed(
    tool: Tool, assistant: Assistant | None, givers: Set[str], facts: AvailabilityFacts
) -> Exclusion | None:
    """The exclusion when the assistant uses none of the services that could do this, else None."""
    if assistant is None or not givers or givers & facts.allowed:
        return None
    alone = [
        integration.label
        for integration in facts.integrations.values()
        if integration.category == tool.category and integration.id in facts.allowed
    ]
    if not alone:
        return _excluded_by_assistant(
            ExclusionKind.SWITCHED_OFF,
            gettext("{name} works with a calendar that is not set up here.", name=assistant.name),
        )
    label = gettext(alone[0])
    return _excluded_by_assistant(
        ExclusionKind.SWITCHED_OFF,
        gettext("{name} works with {label} alone, which cannot do this.", name=assistant.name, label=label),
    )


def _without_connection(tool: Tool, capability: str, facts: AvailabilityFacts) -> Exclusion | None:
    """The exclusion when a tool of a category has no connection that it could use, else None."""
    category = [
        integration
        for integration in facts.integrations.values()
        if integration.category == tool.category and integration.id in facts.allowed
    ]
    givers = [integration for integration in category if capability in integration.capabilities]
    if tool.integration is not None or not givers:
        return None
    reasons = [facts.by_integration[giver.id] for giver in givers if giver.id in facts.by_integration]
    if dead := next((reason for reason in reasons if reason.kind is not ExclusionKind.NOT_CONNECTED), None):
        return dead
    names, first = reduce(_either, (gettext(giver.label) for giver in givers)), givers[0].id
    live = [gettext(connector.label) for connector in category if connector.id not in facts.by_integration]
    if live and tool.effect.needs_approval:
        sentence, step = (
            gettext("{label} can only be read.", label=live[0]),
            messages.connect_to_write_step(names),
        )
        return Exclusion(kind=ExclusionKind.CAPABILITY_MISSING, sentence=sentence, next_step=step, integration=first)
    sentence = messages.not_connected(names)
    step = messages.connect_step(names)
    return Exclusion(kind=ExclusionKind.NOT_CONNECTED, sentence=sentence, next_step=step, integration=first)


def _missing_capability(capability: str, facts: AvailabilityFacts) -> Exclusion:
    giver = next(
        (integration for integration in facts.integrations.values() if capability in integration.capabilities), None
    )
    readable = capability.replace("_", " ")
    if giver is None and capability in facts.withheld:
        return _from_obstacle(facts.withheld[capability])
    if giver is None:
        sentence = gettext("This needs {capability}, which is not set up here.", capability=gettext(readable))
        return Exclusion(kind=ExclusionKind.CAPABILITY_MISSING, sentence=sentence, next_step=gettext(ASK_THE_OPERATOR))
    label = gettext(giver.label)
    return Exclusion(
        kind=ExclusionKind.CAPABILITY_MISSING,
        sentence=gettext(
            "This needs {capability}, which {label} would give.", capability=gettext(readable), label=label
        ),
        next_step=messages.connect_step(giver.label),
        integration=giver.id,
    )


def _either(first: str, second: str) -> str:
    return gettext("{one} or {other}", one=first, other=second)


def unknown_tool_message(name: str) -> str:
    """Message about a name that nobody registered; a model may have made up a long one."""
    return f"There is no tool named {name[:80]}."


def not_enabled_message(name: str, reason: Exclusion | None) -> str:
    """Message about a tool that is registered, and not enabled here."""
    because = f": {reason.sentence} {reason.next_step}" if reason else "."
    return f"The tool {name[:80]} is not enabled for this student{because}"


def available_tools_message(tools: Sequence[Tool]) -> str:
    """Message with the names of the tools that there are."""
    names = ", ".join(tool.name for tool in tools[:MOST_NAMED]) or "none"
    more = f" and {len(tools) - MOST_NAMED} more" if len(tools) > MOST_NAMED else ""
    return f"Available tools: {names}{more}."


def package_missing(label: str, package: str) -> Obstacle:
    """Obstacle of an extension that imports a package which is not installed."""
    return Obstacle(
        kind=ExclusionKind.PACKAGE_MISSING,
        reason=gettext_noop("{id} needs the package {package}, which is not installed here."),
        next_step=gettext_noop("Whoever runs Homeroom can install {package}."),
        names={"id": label, "package": package},
    )


def not_set_up(label: str, setup: str) -> Obstacle:
    """Obstacle of an integration without its settings: calm words for students, `setup` for whoever runs Homeroom."""
    return Obstacle(
        kind=ExclusionKind.NOT_SET_UP,
        reason=gettext_noop("{service} is not set up here."),
        next_step=ASK_THE_OPERATOR,
        setup=setup or gettext_noop("`python manage.py extensions` prints the lines for .env."),
        names={"service": label},
    )
