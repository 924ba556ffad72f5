"""Addresses that may be links in an answer: the student or a tool has named them in the same conversation."""

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ToolLine, UserMessage
from services.safety.link_urls import linkable_urls
from services.wiring.container import ServiceContainer

MOST_MESSAGES = 30
"""As many as a page shows of a conversation that is opened."""


def linkable_addresses(services: ServiceContainer, student_id: str, conversation_id: str) -> frozenset[str]:
    """Two reads; raises `StorageError`."""
    found = services.conversations.latest(student_id, conversation_id, limit=MOST_MESSAGES).items
    approvals = services.approvals.for_conversation(student_id, conversation_id).values()
    texts = [item.text for item in found if isinstance(item, UserMessage)]
    sources = [source.url for item in found if isinstance(item, ToolLine) for source in item.sources]
    outputs = [approval.output for approval in approvals if approval.status is ApprovalStatus.DONE]
    links = [approval.link for approval in approvals if approval.link]
    return linkable_urls([*texts, *outputs], [*sources, *links], own_origin=services.settings.public_url)
