"""A conversation as Markdown, for a student who takes it along."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from zoneinfo import ZoneInfo

from services.agent.conversations import ConversationSummary
from services.agent.view import ApprovalItem, AssistantText, Item, Items, NoticeItem, ToolLine, UserMessage
from services.approvals.approval import Approval, ApprovalStatus
from services.clock import moment
from services.files.attachment import Attachment
from services.language import dates, say, to_say

_UNFIT = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 60
STATES = {
    ApprovalStatus.PENDING: to_say("Waits for your yes"),
    ApprovalStatus.EXECUTING: to_say("Working on it …"),
    ApprovalStatus.DONE: to_say("Done"),
    ApprovalStatus.FAILED: to_say("Did not work, nothing was changed"),
    ApprovalStatus.UNKNOWN: to_say("Unclear, please look"),
    ApprovalStatus.DECLINED: to_say("Declined, nothing was changed"),
    ApprovalStatus.EXPIRED: to_say("Expired, nothing was changed"),
    ApprovalStatus.WITHDRAWN: to_say("Put aside, nothing was changed"),
    ApprovalStatus.UNDOING: to_say("Undoing …"),
    ApprovalStatus.UNDONE: to_say("Undone"),
    ApprovalStatus.UNDO_REFUSED: to_say("Done, can no longer be undone"),
}
"""As the card in the chat says it."""


def as_markdown(
    conversation: ConversationSummary, items: Items, approvals: Mapping[str, Approval], timezone: str
) -> str:
    """The whole conversation as it was said: words stand as they were written, Markdown and all."""
    at = moment(conversation.updated_at)
    last = say("Last message: {last}", last=dates.moment(at, ZoneInfo(timezone)))
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
            looked = f"> {say(item.label)}: {_ended(item)}"
            yield "\n".join([looked, *(f"> - {source.title}: {source.url}" for source in item.sources)])
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
    ended = say(STATES[approval.status]).removesuffix("…").rstrip()
    outcome = f" {approval.outcome}" if approval.outcome else ""
    return "\n".join([f"> **{say(approval.title)}** · {ended}.{outcome}", *rows])
