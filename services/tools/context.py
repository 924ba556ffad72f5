"""`ToolExecutionContext`: what a tool call is given, and `ToolServices`: what all calls share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.assistants.registry import AssistantRegistry
from services.connections.connection import Connection
from services.connections.connections import Connections
from services.connections.connector import Connector
from services.errors import ItemNotFound, ToolUnavailable
from services.identity.students import Student
from services.llm.chat_model import Payer
from services.llm.citations import Source
from services.llm.metered_model import Meter
from services.materials.library import MaterialLibrary
from services.runtime.clock import Clock
from services.safety.fetch import SafeFetch
from services.safety.field_log import absorb
from services.safety.seen_addresses import SeenAddresses, require_seen_address
from services.settings import Settings
from services.storage.store import Store
from services.study.study_services import StudyServices
from services.tools.activity import ActivityLog
from services.tools.result import DelegatedAnswer, PreviewRow, QuarantinedSummary, ToolResult


class ModelUsageLog(Protocol):
    """Counter of what tools spend at the model, by student."""

    def record_side_request(self, student_id: str, model: str, usage: Any, *, searches: int = 0) -> None:
        """Count one request. usage: its tokens (`services.llm`). searches: web searches that are billed."""


class Summarizer(Protocol):
    """Summaries of untrusted text, by a model request that has no tools."""

    def summarize(
        self, student: Student, text: str, *, payer: Payer, is_stopped: Callable[[], bool]
    ) -> QuarantinedSummary:
        """Summarize in the student's language; raises `ServiceUnavailable`."""


class AssistantDelegation(Protocol):
    """Questions of one assistant to another."""

    def ask(
        self, context: ToolExecutionContext, assistant_id: str, question: str, *, within_s: float
    ) -> DelegatedAnswer:
        """Answer as that assistant; begins no step after `within_s` seconds. Raises `ItemNotFound`, `BadArguments`,
        `ToolUnavailable`, `ServiceUnavailable`.
        """


