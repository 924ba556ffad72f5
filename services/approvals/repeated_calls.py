"""`RepeatedCalls`: idempotency of proposals: an identical call within a minute gets the card that waits already."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from services.approvals.approval import ApprovalStatus, digest_of
from services.errors import DuplicateDocument
from services.runtime.clock import moment
from services.storage.documents import Document
from services.storage.store import StudentDocuments
from services.tools.context import ToolExecutionContext
from services.tools.tool import Tool

COLLECTION = "approvals"
REPEATED_WITHIN = timedelta(minutes=1)
"""How long an identical call counts as the same one, sent again."""


def call_of(tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> dict[str, str]:
    """Fields of a card that identical calls share; in a chat the turn is one of them."""
    conversation_id = context.conversation_id or ""
    return {
        "digest": digest_of(context.student.id, conversation_id, tool.name, arguments),
        "conversation_id": conversation_id,
        "turn_id": context.turn_id or "",
        "assistant": context.assistant_id,
    }


class RepeatedCalls:
    def __init__(self, documents: StudentDocuments, now: datetime) -> None:
        self._documents = documents
        self._now = now

    def waiting(self, call: Mapping[str, str]) -> str | None:
        """Id of the card that waits for the same call."""
        before = self._last(call)
        return str(before["id"]) if before is not None and self._is_repeated(before) else None

    def insert(self, call: Mapping[str, str], card: Document) -> str:
        """Insert a card; its id, or that of an identical call which another thread or replica has stored meanwhile.

        The id follows from the call and the card before it, so that of identical calls at once only one is stored.
        """
        last = self._last(call)
        if last is not None and self._is_repeated(last):
            return str(last["id"])
        before = str(last["id"]) if last else f"{self._now.date()}"
        while True:
            # It is the operation id of the write, too: another day, another id, even when the card before is deleted.
            id = hashlib.sha256(" ".join([*call.values(), before]).encode()).hexdigest()[:32]
            try:
                self._documents.insert(COLLECTION, {"id": id, **call, **card})
            except DuplicateDocument:
                other = self._documents.get(COLLECTION, id)
                if other is None or not self._is_repeated(other):
                    before = id
                    continue
            return id

    def _last(self, call: Mapping[str, str]) -> Document | None:
        found = self._documents.find(COLLECTION, call, order=[("created_at", -1)], limit=1)
        return found[0] if found else None

    def _is_repeated(self, card: Document) -> bool:
        is_young = self._now - moment(card["created_at"]) <= REPEATED_WITHIN
        return is_young and card["status"] == ApprovalStatus.PENDING.value
