"""What a call gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.tools.kinds import FailureKind


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
