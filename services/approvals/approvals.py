"""`Approvals`: repository of actions that wait for the student; every change of state is a compare-and-set."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from services.approvals.approval import (
    Approval,
    ApprovalStatus,
    approval_from_document,
    digest_of,
    target_of,
    too_late_error,
    without_invisible_characters,
)
from services.approvals.approved_account import account_mark
from services.approvals.card import changed_since_error, is_tampered, make_card, recorded_card, says_the_same
from services.approvals.card_lifetime import FRESH_FOR, LEAST, expiry, refuse_past
from services.approvals.repeated_calls import RepeatedCalls, call_of
from services.errors import ApprovalError, HomeroomError
from services.i18n import gettext, locale_scope
from services.runtime.clock import Clock, moment, stamp
from services.storage.records import read_all, read_record
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Tool

LONG = timedelta(minutes=1)
KEPT = timedelta(days=90)
"""How long an approval without a chat is stored; the others are deleted with their chat."""
COLLECTION = "approvals"


class Approvals:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.on_change: Callable[[str, str], None] = lambda student_id, conversation_id: None
        """Called with the ids of the student and the conversation of each card that shows something else by now."""

    def propose(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str:
        """Store an action until the student decides; returns its id. The same call within a minute gives the card that
        waits already, in a chat within the turn. Raises what the tool's validation and preview raise.
        """
        now, arguments = self._clock(), without_invisible_characters(arguments)
        student_id, call = context.student.id, call_of(tool, arguments, context)
        repeats = RepeatedCalls(self._store.for_student(student_id), now)
        if waiting := repeats.waiting(call):
            return waiting
        card = make_card(tool, arguments, context)
        # A tool of a category: what its card was read from is what it will write to.
        integration = tool.integration or next(iter(context.used_integrations), None)
        id = repeats.insert(
            call,
            {
                "call_id": context.call_id or "",
                "asked_by": context.asked_by,
                "tool": tool.name,
                "title": tool.title,
                "is_question": tool.asks_student,
                "integration": integration,
                "made_for": account_mark(context.connections, integration),
                **card,
                "status": ApprovalStatus.PENDING.value,
                "created_at": stamp(now),
                "expires_at": stamp(expiry([read_record(PreviewRow, row) for row in card["rows"]], now)),
                **({} if call["conversation_id"] else {"kept_until": stamp(now + KEPT)}),
            },
        )
        self._withdraw_replaced(student_id, call["conversation_id"], tool.name, arguments)
        return id

    def record(
        self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext, result: ToolResult
    ) -> str:
        """Store the card of what was done at once, without a decision; returns its id."""
        call = call_of(tool, arguments, context)
        kept = {} if call["conversation_id"] else {"kept_until": stamp(self._clock() + KEPT)}
        card = {"id": secrets.token_hex(16), **call, **recorded_card(tool, arguments, context, result), **kept}
        self._store.for_student(context.student.id).insert(COLLECTION, card)
        return str(card["id"])

    def waiting_repeat(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str | None:
        """Id of the card that the same call made within the last minute, while it waits."""
        call = call_of(tool, without_invisible_characters(arguments), context)
        return RepeatedCalls(self._store.for_student(context.student.id), self._clock()).waiting(call)

    def get(self, student_id: str, approval_id: str) -> Approval:
        """Get an approval; one that has waited too long counts as expired, whether or not a job has noted it yet.

        Raises `ApprovalError`, for another student's too.
        """
        document = self._store.for_student(student_id).get(COLLECTION, approval_id)
        if document is None:
            raise ApprovalError(gettext("There is no such request."))
        return self._as_of_now(approval_from_document(document))

    def for_turn(self, student_id: str, conversation_id: str, turn_id: str) -> Sequence[Approval]:
        where = {"conversation_id": conversation_id, "turn_id": turn_id}
        return read_all(approval_from_document, self._store.for_student(student_id).find(COLLECTION, where))

    def for_conversation(self, student_id: str, conversation_id: str) -> dict[str, Approval]:
        """Every approval of a conversation, by id, with one read; a pending one that is too old reads as expired."""
        found = self._store.for_student(student_id).find(COLLECTION, {"conversation_id": conversation_id})
        return {approval.id: self._as_of_now(approval) for approval in read_all(approval_from_document, found)}

    def left_open(self, student_id: str, conversation_id: str) -> Sequence[Approval]:
        """Cards that stayed open while their chat went on, and whose end was not reported to the model yet."""
        found = self._store.for_student(student_id).find(
            COLLECTION, {"conversation_id": conversation_id, "left_open": True}
        )
        return [self._as_of_now(approval) for approval in read_all(approval_from_document, found)]

    def mark_left_open(self, student_id: str, approval_id: str, is_open: bool) -> None:
        self._store.for_student(student_id).compare_and_set(COLLECTION, approval_id, {}, {"left_open": is_open or None})

    def by_ids(self, student_id: str, ids: Collection[str]) -> dict[str, Approval]:
        """The approvals with these ids, as far as they are still stored, with one read."""
        found = self._store.for_student(student_id).find(COLLECTION, {"id": {"$in": list(ids)}}) if ids else []
        return {approval.id: self._as_of_now(approval) for approval in read_all(approval_from_document, found)}

    def latest(self, student_id: str, limit: int) -> Sequence[Approval]:
        """Approvals of a student, from chats and programs: pending ones first, then the others, each newest first."""
        return self._waiting_first(student_id, {}, {}, limit)

    def waiting(self, student_id: str, limit: int) -> Sequence[Approval]:
        """What waits for the student's decision now, from chats, pages and programs, newest first; questions, too."""
        return self._pending(student_id, {}, limit)

    def from_programs(
        self, student_id: str, limit: int, *, by: str | None = None, ended_but: str = ""
    ) -> Sequence[Approval]:
        """Approvals that the student's own programs asked for, without a conversation: first pending, then ended ones.

        Each newest first. by: only what this one asked for. ended_but: without what this one asked for and has ended.
        """
        mine = {"conversation_id": ""} | ({"asked_by": by} if by else {})
        ended = mine | ({"asked_by": {"$ne": ended_but}} if ended_but else {})
        return self._waiting_first(student_id, mine, ended, limit)

    def pending_from_programs(self, student_id: str, limit: int) -> Sequence[Approval]:
        """Pending approvals that programs asked for."""
        return self._pending(student_id, {"conversation_id": ""}, limit)

    def _pending(self, student_id: str, where: Mapping[str, Any], limit: int) -> Sequence[Approval]:
        found = self._newest(student_id, {**where, "status": ApprovalStatus.PENDING.value}, limit)
        return [approval for approval in found if approval.status is ApprovalStatus.PENDING]

    def shorten_waiting(self, student_id: str, integration: str) -> None:
        """Let what waits for an account that was disconnected wait no longer than the shortest time."""
        where = {"status": ApprovalStatus.PENDING.value, "integration": integration}
        for document in self._store.for_student(student_id).find(COLLECTION, where):
            ends = max(self._clock(), moment(document["created_at"]) + LEAST)
            changes = {"expires_at": stamp(min(ends, moment(document["expires_at"])))}
            self._swap(student_id, document["id"], ApprovalStatus.PENDING, changes)

    def start_execution(
        self,
        student_id: str,
        approval: Approval,
        *,
        edited: Mapping[str, Any] | None = None,
        tool: Tool | None = None,
        context: ToolExecutionContext | None = None,
    ) -> Approval:
        """Move from pending to executing, for exactly one caller; every other gets
        an `ApprovalError` that says why not.

        edited: other arguments than the proposed ones, validated anew by `tool` within `context`; a card that is
        approved as it stands is looked at anew when that is long ago.
        """
        changes: dict[str, Any] = {"status": ApprovalStatus.EXECUTING.value, "began_at": stamp(self._clock())}
        if is_tampered(student_id, approval):
            raise ApprovalError(gettext("This request was changed after it was made. Nothing was done."))
        edited = None if edited is None else without_invisible_characters(edited)
        if edited is not None and edited != approval.arguments and tool is not None and context is not None:
            # A form gives "" for what was left out.
            same = {
                name for name in approval.resolved if (edited.get(name) or "") == (approval.arguments.get(name) or "")
            }
            kept = {name: value for name, value in approval.resolved.items() if name in same}
            changes |= {**make_card(tool, edited, context, kept), "is_edited": True}
            changes["digest"] = digest_of(student_id, approval.conversation_id, approval.tool, edited)
        else:
            refuse_past(approval.rows, self._clock())
            if tool is not None and context is not None:
                self._refuse_stale_card(student_id, approval, tool, context)
        begun = self._swap(student_id, approval.id, ApprovalStatus.PENDING, changes, digest=approval.digest)
        if begun is None:
            raise too_late_error(self.get(student_id, approval.id))
        return begun

    def refuse_unseen(self, approval: Approval, seen: Sequence[PreviewRow] | None) -> None:
        """Raise `ApprovalError` when the card shows something by now that was not among the rows that were seen."""
        if seen is not None and (news := [row for row in approval.rows if row not in seen]):
            raise changed_since_error(news)

    def settle(
        self,
        student_id: str,
        approval_id: str,
        source: ApprovalStatus,
        target: ApprovalStatus,
        **changes: Any,
    ) -> Approval | None:
        """Move from one state to another with its outcome; None when another caller was first."""
        return self._swap(student_id, approval_id, source, {"status": target.value, **changes})

    def withdraw(
        self, student_id: str, conversation_id: str, *, turn_id: str = "", only_questions: bool = False
    ) -> None:
        """Withdraw what is pending in a conversation: all of it, or of one turn, or of that only the questions."""
        where: dict[str, Any] = {"conversation_id": conversation_id, "status": ApprovalStatus.PENDING.value}
        where |= {"turn_id": turn_id} if turn_id else {}
        where |= {"is_question": True} if only_questions else {}
        for document in self._store.for_student(student_id).find(COLLECTION, where):
            self.settle(student_id, document["id"], ApprovalStatus.PENDING, ApprovalStatus.WITHDRAWN)

    def is_executing(self, student_id: str, conversation_id: str) -> bool:
        where = {"conversation_id": conversation_id, "status": ApprovalStatus.EXECUTING.value}
        return bool(self._store.for_student(student_id).find(COLLECTION, where, limit=1))

    def expire_due(self) -> list[tuple[str, Approval]]:
        """Expire what has waited too long, for all students; (student, approval) of those that this call expired."""
        due = {"status": ApprovalStatus.PENDING.value, "expires_at": {"$lt": stamp(self._clock())}}
        found = []

        def expire(student_id: str, approval_id: str) -> None:
            settled = self.settle(student_id, approval_id, ApprovalStatus.PENDING, ApprovalStatus.EXPIRED)
            found.extend([(student_id, settled)] if settled else [])

        for owned in self._store.owners(COLLECTION, due):
            self._store.guard.run("recover", COLLECTION, "/".join(owned), partial(expire, *owned))
        return found

    def overdue_executions(self) -> list[tuple[str, str]]:
        """(student, approval) of executions and undos that began longer ago than a write takes."""
        doing = [ApprovalStatus.EXECUTING.value, ApprovalStatus.UNDOING.value]
        before = stamp(self._clock() - LONG)
        return self._store.owners(COLLECTION, {"status": {"$in": doing}, "began_at": {"$lt": before}})

    def _withdraw_replaced(
        self, student_id: str, conversation_id: str, tool: str, arguments: Mapping[str, Any]
    ) -> None:
        """Withdraw cards of earlier turns that a newer one of the same tool and target replaces."""
        for card in self.left_open(student_id, conversation_id) if conversation_id else ():
            if card.tool == tool and target_of(card.arguments) == target_of(arguments):
                self.settle(student_id, card.id, ApprovalStatus.PENDING, ApprovalStatus.WITHDRAWN)

    def _as_of_now(self, approval: Approval) -> Approval:
        has_expired = approval.status is ApprovalStatus.PENDING and approval.expires_at <= self._clock()
        return replace(approval, status=ApprovalStatus.EXPIRED) if has_expired else approval

    def _waiting_first(
        self, student_id: str, waiting: Mapping[str, Any], ended: Mapping[str, Any], limit: int
    ) -> Sequence[Approval]:
        pending = {**waiting, "status": ApprovalStatus.PENDING.value}
        others = {**ended, "status": {"$ne": ApprovalStatus.PENDING.value}}
        found = [*self._newest(student_id, pending, limit), *self._newest(student_id, others, limit)]
        return sorted(found, key=lambda approval: approval.status is not ApprovalStatus.PENDING)[:limit]

    def _newest(self, student_id: str, where: Mapping[str, Any], limit: int) -> Sequence[Approval]:
        found = self._store.for_student(student_id).find(COLLECTION, where, order=[("created_at", -1)], limit=limit)
        return [self._as_of_now(approval) for approval in read_all(approval_from_document, found)]

    def _refuse_stale_card(
        self, student_id: str, approval: Approval, tool: Tool, context: ToolExecutionContext
    ) -> None:
        """Raise `ApprovalError` when an older card would show more by now, such as another event at that time: the card
        then shows it, and the student decides again. What cannot be looked at now is left to the write itself.
        """
        now = self._clock()
        if tool.preview is None or now - (approval.looked_at or approval.created_at) < FRESH_FOR:
            return
        try:
            with locale_scope(approval.locale):
                card = make_card(tool, approval.arguments, context, approval.resolved)
        except HomeroomError:
            return
        rows = [read_record(PreviewRow, row) for row in card["rows"]]
        news = [row for row in rows if not any(says_the_same(row, seen) for seen in approval.rows)]
        changes = {"rows": card["rows"], "resolved_digest": card["resolved_digest"], "looked_at": stamp(now)}
        if news and self._swap(student_id, approval.id, ApprovalStatus.PENDING, changes, digest=approval.digest):
            raise changed_since_error(news)

    def _swap(
        self,
        student_id: str,
        approval_id: str,
        source: ApprovalStatus,
        changes: Mapping[str, Any],
        **expected: Any,
    ) -> Approval | None:
        where = {"status": source.value, **expected}
        swapped = self._store.for_student(student_id).compare_and_set(COLLECTION, approval_id, where, changes)
        if swapped is None:
            return None
        approval = approval_from_document(swapped)
        if approval.conversation_id:
            self.on_change(student_id, approval.conversation_id)
        return approval
