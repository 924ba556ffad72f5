"""`Tool`: a function and its metadata, as the model, the student and the providers see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from services.i18n import gettext, gettext_noop
from services.tools.context import ToolExecutionContext
from services.tools.definition_schema import definition_schema
from services.tools.result import PreviewRow, ToolResult


class Effect(StrEnum):
    """record: keeps something small of the student's own in Homeroom, at their word: it is done at once, and shown with
    its undo. What is large, or anybody else's, or elsewhere, is a write.
    """

    READ = "read"
    RECORD = "record"
    WRITE = "write"
    OUTBOUND = "outbound"

    @property
    def needs_approval(self) -> bool:
        return self in (Effect.WRITE, Effect.OUTBOUND)

    @property
    def is_change(self) -> bool:
        """Whether anything is another way afterwards."""
        return self is not Effect.READ


class ExclusionKind(StrEnum):
    """Machine-readable reason why a student is not offered a tool: `reason` in the HTTP and MCP answers."""

    NOT_CONNECTED = "not_connected"
    CONNECTION_EXPIRED = "connection_expired"
    CONNECTION_REVOKED = "connection_revoked"
    CONNECTION_LOCKED = "connection_locked"
    CONSENT_REQUIRED = "consent_required"
    CAPABILITY_MISSING = "capability_missing"
    SERVER_DOWN = "server_down"
    CHANGED_DESCRIPTION = "changed_description"
    PACKAGE_MISSING = "package_missing"
    NOT_SET_UP = "not_set_up"
    UNUSABLE = "unusable"
    CATEGORY_OFF = "category_off"
    SWITCHED_OFF = "switched_off"
    OFF_FOR_STUDENT = "off_for_student"
    ASSISTANT_CLOSED = "assistant_closed"


@dataclass(frozen=True, kw_only=True)
class Example:
    """Example call: arguments that the tool's schema accepts, and what they ask for."""

    description: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Obstacle:
    """Reason why nobody can use a tool at the moment, as the provider that offers it knows it.

    reason: a sentence for a person. next_step: what to do. setup: what whoever runs Homeroom has to do, which students
    need not read. All are English, with places for `names`: many students share what is known of a tool, and each is
    told it in their own language by `sentence` and `step`.
    """

    kind: ExclusionKind
    reason: str
    next_step: str
    setup: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The reason in the language of whoever reads it."""
        return gettext(self.reason, **{place: gettext(name) for place, name in self.names.items()})

    @property
    def step(self) -> str:
        return gettext(self.next_step, **self.names)

    @property
    def lasts(self) -> bool:
        """Whether it stays until Homeroom is started anew."""
        return self.kind in (ExclusionKind.NOT_SET_UP, ExclusionKind.PACKAGE_MISSING, ExclusionKind.UNUSABLE)


@dataclass(frozen=True, kw_only=True)
class CallRate:
    """Rate limit of a tool for each student: at most `calls` within any `seconds`."""

    calls: int
    seconds: float


Preview = Callable[[ToolExecutionContext, Mapping[str, Any]], tuple[PreviewRow, ...]]
Undo = Callable[[ToolExecutionContext, Mapping[str, Any]], ToolResult]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Function and metadata, made by the `tool` decorator.

    label: what the student sees while it runs ("Looking up assignments").
    title: what an approval card is headed with ("Add to your calendar").
    category: courses, calendar, notes, planner, … contexts: what a message must be about for it to matter.
    integration: the id of the connection it needs; None for tools of our own, and for those of a category that speak
    to whatever the student has connected: such a tool names what it needs in `capabilities`.
    extension: the folder or package that it comes from. is_sample: what it tells is made up, to try Homeroom with.
    Both are set where it is found.
    server: the MCP server that offers it. is_read_only: whether such a tool is called one that only reads, whatever its
    calls wait for; None where neither the operator nor the server has said it.
    obstacle: why nobody can use it now; None when nothing is in the way.
    is_optional: an extra that an answer may do without; usage_hint, when and when_not tell the model about it.
    capabilities: what else it requires, by name. also_changes: capabilities that it uses where they are there, and
    changes the data of. produces: what its result holds, such as "citations".
    rate: how often one student may use it; None is as often as they like.
    fresh_for_s: how long an answer may be given again for the same question; only for tools that read. When the
    service then does not answer, an older result is given with a note.
    summary: what it does, for the student, in half a sentence; empty for those of others, whose description is shown.
    service: whom it asks outside when that is no connection of the student's, such as "The web".
    asks_student: in a chat its call waits for the student's answer, which is its result; elsewhere the question is.
    schema: JSON Schema of the arguments, derived from the signature.
    validate: turns raw JSON arguments into the function's keyword arguments; raises `BadArguments`.
    """

    name: str
    description: str
    label: str
    title: str
    category: str
    contexts: tuple[str, ...]
    effect: Effect
    integration: str | None
    schema: Mapping[str, Any]
    validate: Callable[[Mapping[str, Any]], dict[str, Any]]
    function: Callable[..., ToolResult]
    preview: Preview | None = None
    undo: Undo | None = None
    timeout_s: float = 20.0
    is_optional: bool = False
    usage_hint: str = ""
    when: tuple[str, ...] = ()
    when_not: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    also_changes: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    rate: CallRate | None = None
    fresh_for_s: float = 0.0
    extension: str = ""
    is_sample: bool = False
    server: str | None = None
    is_read_only: bool | None = None
    summary: str = ""
    service: str = ""
    asks_student: bool = False
    obstacle: Obstacle | None = None

    def definition(self) -> dict[str, Any]:
        """The tool as the Messages API wants it; the schema of a server's tool is in the server's own words."""
        return {"name": self.name, "description": self.description, "input_schema": dict(self._definition_schema)}

    @cached_property
    def _definition_schema(self) -> Mapping[str, Any]:
        return self.schema if self.server else definition_schema(self.schema)


CATEGORIES = (
    *(gettext_noop("courses"), gettext_noop("calendar"), gettext_noop("notes"), gettext_noop("planner")),
    *(gettext_noop("research"), gettext_noop("documents"), gettext_noop("writing"), gettext_noop("mail")),
    *(gettext_noop("study"), gettext_noop("assistants")),
)
HEADINGS = (
    *(gettext_noop("Courses"), gettext_noop("Calendar"), gettext_noop("Notes"), gettext_noop("Planner")),
    *(gettext_noop("Research"), gettext_noop("Documents"), gettext_noop("Writing"), gettext_noop("Mail")),
    *(gettext_noop("Study"), gettext_noop("Assistants")),
)
"""The categories of our own tools, marked for the message catalogue; `heading` gives English."""
_HEADINGS = {"github": "GitHub", "mcp": gettext_noop("MCP servers")}
"""Headings that do not follow from the category's own word."""


def heading(category: str) -> str:
    """The heading of a category in English; whoever shows it translates it."""
    return _HEADINGS.get(category, category.replace("_", " ").capitalize())
