"""Turns stored messages into the items that a page draws."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.agent.citations import read_citations
from services.agent.messages import Block, StoredMessage
from services.agent.ratings import rating_of
from services.agent.records import TurnRecord
from services.agent.view import ApprovalItem, AssistantText, Item, Items, NoticeItem, SummedUp, ToolLine, UserMessage
from services.discovery.why import Why, why_of
from services.files.attachment import attachments_in
from services.i18n import gettext, gettext_noop
from services.tools.base import Source

INTERRUPTED = gettext_noop("This was interrupted before it finished.")


def items_of(
    messages: Sequence[StoredMessage], turns: Sequence[TurnRecord], *, without_turn: str | None = None
) -> list[Item]:
    """Items in order, each turn's notice after its last message. Of `without_turn` only the question is shown."""
    results = _results(messages)
    notices = {turn.id: turn.notice_item for turn in turns if turn.notice is not None}
    last_turn = turns[-1].id if turns else None
    items: list[Item] = []
    summary: str | None = None
    for turn_id, group in _by_turn(messages):
        before, summary = summary, _summary_of(group, summary)
        items += [SummedUp()] if before is not None and summary != before else []
        drawn = [message for message in group if turn_id != without_turn or message.is_question]
        items += _reasoned([item for message in drawn for item in _message_items(message, results)], why_of(drawn))
        if (notice := notices.get(turn_id)) and turn_id != without_turn:
            items.append(notice if turn_id == last_turn else _settled(notice))
    return items


def _summary_of(group: Sequence[StoredMessage], before: str | None) -> str | None:
    """What stood for earlier messages when these were answered; empty for nothing, None while that is not known."""
    answers = [message.meta for message in group if "plan" in message.meta]
    return answers[-1].get("summary", "") if answers else before


def _reasoned(items: Items, why: Why | None) -> Items:
    """The same items; the turn's last words know why it had these tools."""
    last = max((at for at, item in enumerate(items) if isinstance(item, AssistantText)), default=None)
    if why is None or last is None:
        return items
    return [
        replace(item, why=why) if at == last and isinstance(item, AssistantText) else item
        for at, item in enumerate(items)
    ]


def _settled(notice: NoticeItem) -> NoticeItem:
    """A notice of an earlier turn keeps its sentence; its button has had its time."""
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
            yield UserMessage(text=question_text(message), seq=message.seq, files=files)
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


def question_text(message: StoredMessage) -> str:
    """What the student typed, without the block of context that we put in front."""
    return message.words


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
        seconds=result.get("seconds", 0.0),
        sources=tuple(Source(**source) for source in result.get("sources", ())),
        steps=tuple(result.get("steps", ())),
    )
