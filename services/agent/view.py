"""What a page draws of a conversation: items as plain data, and how they travel through the store."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from services.agent.citations import Citation
from services.agent.events import Notice, TurnStatus
from services.agent.ratings import Rating, rating_of
from services.discovery.why import Why, read_why
from services.files.attachment import Attachment
from services.i18n import gettext
from services.tools.base import Source

Action = Literal["retry", "continue"]


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    text: str = field(repr=False)
    seq: int
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AssistantText:
    """The assistant's words, not sanitised yet; `seq` is 0 while they are still being written.

    why: at the last words of a turn, why it had these tools; words are equal whatever it says.
    rating: what the student thought of them.
    """

    text: str = field(repr=False)
    seq: int = 0
    citations: tuple[Citation, ...] = ()
    why: Why | None = field(default=None, compare=False, repr=False)
    rating: Rating | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class ToolLine:
    """One tool call. `success` is None while it runs; `sentence` says why it failed; `steps` were done on the way.

    note: how far it has come, while it runs.
    """

    call_id: str
    label: str
    name: str
    arguments: Mapping[str, Any] = field(repr=False)
    success: bool | None = None
    sentence: str = ""
    seconds: float = 0.0
    sources: tuple[Source, ...] = ()
    steps: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ApprovalItem:
    """The place of an approval's card; its state is read from `Approvals`."""

    approval_id: str


@dataclass(frozen=True, kw_only=True)
class NoticeItem:
    """Not the assistant's words: what happened, what to do, and the button that does it."""

    sentence: str
    next_step: str = ""
    action: Action | None = None


@dataclass(frozen=True, kw_only=True)
class SummedUp:
    """The place from which on the assistant reads a summary of what stands above; the student still sees it all."""


def said(notice: Notice) -> NoticeItem:
    """A notice in the language of whoever looks."""
    return NoticeItem(sentence=gettext(notice.sentence), next_step=gettext(notice.next_step), action=notice.action)


Item = UserMessage | AssistantText | ToolLine | ApprovalItem | NoticeItem | SummedUp
Items = list[Item]


@dataclass(frozen=True, kw_only=True)
class TurnView:
    """A turn at one moment. `version` grows with every change that this process saw."""

    turn_id: str
    status: TurnStatus
    items: list[Item]
    notice: NoticeItem | None = None
    version: int = 0


_KINDS: dict[str, type[Item]] = {
    kind.__name__: kind for kind in (UserMessage, AssistantText, ToolLine, ApprovalItem, NoticeItem, SummedUp)
}


def to_json(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Items as plain JSON, for a turn's snapshot in the store."""
    return [{"kind": type(item).__name__, **asdict(item)} for item in items]


def from_json(written: Sequence[Mapping[str, Any]]) -> list[Item]:
    """Read what `to_json` wrote."""
    return [_item(one) for one in written]


def _item(written: Mapping[str, Any]) -> Item:
    fields = {name: value for name, value in written.items() if name != "kind"}
    if "files" in fields:
        fields["files"] = tuple(Attachment(**file) for file in fields["files"])
    if "steps" in fields:
        fields["steps"] = tuple(fields["steps"])
    if "sources" in fields:
        fields["sources"] = tuple(Source(**source) for source in fields["sources"])
    if "citations" in fields:
        fields["citations"] = tuple(
            Citation(at=one["at"], source=Source(**one["source"])) for one in fields["citations"]
        )
    if "why" in fields:
        fields["why"] = read_why(fields["why"])
    if "rating" in fields:
        fields["rating"] = rating_of(fields)
    return _KINDS[written["kind"]](**fields)
