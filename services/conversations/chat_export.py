"""Exports of one conversation: as Markdown to read, and as JSON for a student's own programs.

Whatever program shows the Markdown loads nothing and links to nothing that the student or a tool did not name: a model
that was talked into it would have a picture's address tell what it knows.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.conversation import ConversationSummary
from services.conversations.items import ApprovalItem, AssistantText, Item, Items, NoticeItem, ToolLine, UserMessage
from services.files.attachments import Attachment
from services.i18n import formats, gettext, gettext_noop
from services.llm.messages import StoredMessage
from services.runtime.clock import moment
from services.safety.link_urls import linkable_urls
from services.safety.markdown.escape import code_span, without_links
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import plain

_UNFIT = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 60
STATES = {
    ApprovalStatus.PENDING: gettext_noop("Waits for your yes"),
    ApprovalStatus.EXECUTING: gettext_noop("Working on it …"),
    ApprovalStatus.DONE: gettext_noop("Done"),
    ApprovalStatus.FAILED: gettext_noop("Did not work, nothing was changed"),
    ApprovalStatus.UNKNOWN: gettext_noop("Unclear, please look"),
    ApprovalStatus.DECLINED: gettext_noop("Declined, nothing was changed"),
    ApprovalStatus.EXPIRED: gettext_noop("Expired, nothing was changed"),
    ApprovalStatus.WITHDRAWN: gettext_noop("Put aside, nothing was changed"),
    ApprovalStatus.UNDOING: gettext_noop("Undoing …"),
    ApprovalStatus.UNDONE: gettext_noop("Undone"),
    ApprovalStatus.UNDO_REFUSED: gettext_noop("Done, can no longer be undone"),
}
"""States of an approval, as its card in the chat says them."""


def conversation_to_markdown(
    conversation: ConversationSummary,
    items: Items,
    approvals: Mapping[str, Approval],
    timezone: str,
    *,
    own_origin: str,
) -> str:
    """Export the whole conversation as it is shown: the student's words stand as
    they wrote them, those of others sanitised.

    own_origin: the public address of Homeroom.
    """
    at = moment(conversation.updated_at)
    last = gettext("Last message: {last}", last=formats.moment(at, ZoneInfo(timezone)))
    head = [f"# {_literal(conversation.title)}", f"*{last}*"]
    linkable = _known(items, approvals, own_origin)
    return "\n\n".join([*head, *(part for item in items for part in _parts(item, approvals, linkable))]) + "\n"


def markdown_file_name(conversation: ConversationSummary, timezone: str) -> str:
    """ "2026-11-21-what-is-due-this-week-5c1f02aa.md": safe on every system, and no two alike.

    By the day of the last message where the student is.
    """
    letters = unicodedata.normalize("NFKD", conversation.title).encode("ascii", "ignore").decode().lower()
    title = _UNFIT.sub("-", letters)[:LONGEST_NAME].strip("-") or "chat"
    day = moment(conversation.updated_at).astimezone(ZoneInfo(timezone)).date()
    return f"{day}-{title}-{conversation.id[:8]}.md"


def _known(items: Items, approvals: Mapping[str, Approval], own_origin: str) -> frozenset[str]:
    """The addresses that are links in the chat."""
    texts = [item.text for item in items if isinstance(item, UserMessage)]
    urls = [source.url for item in items if isinstance(item, ToolLine) for source in item.sources]
    links = [approval.link for approval in approvals.values() if approval.link]
    return linkable_urls(texts, [*urls, *links], own_origin=own_origin)


def _parts(item: Item, approvals: Mapping[str, Approval], linkable: frozenset[str]) -> Iterator[str]:
    match item:
        case UserMessage():
            yield "\n\n".join(("## " + gettext("You"), item.text))
            yield from (f"> {_attached(file)}" for file in item.files)
        case AssistantText():
            yield f"## Homeroom\n\n{sanitise(item.text, allowed=linkable)}"
        case ToolLine():
            lookup = f"> {_literal(gettext(item.label))}: {_literal(_ended(item))}"
            found = (f"> - {_literal(source.title)}: {code_span(source.url)}" for source in item.sources)
            yield "\n".join([lookup, *found])
        case ApprovalItem():
            yield _decided(approvals.get(item.approval_id))
        case NoticeItem():
            yield f"> {_literal(item.sentence)}"


def _attached(file: Attachment) -> str:
    return gettext("Attached: {name} ({description})", name=_literal(file.name), description=file.description)


def _literal(text: str) -> str:
    """A text of a model's, a page's or a tool's on one line of a quotation, without any construct of Markdown."""
    return without_links(" ".join(plain(text).split()), at_line_start=False)


def _ended(line: ToolLine) -> str:
    return line.sentence or (gettext("done") if line.success else gettext("did not work"))


def _decided(approval: Approval | None) -> str:
    if approval is None:
        return "> " + gettext("Something was proposed here.")
    rows = [f"> - {_literal(gettext(row.label))}: {_literal(row.value)}" for row in approval.rows]
    ended = gettext(STATES[approval.status]).removesuffix("…").rstrip()
    outcome = f" {_literal(approval.outcome)}" if approval.outcome else ""
    return "\n".join([f"> **{_literal(gettext(approval.title))}** · {ended}.{outcome}", *rows])


def conversation_json(
    conversation: ConversationSummary, messages: Sequence[StoredMessage], approvals: Mapping[str, Approval]
) -> str:
    """Serialize messages, tool calls and changes in order; times are ISO 8601 in UTC."""
    results: dict[str, Mapping[str, Any]] = {}
    for message in messages:
        results.update(message.meta.get("results", {}))
    said = [_message_json(message, results, approvals) for message in messages if _is_shown(message)]
    whole = {"title": conversation.title, "updated_at": conversation.updated_at, "messages": said}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _is_shown(message: StoredMessage) -> bool:
    is_ours = message.role == "system" or "results" in message.meta or message.meta.get("is_hidden")
    return not is_ours and bool(message.text or message.tool_calls)


def _message_json(
    message: StoredMessage, results: Mapping[str, Mapping[str, Any]], approvals: Mapping[str, Approval]
) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "at": message.at, "text": message.text}
    if calls := message.tool_calls:
        labels = message.meta.get("labels", {})
        written["steps"] = [
            {
                "tool": call["name"],
                "label": labels.get(call["id"], call["name"]),
                "arguments": call["input"],
                **_result_json(results.get(call["id"], {}), approvals),
            }
            for call in calls
        ]
    if rating := message.meta.get("rating"):
        written["rating"] = rating
    return written


def _result_json(result: Mapping[str, Any], approvals: Mapping[str, Approval]) -> dict[str, Any]:
    approval = approvals.get(result.get("approval_id") or "")
    if approval is not None:
        return {"status": approval.status.value, "outcome": approval.outcome}
    return {"success": result.get("success", False), "sources": result.get("sources", [])}
