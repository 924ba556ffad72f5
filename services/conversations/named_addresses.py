"""Addresses that may be links in an answer, as the student or a tool has named them in the same conversation."""

from collections.abc import Iterable

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.items import Item, ToolLine, UserMessage
from services.safety.link_urls import linkable_urls


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
