"""Addresses that a conversation has mentioned: those that a tool may open, and those that may be links in an answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.items import Item, ToolLine, UserMessage
from services.files.attachments import attachments_in
from services.llm.messages import Block, StoredMessage, result_text
from services.safety.link_urls import linkable_urls
from services.safety.provenance import Provenance, ResultProvenance
from services.safety.seen_addresses import SeenAddresses


def mentioned_addresses(
    messages: Sequence[StoredMessage],
    *,
    own_origin: str,
    known: SeenAddresses | None = None,
) -> SeenAddresses:
    """Collect addresses in the order of messages: an address must come before the call that opens it.

    known: addresses from before these messages; it grows.
    """
    known, calls = known or SeenAddresses(own_origin=own_origin), dict[str, Block]()
    if min((message.seq for message in messages), default=1) > 1:
        # The chat was cut: earlier results are not there to be read, but the model may have repeated them.
        known.add_tool_result("", provenance=Provenance.STUDENT)
    for message in messages:
        calls |= {call["id"]: call for call in message.tool_calls}
        if message.is_question:
            if not message.meta.get("is_hidden"):
                known.add_student_text(message.text)
            if attachments_in(message.content) or message.meta.get("knows_notes"):
                # A file, or what was noted of the student, mentions no address; but it must not leave in one.
                known.add_tool_result("", provenance=Provenance.STUDENT)
            continue
        for block in message.content:
            if block["type"] == "tool_result":
                _add_result(known, block, calls.get(block["tool_use_id"]), message.meta)
    return known


def _add_result(
    known: SeenAddresses,
    result: Block,
    call: Block | None,
    meta: Mapping[str, Any],
) -> None:
    stored = meta.get("results", {}).get(result["tool_use_id"], {})
    urls = [source["url"] for source in stored.get("sources", ())]
    provenance = ResultProvenance.read(stored.get("provenance"))
    if result.get("is_error"):
        known.add_failure(provenance)
    else:
        known.add_result(result_text(result), urls, arguments=texts_in(call["input"] if call else {}), of=provenance)


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in JSON, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for part in pair for text in texts_in(part))
    elif isinstance(value, Sequence):
        yield from (text for entry in value for text in texts_in(entry))


def named_addresses(items: Iterable[Item], approvals: Iterable[Approval], *, own_origin: str) -> frozenset[str]:
    """Those in the student's messages, of the sources of tools, and of changes that were approved and done.

    own_origin: the public address of Homeroom, whose own pages are left out.
    """
    items, approvals = list(items), list(approvals)
    texts = [item.text for item in items if isinstance(item, UserMessage)]
    outputs = [approval.output for approval in approvals if approval.status is ApprovalStatus.DONE]
    sources = [source.url for item in items if isinstance(item, ToolLine) for source in item.sources]
    links = [approval.link for approval in approvals if approval.link]
    return linkable_urls([*texts, *outputs], [*sources, *links], own_origin=own_origin)
