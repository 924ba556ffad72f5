"""A conversation as Markdown, for a student who takes it along."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from services.agent.conversations import ConversationSummary
from services.agent.view import ApprovalItem, AssistantText, Item, Items, NoticeItem, ToolLine, UserMessage
from services.approvals.approval import Approval, ApprovalStatus
from services.clock import moment
from services.files.attachment import Attachment
from services.language import say, to_say

_UNFIT = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 60
_STATES = {
    ApprovalStatus.PENDING: to_say("pending"),
    ApprovalStatus.EXECUTING: to_say("executing"),
    ApprovalStatus.DONE: to_say("done"),
    ApprovalStatus.FAILED: to_say("failed"),
    ApprovalStatus.UNKNOWN: to_say("unknown"),
    ApprovalStatus.DECLINED: to_say("declined"),
    ApprovalStatus.EXPIRED: to_say("expired"),
    ApprovalStatus.WITHDRAWN: to_say("withdrawn"),
    ApprovalStatus.UNDOING: to_say("undoing"),
    ApprovalStatus.UNDONE: to_say("undone"),
    ApprovalStatus.UNDO_REFUSED: to_say("undo_refused"),
}


def as_markdown(
    conversation: ConversationSummary, items: Items, approvals: Mapping[str, Approval], timezone: str
) -> str:
    """The whole conversation as it was said: words stand as they were written, Markdown and all."""
    last = say("Last message: {last}", last=_local(moment(conversation.updated_at), timezone))
    head = [f"# {conversation.title}", f"*{last}*"]
    return "\n\n".join([*head, *(part for item in items for part in _parts(item, approvals))]) + "\n"


def file_name(conversation: ConversationSummary) -> str:
    """ "2026-11-21-what-is-due-this-week-5c1f02aa.md": safe on every system, and no two alike."""
    letters = unicodedata.normalize("NFKD", conversation.title).encode("ascii", "ignore").decode().lower()
    title = _UNFIT.sub("-", letters)[:LONGEST_NAME].strip("-") or "chat"
    return f"{conversation.updated_at[:10]}-{title}-{conversation.id[:8]}.md"


def _parts(item: Item, approvals: Mapping[str, Approval]) -> Iterator[str]:
    match item:
        case UserMessage():
            yield "\n\n".join(("## " + say("You"), item.text))
            yield from (f"> {_attached(file)}" for file in item.files)
        case AssistantText():
            yield f"## Homeroom\n\n{item.text}"
        case ToolLine():
            yield "\n".join([f"> {item.label}: {_ended(item)}", *(f"> - {s.title}: {s.url}" for s in item.sources)])
        case ApprovalItem():
            yield _decided(approvals.get(item.approval_id))
        case NoticeItem():
            yield f"> {item.sentence}"


def _attached(file: Attachment) -> str:
    return say("Attached: {name} ({description})", name=file.name, description=file.description)


def _ended(line: ToolLine) -> str:
    return line.sentence or (say("done") if line.success else say("did not work"))


def _decided(approval: Approval | None) -> str:
    if approval is None:
        return "> " + say("Something was proposed here.")
    rows = [f"> - {say(row.label)}: {row.value}" for row in approval.rows]
    outcome = f" {approval.outcome}" if approval.outcome else ""
    return "\n".join([f"> {say(approval.title)} ({say(_STATES[approval.status])}).{outcome}", *rows])


def _local(at: datetime, timezone: str) -> str:
    return f"{at.astimezone(ZoneInfo(timezone)):%Y-%m-%d %H:%M %Z}"
