"""Results: of a tool call, and of the two shared services that answer tools with a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from services.assistants.assistant import Assistant
from services.i18n import gettext
from services.llm.citations import Source
from services.materials.picture_blocks import PageReference
from services.safety.provenance import ResultProvenance


class FailureKind(StrEnum):
    """Machine-readable reason of a failed call: `error_kind` in the HTTP and MCP answers, so programs rely on it."""

    NOT_CONNECTED = "not_connected"
    RECONNECT = "reconnect"
    UNAVAILABLE = "unavailable"
    NOT_ALLOWED = "not_allowed"
    BAD_ARGUMENTS = "bad_arguments"
    NOT_FOUND = "not_found"
    CHANGED_ELSEWHERE = "changed_elsewhere"
    NOT_DONE = "not_done"
    UNKNOWN_OUTCOME = "unknown_outcome"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    USED_TOO_OFTEN = "used_too_often"
    INTERNAL = "internal"


@dataclass(frozen=True, kw_only=True)
class ToolResult:
    """Result of a tool call.

    output: what the model reads. data: the same as plain JSON, for programs.
    error: a sentence, when `success` is false; error_kind the same for programs. said: the same for a person who reads
    it on a page, where `error` is written for the model.
    undo: plain JSON that the tool's own `undo` function can act on later; only for what changes something.
    rows: of what was recorded at once, the lines of its card; none where it needs no card.
    steps: what was done on the way, a few words each, for the student; of a tool that had others do its work.
    is_partial: something is missing or older than it says; a line of `output` that starts with "Note:" tells what.
    pictures: pages that go to the model as pictures, each behind the passage of its source.
    reading: keys of the courses whose materials are still being read, so that the same question has more later.
    provenance: who may have written what it holds, derived from the fields that the call has read.
    """

    success: bool = True
    output: str = ""
    data: Any = None
    error: str | None = None
    error_kind: FailureKind | None = None
    said: str | None = None
    requires_approval: bool = False
    approval_request_id: str | None = None
    sources: tuple[Source, ...] = ()
    undo: Mapping[str, Any] | None = None
    rows: "tuple[PreviewRow, ...]" = ()
    is_partial: bool = False
    steps: tuple[str, ...] = ()
    pictures: tuple[PageReference, ...] = ()
    reading: tuple[str, ...] = ()
    provenance: ResultProvenance = field(default_factory=ResultProvenance, repr=False)

    @property
    def trouble(self) -> str:
        """What went wrong, for a person; empty when nothing did or nobody can say."""
        return self.said or self.error or ""


@dataclass(frozen=True, kw_only=True)
class PreviewRow:
    """One line of an approval card: a label, the literal text, and what it was before when it changes.

    resolved: arguments as this line understands them, such as the id of a page that was given in words or not at all:
    the approved call is made with these, so that nothing is looked up or chosen a second time.
    past_at: moment (`services.runtime.clock.stamp`) from which on this line speaks of the past, such as the start of an
    event to add: a card is not approved any more then. Empty where it never does.
    """

    label: str
    value: str
    before: str | None = None
    resolved: Mapping[str, Any] = field(default_factory=dict, hash=False)
    past_at: str = field(default="", compare=False)


@dataclass(frozen=True, kw_only=True)
class DelegationStep:
    """One tool call of an assistant that was asked by another."""

    tool: str
    label: str
    success: bool

    @property
    def line(self) -> str:
        label = gettext(self.label)
        return label if self.success else gettext("{label} (did not work)", label=label)


@dataclass(frozen=True, kw_only=True)
class DelegatedAnswer:
    """Answer of an assistant to another one. why_partial: a sentence when it could not finish, else empty."""

    assistant: Assistant
    text: str = field(repr=False)
    steps: tuple[DelegationStep, ...]
    sources: tuple[Source, ...]
    tokens: int
    why_partial: str = ""

    @property
    def is_partial(self) -> bool:
        return bool(self.why_partial)


@dataclass(frozen=True, kw_only=True)
class QuarantinedSummary:
    """Summary of an untrusted text, without any address, by a model request that has no tools.

    gist: one sentence. points: what else the text says, one line each. is_whole: all of the text was read, and the
    answer was not cut.
    """

    gist: str = field(repr=False)
    points: tuple[str, ...] = field(repr=False)
    is_whole: bool
