"""Events of a running turn, as plain data that a page draws and a test asserts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.conversations.turn_records import Notice, TurnStatus
from services.discovery.explanation import LoadingExplanation
from services.llm.citations import Citation, Source


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    """Piece of the assistant's text, not sanitised yet."""

    text: str


@dataclass(frozen=True, kw_only=True)
class TextEnded:
    """End of the text of a step: pages show all of it now, before it is stored."""


@dataclass(frozen=True, kw_only=True)
class ToolStarted:
    """Start of a tool call. name: "" for a step without a tool, which is shown only while the turn runs."""

    call_id: str
    name: str
    label: str
    arguments: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ToolProgress:
    """Progress of a long call, such as "12 of 80"."""

    call_id: str
    note: str


@dataclass(frozen=True, kw_only=True)
class ToolFinished:
    """End of a tool call."""

    call_id: str
    success: bool
    sentence: str = ""
    """Why it failed, when it did."""
    asks_back: bool = False
    """Whether it failed only as the request was not clear, or as what it names is not there."""
    seconds: float = 0.0
    sources: tuple[Source, ...] = ()
    steps: tuple[str, ...] = ()
    """What was done on the way, by a tool that delegates."""
    reading: tuple[str, ...] = ()
    """Courses whose materials were still being read."""


@dataclass(frozen=True, kw_only=True)
class ApprovalRequested:
    """Write that waits for the student."""

    approval_id: str
    call_id: str


@dataclass(frozen=True, kw_only=True)
class StepStored:
    """Checkpoint: every event before it is stored. seq: number of the last stored message.

    citations: places in the stored text. why: why the turn has these tools, as far as it is known.
    """

    seq: int
    citations: tuple[Citation, ...] = ()
    why: LoadingExplanation | None = None


@dataclass(frozen=True, kw_only=True)
class TurnEnded:
    """End of a turn, or of a run of it that waits for the student. is_stored: together with its last message."""

    status: TurnStatus
    notice: Notice | None = None
    is_stored: bool = False


Event = (
    TextDelta
    | TextEnded
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | ApprovalRequested
    | StepStored
    | Notice
    | TurnEnded
)
