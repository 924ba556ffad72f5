"""What a tool is: a function, its metadata, the context it is called in and the result it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol
from zoneinfo import ZoneInfo

from services.assistants.assistant import DEFAULT, Assistant
from services.errors import ItemNotFound, ToolUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.safety.known import KnownAddresses, require_known
from services.safety.known import Told as Told
from services.tools.kinds import FailureKind as FailureKind
from services.tools.kinds import Kind
from services.tools.result import PreviewRow as PreviewRow
from services.tools.result import Source as Source
from services.tools.result import ToolResult as ToolResult

if TYPE_CHECKING:
    from services.connections.connection import Connection
    from services.wiring.container import ServiceContainer


class Effect(StrEnum):
    READ = "read"
    WRITE = "write"
    OUTBOUND = "outbound"

    @property
    def needs_approval(self) -> bool:
        return self is not Effect.READ


class Reads(Protocol):
    """The tools that read of one student's toolbox, for a tool that needs them."""

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]: ...


class Watch(Protocol):
    """Who looks on while calls run: the turn's page."""

    @property
    def is_over(self) -> bool: ...

    def tell(self, call_id: str, note: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class ToolExecutionContext:
    """What this one call needs; what all calls share is in `container`.

    connections: the student's connections as the resolution of this turn read them, by integration.
    operation_id: the same for every try of one approved write; outside ids are chosen from it.
    is_repeat: an earlier try of this operation may have reached the service.
    began_at: when the first try of this operation began; bounds what a repeat looks for.
    approved_rows: the rows of the card the student approved; a write that finds something else refuses.
    asked_by: the name of the student's own program that calls, when it is not the chat's model.
    named: reads what addresses the conversation has named; None outside a conversation. With `asked_by` it is what the
    program was told: a model speaks through it, whose words are not the student's.
    used: the integrations whose client this call was given, in order; a tool of a category may use several.
    chosen: the assistant that calls or is named by the call; tools read `assistant` instead.
    assistant_id: the same by its id, for calls that run later than they were asked for (approved writes, jobs).
    asked_through: the ids of the assistants that have handed this question on, the first one first.
    depth: how many tools have called each other to get here. reads: what `call` goes through.
    watch: who looks on in a chat; `progress` tells them, and `is_stopped` asks whether they still wait.
    """

    student: Student
    container: ServiceContainer = field(repr=False)
    connections: Mapping[str, Connection] = field(default_factory=dict, repr=False)
    conversation_id: str | None = None
    turn_id: str | None = None
    call_id: str | None = None
    operation_id: str | None = None
    is_repeat: bool = False
    began_at: datetime | None = None
    approved_rows: tuple[PreviewRow, ...] = ()
    asked_by: str = ""
    named: Callable[[], KnownAddresses] | None = field(default=None, repr=False)
    used: list[str] = field(default_factory=list, repr=False, compare=False)
    chosen: Assistant | None = field(default=None, repr=False)
    assistant_id: str = DEFAULT
    asked_through: tuple[str, ...] = ()
    depth: int = 0
    reads: Reads | None = field(default=None, repr=False)
    watch: Watch | None = field(default=None, repr=False)

    @property
    def is_stopped(self) -> bool:
        """Whether nobody waits for the result any more; a call that takes long asks now and then."""
        return self.watch is not None and self.watch.is_over

    def progress(self, note: str) -> None:
        """Show how far this call has come, in a few words; from any thread."""
        if self.watch is not None and self.call_id is not None:
            self.watch.tell(self.call_id, note)

    @property
    def assistant(self) -> Assistant:
        """The assistant whose `feeds`, `links` and `calendar` this call works with (row D7).

        In a chat it is the conversation's, over HTTP the one that the call names, and else the default one, which
        takes one store read. Its switches have been applied already: here it only gives what tools are set up with.
        """
        if self.chosen is not None:
            return self.chosen
        try:
            return self.container.assistants.get(self.assistant_id)
        except ItemNotFound:
            return self.container.assistants.get(DEFAULT)

    def call(self, name: str, /, **arguments: Any) -> ToolResult:
        """Call another tool that reads, within the same resolution: what is left out there is refused (row D8).

        Never raises for what goes wrong in that tool: look at `success`, and pass on `sources`.
        """
        (result,) = self.call_all((name, arguments))
        return result

    def call_all(self, *calls: tuple[str, Mapping[str, Any]]) -> list[ToolResult]:
        """Several of these side by side; the results in the order of the calls, each a name and its arguments."""
        if self.reads is None:
            raise ToolUnavailable("This call has no other tools within its reach.")
        return self.reads.call_all(self, calls)

    def client(self, integration: str) -> Any:
        """The student's authenticated client; raises `ReconnectRequired`, `ServiceUnavailable`."""
        if integration not in self.used:
            self.used.append(integration)
        return self.container.connections.client(self.student.id, integration, self.connections.get(integration))

    @property
    def is_students_word(self) -> bool:
        """Whether the arguments are the student's own: they approved them, or a program of theirs gives them."""
        return bool(self.operation_id or (self.asked_by and self.named is None))

    def require_known(self, *urls: str, is_shown: bool = False) -> None:
        """Raise `AddressRefused` unless the student or an earlier result named each address, to the letter (T03).

        What their own program or the Tools page gives, and what they approved, are the student's own words.
        is_shown: the address is on a card that they approve first.
        """
        if self.is_students_word:
            return
        known = self.named() if self.named else None
        for url in urls:
            require_known(url, known, is_shown=is_shown)

    def student_said(self, words: str) -> bool:
        """Whether the student wrote these words themselves in this conversation, or gives them through a program."""
        if self.asked_by or self.operation_id:
            return True
        known = self.named() if self.named else None
        return known is not None and known.was_said(words)

    def now(self) -> datetime:
        """The time, in the student's own time zone."""
        return self.container.clock().astimezone(self.timezone)

    @property
    def timezone(self) -> ZoneInfo:
        return ZoneInfo(self.student.timezone)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A call worth imitating: arguments that the tool's schema accepts, and what they ask for."""

    description: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Obstacle:
    """Why nobody can use a tool at the moment, as the provider that offers it knows.

    reason: a sentence for a person. next_step: what to do. setup: what whoever runs Homeroom has to do, which students
    need not read. All are English, with places for `names`: many students share what is known of a tool, and each is
    told it in their own language by `sentence` and `step`.
    """

    kind: Kind
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
        return self.kind in (Kind.NOT_SET_UP, Kind.PACKAGE_MISSING, Kind.UNUSABLE)


@dataclass(frozen=True, kw_only=True)
class RatePer:
    """How often one student may use a tool: at most `calls` within any `seconds`."""

    calls: int
    seconds: float


Preview = Callable[[ToolExecutionContext, Mapping[str, Any]], tuple[PreviewRow, ...]]
Undo = Callable[[ToolExecutionContext, Mapping[str, Any]], ToolResult]
ToldOf = Callable[[Mapping[str, Any]], Told]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function and its metadata, made by the `tool` decorator.

    label: what the student sees while it runs ("Looking up assignments").
    title: what an approval card is headed with ("Add to your calendar").
    category: courses, calendar, notes, planner, … contexts: what a message must be about for it to matter.
    integration: the id of the connection it needs; None for tools of our own, and for those of a category that speak
    to whatever the student has connected: such a tool names what it needs in `capabilities`.
    extension: the folder or package that it comes from. is_sample: what it tells is made up, to try Homeroom with.
    Both are set where it is found.
    server: the MCP server that offers it. obstacle: why nobody can use it now; None when nothing is in the way.
    is_optional: an extra that an answer may do without; usage_hint, when and when_not tell the model about it.
    capabilities: what else it requires, by name. produces: what its result holds, such as "citations".
    rate: how often one student may use it; None is as often as they like.
    fresh_for_s: how long an answer may be given again for the same question; only for tools that read. When the
    service then does not answer, an older one is given with a note.
    told: whose words its result is made of; `told_of` tells it for one call's arguments.
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
    produces: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    rate: RatePer | None = None
    fresh_for_s: float = 0.0
    extension: str = ""
    is_sample: bool = False
    server: str | None = None
    told: Told | ToldOf = Told.MIXED
    summary: str = ""
    service: str = ""
    asks_student: bool = False
    obstacle: Obstacle | None = None

    def told_of(self, arguments: Mapping[str, Any]) -> Told:
        return self.told if isinstance(self.told, Told) else self.told(arguments)

    def definition(self) -> dict[str, Any]:
        """The tool as the Messages API wants it."""
        return {"name": self.name, "description": self.description, "input_schema": dict(self.schema)}
