"""What a turn says while it runs. Events are plain data: a page draws them, a test asserts them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from services.agent.citations import Citation
from services.discovery.why import Why
from services.tools.base import Source


class TurnStatus(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"
    """For the student's decision on one or more approvals."""
    DONE = "done"
    STOPPED = "stopped"
    """By the student; what was said is kept."""
    INTERRUPTED = "interrupted"
    """By a crash or by the model's side; offers Continue."""
    FAILED = "failed"
    """Before anything was said; offers Retry."""

    @property
    def is_over(self) -> bool:
        return self not in (TurnStatus.RUNNING, TurnStatus.WAITING)


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
    why: Why | None = None


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something the student should know that is not the assistant's words: a cause and a next step."""

    sentence: str
    next_step: str = ""
    action: Literal["retry", "continue"] | None = None


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
