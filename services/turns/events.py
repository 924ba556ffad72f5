"""What a turn says while it runs. Events are plain data: a page draws them, a test asserts them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.conversations.turn_records import Notice, TurnStatus
from services.discovery.explanation import LoadingExplanation
from services.llm.citations import Citation
from services.tools.result import Source


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    """Some more of the assistant's words, not sanitised yet."""

    text: str


@dataclass(frozen=True, kw_only=True)
class WordsEnded:
    """The model has said what it says in this step: pages show it now, before it is stored."""


@dataclass(frozen=True, kw_only=True)
class ToolStarted:
    """name: "" for a step that is no tool's, and is told only while the turn runs."""

    call_id: str
    name: str
    label: str
    arguments: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ToolProgress:
    """How far a call that takes long has come, such as "12 of 80"."""

    call_id: str
    note: str


@dataclass(frozen=True, kw_only=True)
class ToolFinished:
    call_id: str
    success: bool
    sentence: str = ""
    """Why it failed, when it did."""
    seconds: float = 0.0
    sources: tuple[Source, ...] = ()
    steps: tuple[str, ...] = ()
    """What was done on the way, by a tool that had others do its work."""


@dataclass(frozen=True, kw_only=True)
class ApprovalRequested:
    approval_id: str
    call_id: str


@dataclass(frozen=True, kw_only=True)
class StepStored:
    """Everything before this is in the store; `seq` is the number of the last stored message.

    citations: places in the words that were stored. why: what is known so far of why the turn has these tools.
    """

    seq: int
    citations: tuple[Citation, ...] = ()
    why: LoadingExplanation | None = None


@dataclass(frozen=True, kw_only=True)
class TurnEnded:
    status: TurnStatus
    notice: Notice | None = None


Event = (
    TextDelta
    | WordsEnded
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | ApprovalRequested
    | StepStored
    | Notice
    | TurnEnded
)
