"""Items that a page draws of a conversation, made from its stored messages; a running turn's travel as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from services.conversations.ratings import Rating, rating_of
from services.conversations.turn_records import Notice, TurnRecord, TurnStatus
from services.discovery.explanation import LoadingExplanation, explain_loading
from services.files.attachments import Attachment, attachments_in
from services.i18n import gettext, gettext_noop
from services.llm.citations import Citation, Source, read_citations
from services.llm.messages import Block, StoredMessage
from services.storage.records import read_record

Action = Literal["retry", "continue"]
INTERRUPTED = gettext_noop("This was interrupted before it finished.")


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    text: str = field(repr=False)
    seq: int
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AssistantText:
    """Text of the assistant, not sanitised yet; `seq` is 0 while it is still being written.

    why: at the last text of a turn, why it had these tools; it does not count when texts are compared.
    rating: that of the student.
    """

    text: str = field(repr=False)
    seq: int = 0
    citations: tuple[Citation, ...] = ()
    why: LoadingExplanation | None = field(default=None, compare=False, repr=False)
    rating: Rating | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class ToolLine:
    """Tool call. success: None while it runs. sentence: why it failed. steps: what was done on the way.

    asks_back: nothing broke, as only the request was not clear. note: progress, while it runs. reading: keys of the
    courses whose materials were still being read then.
    """

    call_id: str
    label: str
    name: str
    arguments: Mapping[str, Any] = field(repr=False)
    success: bool | None = None
    sentence: str = ""
    asks_back: bool = False
    seconds: float = 0.0
    sources: tuple[Source, ...] = ()
    steps: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ApprovalItem:
    """Place of an approval's card; its state is read from `Approvals`."""

    approval_id: str


@dataclass(frozen=True, kw_only=True)
class NoticeItem:
    """Notice of ours: what happened, what to do, and the button that does it."""

    sentence: str
    next_step: str = ""
    action: Action | None = None


@dataclass(frozen=True, kw_only=True)
class SummedUp:
    """Place from which on the model reads a summary of what stands above; the student still sees it all."""


def notice_item(notice: Notice) -> NoticeItem:
    """Translate a notice for the one who looks."""
    return NoticeItem(sentence=gettext(notice.sentence), next_step=gettext(notice.next_step), action=notice.action)


Item = UserMessage | AssistantText | ToolLine | ApprovalItem | NoticeItem | SummedUp
Items = list[Item]


@dataclass(frozen=True, kw_only=True)
class TurnView:
    """State of a turn at one moment. version: grows with every change that this process saw."""

    turn_id: str
    status: TurnStatus
    items: list[Item]
    notice: NoticeItem | None = None
    version: int = 0


_KINDS: dict[str, type[Item]] = {
    kind.__name__: kind for kind in (UserMessage, AssistantText, ToolLine, ApprovalItem, NoticeItem, SummedUp)
}


def to_json(items: Sequence[Item]) -> list[dict[str, Any]]:
    """Serialize items for a turn's snapshot in the store."""
    return [{"kind": type(item).__name__, **asdict(item)} for item in items]


def from_json(written: Sequence[Mapping[str, Any]]) -> list[Item]:
    """Read what `to_json` wrote; what only a later version knows to draw is left out."""
    return [read_record(kind, item) for item in written if (kind := _KINDS.get(item["kind"]))]


def items_of(
    messages: Sequence[StoredMessage], turns: Sequence[TurnRecord], *, without_turn: str | None = None
) -> list[Item]:
    """List items in order, each turn's notice after its last message. Of `without_turn` only the question is shown."""
    results = _results(messages)
    notices = {turn.id: notice_item(turn.notice) for turn in turns if turn.notice is not None}
    last_turn = turns[-1].id if turns else None
    items: list[Item] = []
    summary: str | None = None
    for turn_id, group in _by_turn(messages):
        before, summary = summary, _summary_of(group, summary)
        items += [SummedUp()] if before is not None and summary != before else []
        drawn = [message for message in group if turn_id != without_turn or message.is_question]
        items += _with_explanation(
            [item for message in drawn for item in _message_items(message, results)], explain_loading(drawn)
        )
        if (notice := notices.get(turn_id)) and turn_id != without_turn:
            items.append(notice if turn_id == last_turn else _settled(notice))
    return without_repeated_cards(items)


def without_repeated_cards(items: Sequence[Item]) -> list[Item]:
    """The items with each card once: identical calls of a step have one card."""
    cards = [item.approval_id if isinstance(item, ApprovalItem) else None for item in items]
    return [item for at, item in enumerate(items) if cards[at] is None or cards[at] not in cards[:at]]


def _summary_of(group: Sequence[StoredMessage], before: str | None) -> str | None:
    """Id of the summary that these messages were answered with; empty for none, None while that is not known."""
    answers = [message.meta for message in group if "plan" in message.meta]
    return answers[-1].get("summary", "") if answers else before


def _with_explanation(items: Items, why: LoadingExplanation | None) -> Items:
    """The same items; the turn's last words know why it had these tools."""
    last = max((at for at, item in enumerate(items) if isinstance(item, AssistantText)), default=None)
    if why is None or last is None:
        return items
    return [
        replace(item, why=why) if at == last and isinstance(item, AssistantText) else item
        for at, item in enumerate(items)
    ]


def _settled(notice: NoticeItem) -> NoticeItem:
    """Notice of an earlier turn: the sentence without its button."""
    return NoticeItem(sentence=notice.sentence)


def _by_turn(messages: Sequence[StoredMessage]) -> Iterator[tuple[str, list[StoredMessage]]]:
    group: list[StoredMessage] = []
    for message in messages:
        if group and group[-1].meta.get("turn_id") != message.meta.get("turn_id"):
            yield group[-1].meta.get("turn_id", ""), group
            group = []
        group.append(message)
    if group:
        yield group[-1].meta.get("turn_id", ""), group


def _results(messages: Sequence[StoredMessage]) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for message in messages:
        found.update(message.meta.get("results", {}))
    return found


def _message_items(message: StoredMessage, results: Mapping[str, Mapping[str, Any]]) -> Iterator[Item]:
    if message.is_question:
        if not message.meta.get("is_hidden"):
            files = attachments_in(message.content)
            yield UserMessage(text=message.text, seq=message.seq, files=files)
        return
    if message.meta.get("is_unreadable"):
        yield NoticeItem(sentence=gettext("A part of this chat cannot be read."))
        return
    if message.role == "system":
        return
    cited = message.meta.get("cited", ())
    for number, block in enumerate(message.content):
        if block["type"] == "text":
            yield AssistantText(
                text=block["text"],
                seq=message.seq,
                citations=read_citations(cited, number),
                rating=rating_of(message.meta),
            )
        elif block["type"] == "tool_use":
            yield _call_item(block, message.meta.get("labels", {}), results.get(block["id"]))


def _call_item(call: Block, labels: Mapping[str, str], result: Mapping[str, Any] | None) -> Item:
    if result is not None and result.get("approval_id"):
        return ApprovalItem(approval_id=result["approval_id"])
    if result is None:
        result = {"success": False, "sentence": gettext(INTERRUPTED)}
    return ToolLine(
        call_id=call["id"],
        label=gettext(labels.get(call["id"], call["name"])),
        name=call["name"],
        arguments=call["input"],
        success=result["success"],
        sentence=result.get("sentence", ""),
        asks_back=bool(result.get("asks_back")),
        seconds=result.get("seconds", 0.0),
        sources=tuple(read_record(Source, source) for source in result.get("sources", ())),
        steps=tuple(result.get("steps", ())),
        reading=tuple(result.get("reading", ())),
    )