class ToolServices(Protocol):
    """Services that all tools share: the part of the `ServiceContainer` that a tool may name."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def store(self) -> Store: ...
    @property
    def fetch(self) -> SafeFetch: ...
    @property
    def assistants(self) -> AssistantRegistry: ...
    @property
    def integrations(self) -> Mapping[str, Connector]: ...
    @property
    def connections(self) -> Connections: ...
    @property
    def activity(self) -> ActivityLog: ...
    @property
    def materials(self) -> MaterialLibrary: ...
    @property
    def study(self) -> StudyServices: ...
    @property
    def accounting(self) -> ModelUsageLog: ...
    @property
    def budgets(self) -> Meter: ...
    @property
    def quarantined_summaries(self) -> Summarizer: ...
    @property
    def delegation(self) -> AssistantDelegation: ...

    def with_store(self, store: Store) -> ToolServices:
        """The same services over another store, such as one that refuses to write."""


class NestedCalls(Protocol):
    """The reading tools that a tool may call within its own call."""

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]: ...


class ProgressObserver(Protocol):
    """Observer of running calls: the page that shows the turn."""

    @property
    def is_over(self) -> bool: ...

    def tell(self, call_id: str, note: str) -> None: ...


@dataclass(frozen=True, kw_only=True)
class ToolExecutionContext:
    """Context of one tool call; what all calls share is in `container`.

    connections: the student's connections as the resolution of this turn read them, by integration.
    operation_id: idempotency key of an approved write, the same for every try; outside ids are derived from it.
    is_repeat: an earlier try of this operation may have reached the service. is_undo: the write is undone, and this may
    not be the first try of that.
    holds_lease: asks whether this try is still the one that counts: a process that is halted for long loses its lease,
    and another one tries.
    began_at: when the first try of this operation began; bounds what a repeat looks for.
    approved_rows: the rows of the card the student approved; a write that finds something else refuses.
    asked_by: the name of the student's own program that calls, when it is not the chat's model.
    seen_addresses: reads the addresses that the conversation has named; None outside a conversation. With `asked_by` it
    is what the program was told: a model speaks through it, whose words are not the student's.
    cited_sources: reads the sources that the conversation's answers cite, in order; None outside a conversation.
    used_integrations: those whose client this call was given, in order; a tool of a category may use several.
    chosen: the assistant that calls or is named by the call; tools read `assistant` instead.
    assistant_id: the same by its id, for calls that run later than they were asked for (approved writes, jobs).
    asked_through: the ids of the assistants that have handed this question on, the first one first.
    depth: how many tools have called each other to get here. nested_calls: what `call` goes through.
    progress_observer: the chat that waits; `progress` tells it, and `is_stopped` asks whether it still waits.
    """

    student: Student
    container: ToolServices = field(repr=False)
    connections: Mapping[str, Connection] = field(default_factory=dict, repr=False)
    conversation_id: str | None = None
    turn_id: str | None = None
    call_id: str | None = None
    operation_id: str | None = None
    is_repeat: bool = False
    is_undo: bool = False
    holds_lease: Callable[[], bool] = field(default=lambda: True, repr=False, compare=False)
    began_at: datetime | None = None
    approved_rows: tuple[PreviewRow, ...] = ()
    asked_by: str = ""
    seen_addresses: Callable[[], SeenAddresses] | None = field(default=None, repr=False)
    cited_sources: Callable[[], Sequence[Source]] | None = field(default=None, repr=False)
    used_integrations: list[str] = field(default_factory=list, repr=False, compare=False)
    chosen: Assistant | None = field(default=None, repr=False)
    assistant_id: str = DEFAULT_ASSISTANT
    asked_through: tuple[str, ...] = ()
    depth: int = 0
    nested_calls: NestedCalls | None = field(default=None, repr=False)
    progress_observer: ProgressObserver | None = field(default=None, repr=False)

    @property
    def is_stopped(self) -> bool:
        """Whether nobody waits for the result any more; a long call checks it now and then."""
        return self.progress_observer is not None and self.progress_observer.is_over

    def progress(self, note: str) -> None:
        """Show how far this call has come, in a few words; from any thread."""
        if self.progress_observer is not None and self.call_id is not None:
            self.progress_observer.tell(self.call_id, note)

    @property
    def payer(self) -> Payer:
        """Whose budget pays for requests to the model: that of the class whose assistant calls, else the student's."""
        return Payer(student_id=self.student.id, class_id=self.chosen.class_id if self.chosen else "")

    @property
    def assistant(self) -> Assistant:
        """The assistant whose `feeds`, `links` and `calendar` this call works

        In a chat it is the conversation's, over HTTP the one that the call names, and else the default one, which
        takes one store read. Its switches have been applied already: here it only gives what tools are set up with.
        """
        if self.chosen is not None:
            return self.chosen
        try:
            return self.container.assistants.for_student(self.student.id, self.assistant_id)
        except ItemNotFound:
            return self.container.assistants.get(DEFAULT_ASSISTANT)

    def call(self, name: str, /, **arguments: Any) -> ToolResult:
        """Call another tool that reads, within the same resolution: what is left out there is refused.

        Never raises for what goes wrong in that tool: look at `success`, and pass on `sources`.
        """
        (result,) = self.call_all((name, arguments))
        return result

    def call_all(self, *calls: tuple[str, Mapping[str, Any]]) -> list[ToolResult]:
        """Several of these side by side; the results in the order of the calls, each a name and its arguments."""
        if self.nested_calls is None:
            raise ToolUnavailable("This call has no other tools within its reach.")
        results = self.nested_calls.call_all(self, calls)
        for result in results:
            absorb(result.provenance)
        return results

    def client(self, integration: str) -> Any:
        """The student's authenticated client; raises `ReconnectRequired`, `ServiceUnavailable`."""
        if integration not in self.used_integrations:
            self.used_integrations.append(integration)
        return self.container.connections.client(self.student.id, integration, self.connections.get(integration))

    @property
    def is_students_word(self) -> bool:
        """Whether the arguments are the student's own: they approved them, or a program of theirs gives them."""
        return bool(self.operation_id or (self.asked_by and self.seen_addresses is None))

    def require_known(self, *urls: str, is_shown: bool = False) -> None:
        """Raise `AddressRefused` unless the student or an earlier result named each address, to the letter.

        What their own program or the Tools page gives, and what they approved, are the student's own words.
        is_shown: the address is on a card that they approve first.
        """
        if self.is_students_word:
            return
        known = self.seen_addresses() if self.seen_addresses else None
        for url in urls:
            require_seen_address(url, known, is_shown=is_shown)

    def student_said(self, words: str) -> bool:
        """Whether the student wrote these words themselves in this conversation, or gives them through a program."""
        if self.asked_by or self.operation_id:
            return True
        known = self.seen_addresses() if self.seen_addresses else None
        return known is not None and known.is_written_by_student(words)

    def now(self) -> datetime:
        """The time, in the student's own time zone."""
        return self.container.clock().astimezone(self.timezone)

    @property
    def timezone(self) -> ZoneInfo:
        return ZoneInfo(self.student.timezone)
