"""What a call gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a fact came from: a title and the address a person can open."""

    title: str
    url: str


@dataclass(frozen=True, kw_only=True)
class ToolResult:
    """What a call gives back (row B8).

    output: what the model reads. data: the same as plain JSON, for programs.
    error: a sentence, when `success` is false; error_kind the same for programs. said: the same for a person who reads
    it on a page, where `error` is written for the model.
    undo: plain JSON that the tool's own `undo` function can act on later; only for writes.
    steps: what was done on the way, a few words each, for the student; of a tool that had others do its work.
    is_partial: something is missing or older than it says; a line of `output` that starts with "Note:" tells what.
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
    is_partial: bool = False
    steps: tuple[str, ...] = ()

    @property
    def trouble(self) -> str:
        """What went wrong, for a person; empty when nothing did or nobody can say."""
        return self.said or self.error or ""


@dataclass(frozen=True, kw_only=True)
class PreviewRow:
    """One line of an approval card: a label, the literal text, and what it was before when it changes."""

    label: str
    value: str
    before: str | None = None


class FailureKind(StrEnum):
    """What programs are told of a call that failed, in every door's `error_kind`; a new one is theirs to learn."""

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
