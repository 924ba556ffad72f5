"""`ServerTools`: the tools of one server, as pinned and as listed now."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from services.errors import OutcomeUnknown, RequestRefused, ServiceUnavailable
from services.errors import TooLarge as TooLargeToRead
from services.i18n import gettext, gettext_noop
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import plain
from services.settings.mcp_servers import EVERY_TOOL, McpServer
from services.tools.coercion import without_nulls
from services.tools.context import ToolExecutionContext
from services.tools.mcp.connection import ServerConnection
from services.tools.mcp.errors import AnswerLate, AnswerTooLarge, CallRefused, McpCallError
from services.tools.mcp.exfiltration_guard import refuse_unseen_addresses
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.pins import Pin
from services.tools.mcp.results import parse_answer
from services.tools.mcp.schemas import check_arguments
from services.tools.mcp.spec import ToolSpec, parse_spec
from services.tools.result import ToolResult
from services.tools.tool import Effect, ExclusionKind, Obstacle, Tool

log = logging.getLogger(__name__)

CHANGED = Obstacle(
    kind=ExclusionKind.CHANGED_DESCRIPTION,
    reason=gettext_noop("It needs approval of a changed description."),
    next_step=gettext_noop("Ask whoever runs Homeroom to look at it."),
)

NEW = Obstacle(
    kind=ExclusionKind.CHANGED_DESCRIPTION,
    reason=gettext_noop("It is new on its server and needs approval."),
    next_step=gettext_noop("Ask whoever runs Homeroom to look at it."),
)


@dataclass(frozen=True, kw_only=True)
class ListedTools:
    """Listing that was not processed yet: the server's own tuple, and each tool with its words on the wire."""

    listing: tuple[Mapping[str, Any], ...]
    seen: Sequence[tuple[ToolSpec, Mapping[str, Any]]]


class ServerTools:
    def __init__(self, connection: ServerConnection, limits: McpLimits) -> None:
        self._connection = connection
        self._limits = limits
        self._listing: tuple[Mapping[str, Any], ...] | None = None
        self._seen: Sequence[tuple[ToolSpec, Mapping[str, Any]]] = ()
        self.tools: tuple[Tool, ...] = ()

    @property
    def has_changed(self) -> bool:
        return any(
            tool.obstacle is not None and tool.obstacle.kind is ExclusionKind.CHANGED_DESCRIPTION for tool in self.tools
        )

    def new_listing(self) -> ListedTools | None:
        """The server's listing when it is new since the last call, else None."""
        listing = self._connection.listing
        if listing is None or listing is self._listing:
            return None
        seen: dict[str, tuple[ToolSpec, Mapping[str, Any]]] = {}
        for listed in listing:
            spec = parse_spec(self._connection.server, listed, self._limits)
            if spec.name in seen:
                log.warning("mcp_tool_listed_twice server=%s tool=%s", self._connection.server.name, spec.name)
            if spec.problem:
                log.warning("mcp_tool_unusable server=%s tool=%s", self._connection.server.name, spec.name)
            seen.setdefault(spec.name, (spec, listed))
        return ListedTools(listing=listing, seen=list(seen.values()))

    def update(self, pins: Mapping[str, Pin], news: ListedTools) -> None:
        """Offer what the server lists now."""
        self._listing, self._seen = news.listing, news.seen
        self.apply_pins(pins)

    def apply_pins(self, pins: Mapping[str, Pin]) -> None:
        """Offer what is pinned, by name: as the server lists it now, or as it did in an earlier process."""
        server = self._connection.server
        seen = {spec.name: spec for spec, _ in self._seen}
        if self._listing is None:
            seen = {name: parse_spec(server, pin.listed, self._limits) for name, pin in pins.items()}
        self.tools = tuple(self._tool(seen[name], pins.get(name)) for name in sorted(seen))

    def _tool(self, spec: ToolSpec, pin: Pin | None) -> Tool:
        """Make the tool as it was pinned: a changed description is shown to no model before it is approved."""
        server = self._connection.server
        if spec.problem:
            return self._made(spec, _unusable(spec.problem))
        if pin is None:
            return self._made(spec, server_down(server))
        if pin.fingerprint != spec.fingerprint or pin.changed_fingerprint:
            return self._made(parse_spec(server, pin.listed, self._limits), CHANGED if pin.fingerprint else NEW)
        return self._made(spec, None)

    def _made(self, spec: ToolSpec, obstacle: Obstacle | None) -> Tool:
        server = self._connection.server
        title = f"{server.label}: {spec.title}"
        effect = _effect(server, spec)
        return Tool(
            name=spec.name,
            description=f"From the MCP server {server.name}. {spec.description}",
            label=title,
            title=title,
            category=server.category,
            contexts=server.contexts_of(spec.own_name),
            effect=effect,
            is_read_only=_is_read_only(server, spec, effect),
            integration=None,
            server=server.name,
            obstacle=obstacle,
            schema=spec.schema,
            validate=partial(_check, spec.schema),
            function=partial(_run, self._connection, spec.own_name, effect, self._limits),
            timeout_s=self._limits.start_s + self._limits.call_s + 5,
        )


def _effect(server: McpServer, spec: ToolSpec) -> Effect:
    """Effect of a tool. It reads without asking by the operator's word alone, as whoever wrote the server is given all
    that the model puts into a call: annotations are claims, and can only make it stricter. The word on a tool by its
    name stands above them, the one on the whole server does not.
    """
    if word := server.effects.get(spec.own_name):
        return Effect(word)
    effect = Effect(server.effects.get(EVERY_TOOL, Effect.OUTBOUND if spec.is_read_only else Effect.WRITE))
    if spec.is_read_only is False:
        return Effect.WRITE
    return Effect.OUTBOUND if spec.is_outward and effect is Effect.READ else effect


def _is_read_only(server: McpServer, spec: ToolSpec, effect: Effect) -> bool | None:
    """Whether it is called a tool that only reads, by the operator's word or else the server's; None for no word."""
    if effect is Effect.READ:
        return True
    word = server.effects.get(spec.own_name, server.effects.get(EVERY_TOOL))
    return False if word == Effect.WRITE else spec.is_read_only


def _check(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    return check_arguments(schema, without_nulls(arguments, schema))


def server_down(server: McpServer) -> Obstacle:
    return Obstacle(
        kind=ExclusionKind.SERVER_DOWN,
        reason=gettext_noop("The server {label} does not answer at the moment."),
        next_step=gettext_noop("It is tried again by itself; ask again later."),
        names={"label": server.label},
    )


def _unusable(problem: str) -> Obstacle:
    step = "Ask whoever runs Homeroom to tell the makers of the server."
    return Obstacle(
        kind=ExclusionKind.UNUSABLE,
        reason=gettext_noop("It cannot be used here: {problem}."),
        next_step=step,
        names={"problem": problem},
    )


def _run(
    connection: ServerConnection,
    own_name: str,
    effect: Effect,
    limits: McpLimits,
    context: ToolExecutionContext,
    /,
    **arguments: Any,
) -> ToolResult:
    """Call the server with nothing of the student's but the arguments; raises `ServiceError`s."""
    label = connection.server.label
    if not effect.needs_approval:
        refuse_unseen_addresses(context, arguments)
    if context.is_repeat and effect.needs_approval:
        # MCP has no operation ids: a second try could do it twice.
        raise OutcomeUnknown(label, gettext("It is not clear whether {label} did this.", label=label))
    writer = Provenance(connection.server.told_of(own_name) or Provenance.UNDECLARED)
    try:
        answer = declared(connection.call(own_name, arguments), writer)
    except CallRefused as refusal:
        raise RequestRefused(
            label, gettext("{label} says: {words}", label=label, words=plain(declared(str(refusal), writer), limit=500))
        ) from None
    except McpCallError as outcome:
        raise _failure(label, outcome, effect) from None
    return parse_answer(label, answer, limits)


def _failure(label: str, outcome: McpCallError, effect: Effect) -> Exception:
    if effect.needs_approval and outcome.was_sent:
        return OutcomeUnknown(label, gettext("{label} did not say whether this happened.", label=label))
    if isinstance(outcome, AnswerTooLarge):
        return TooLargeToRead(label, f"The answer of {label} is too large to be read.")
    if isinstance(outcome, AnswerLate):
        return ServiceUnavailable(label, gettext("{label} did not answer in time.", label=label))
    return ServiceUnavailable(label, gettext("{label} does not answer at the moment.", label=label))
