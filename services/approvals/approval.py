"""`Approval`: an action that waits for the student's decision, its states, and questions that wait for an answer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from services.approvals.card_lifetime import own_time
from services.assistants.assistant import DEFAULT_ASSISTANT
from services.errors import AlreadyDecided, ApprovalError, BadArguments
from services.i18n import DEFAULT_LOCALE as LANGUAGE
from services.i18n import formats, gettext, gettext_noop
from services.runtime.clock import moment
from services.safety.text import plain
from services.storage.documents import Document
from services.storage.records import read_record, record_reader
from services.tools.result import PreviewRow

_MOST_OF_ARGUMENTS = 200
"""Characters of a call that tell the model which one an undo is about."""
DEEPEST = 50
"""Nesting of lists and fields, far more than any tool takes and far less than a reader of JSON gives up at."""


class ApprovalStatus(StrEnum):
    PENDING = "pending"
    EXECUTING = "executing"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """It may or may not have happened: never repeated, the student is asked to look."""
    DECLINED = "declined"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    """The student wrote something else instead."""
    UNDOING = "undoing"
    UNDONE = "undone"
    UNDO_REFUSED = "undo_refused"

    @property
    def is_decided(self) -> bool:
        """Whether the model can be told how it ended."""
        return self not in (ApprovalStatus.PENDING, ApprovalStatus.EXECUTING)


@dataclass(frozen=True, kw_only=True)
class Approval:
    """Pending or decided action. id: also the operation id of the write. rows: what the card shows, literally, and what
    is done: nothing else.

    looked_at: when the rows were read again, after they were proposed.

    conversation_id, turn_id, call_id: empty when a program of the student's own asked, whose name is `asked_by`.
    outcome: one sentence for the student on how it ended; link: where to look. output: what the model is told.
    is_question: it is answered by the student's own words or choice, which are its outcome; nothing is written.
    began_at: when its write began, and then its undo.
    is_edited: the student changed the arguments before approving. made_for: the account that the card was made with.
    account_id: in whose account it was done, if known. locale: what its rows are written in, and how it ended.
    """

    id: str
    conversation_id: str
    turn_id: str
    call_id: str
    tool: str
    title: str
    integration: str | None
    arguments: Mapping[str, Any] = field(repr=False)
    rows: tuple[PreviewRow, ...] = field(repr=False)
    digest: str = field(repr=False)
    status: ApprovalStatus
    created_at: datetime
    expires_at: datetime
    looked_at: datetime | None = None
    began_at: datetime | None = None
    asked_by: str = ""
    assistant: str = DEFAULT_ASSISTANT
    is_question: bool = False
    is_edited: bool = False
    outcome: str = field(default="", repr=False)
    output: str = field(default="", repr=False)
    link: str | None = field(default=None, repr=False)
    undo: Mapping[str, Any] | None = field(default=None, repr=False)
    account_id: str = ""
    made_for: str = field(default="", repr=False)
    locale: str = LANGUAGE
    resolved_digest: str = field(default="", repr=False)

    @property
    def undo_news(self) -> str:
        """Sentence for the model on an undo: which call is undone, in the model's own words, cut short."""
        asked = json.dumps(self.arguments, ensure_ascii=False)
        shown = asked if len(asked) <= _MOST_OF_ARGUMENTS else f"{asked[:_MOST_OF_ARGUMENTS]}…"
        return f"The student undid this: {self.title} ({self.tool} {shown.replace('<', '‹')})."

    @property
    def resolved(self) -> dict[str, Any]:
        """Arguments as the card understood them: ids in the place of words, or of nothing."""
        return resolved_in(self.rows)

    @property
    def executed_arguments(self) -> dict[str, Any]:
        """Arguments that the approved call is made with."""
        return {**self.arguments, **self.resolved}

    @property
    def own_time(self) -> datetime | None:
        """When what it proposes begins to be past; None for what belongs to no time."""
        return own_time(self.rows)

    def is_past(self, now: datetime) -> bool:
        """Whether its own time has gone by while it waited: it can be declined or changed, not approved as it is."""
        return self.own_time is not None and self.own_time <= now

    @property
    def can_undo(self) -> bool:
        return self.status is ApprovalStatus.DONE and self.undo is not None


_TOO_LATE = {
    ApprovalStatus.PENDING: gettext_noop("This is being done already."),
    ApprovalStatus.EXECUTING: gettext_noop("This is being done already."),
    ApprovalStatus.DONE: gettext_noop("This is already done."),
    ApprovalStatus.FAILED: gettext_noop("This was tried already and did not work."),
    ApprovalStatus.UNKNOWN: gettext_noop(
        "This was tried already, and it is not clear whether it worked. Please look there."
    ),
    ApprovalStatus.DECLINED: gettext_noop("You declined this already."),
    ApprovalStatus.EXPIRED: gettext_noop("This has waited too long and has expired. Nothing was changed."),
    ApprovalStatus.WITHDRAWN: gettext_noop("This was put aside when you wrote something else. Nothing was changed."),
    ApprovalStatus.UNDOING: gettext_noop("This is being undone."),
    ApprovalStatus.UNDONE: gettext_noop("This was done and then undone."),
    ApprovalStatus.UNDO_REFUSED: gettext_noop("This is already done."),
}
_QUESTION_TOO_LATE = {
    ApprovalStatus.DONE: gettext_noop("This question is answered already."),
    ApprovalStatus.DECLINED: gettext_noop("You skipped this question already."),
    ApprovalStatus.EXPIRED: gettext_noop("This question has waited too long. Write your answer as a message."),
    ApprovalStatus.WITHDRAWN: gettext_noop("This question was put aside when you wrote something else."),
}


def too_late_error(approval: Approval) -> AlreadyDecided:
    """Error of a decision on what is decided already, by its status."""
    messages = {**_TOO_LATE, **(_QUESTION_TOO_LATE if approval.is_question else {})}
    return AlreadyDecided(gettext(messages[approval.status]))


def digest_of(student_id: str, conversation_id: str, tool: str, arguments: Mapping[str, Any]) -> str:
    """Digest that binds an approval to its student, conversation, tool and exact arguments."""
    whole = json.dumps([student_id, conversation_id, tool, arguments], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


def resolved_in(rows: Sequence[PreviewRow]) -> dict[str, Any]:
    return {name: value for row in rows for name, value in row.resolved.items()}


def without_invisible_characters(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Remove invisible characters from arguments: what is written is what the card shows.

    Raises `BadArguments` for nesting that no card could show.
    """
    return {name: _visible(value, DEEPEST) for name, value in arguments.items()}


def _visible(value: Any, deeper: int) -> Any:
    if isinstance(value, str):
        return plain(value)
    if not isinstance(value, Mapping | list | tuple):
        return value
    if not deeper:
        raise BadArguments(f"The arguments are nested more than {DEEPEST} deep.")
    if isinstance(value, Mapping):
        return {name: _visible(item, deeper - 1) for name, item in value.items()}
    return [_visible(item, deeper - 1) for item in value]


@record_reader("approvals")
def approval_from_document(document: Document) -> Approval:
    return Approval(
        id=document["id"],
        conversation_id=document["conversation_id"],
        turn_id=document["turn_id"],
        call_id=document["call_id"],
        tool=document["tool"],
        title=document["title"],
        integration=document["integration"],
        arguments=document["arguments"],
        rows=tuple(read_record(PreviewRow, row) for row in document["rows"]),
        digest=document["digest"],
        status=ApprovalStatus(document["status"]),
        created_at=moment(document["created_at"]),
        expires_at=moment(document["expires_at"]),
        looked_at=moment(document["looked_at"]) if document.get("looked_at") else None,
        began_at=moment(document["began_at"]) if document.get("began_at") else None,
        asked_by=document.get("asked_by", ""),
        assistant=document.get("assistant", DEFAULT_ASSISTANT),
        is_question=document.get("is_question", False),
        is_edited=document.get("is_edited", False),
        outcome=document.get("outcome", ""),
        output=document.get("output", ""),
        link=document.get("link"),
        undo=document.get("undo"),
        account_id=document.get("account_id", ""),
        made_for=document.get("made_for", ""),
        locale=document.get("locale", LANGUAGE),
        resolved_digest=document.get("resolved_digest", ""),
    )


_THING = ("event_id", "task", "entry")
"""Arguments that identify what is changed, whatever the other arguments are."""
_NAMES = ("title", "name", "subject", "assignment", "summary")


def target_of(arguments: Mapping[str, Any]) -> str:
    """Target of an action, by what it changes, else by the name of what it makes
    (and where); by everything when it has neither.

    So what only adds, such as a paragraph to a page, is the same only when it adds the same.
    """
    given = {name: _normal(value) for name, value in arguments.items() if value not in (None, "", [])}
    thing = {name: given[name] for name in _THING if name in given}
    if thing:
        return _written(thing)
    if any(name in given for name in _NAMES):
        return _written({name: value for name, value in given.items() if name in _NAMES or name.endswith("_id")})
    return _written(given)


def _normal(value: Any) -> Any:
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def _written(chosen: Mapping[str, Any]) -> str:
    return json.dumps(chosen, sort_keys=True, ensure_ascii=False, default=str)


LONGEST_ANSWER = 2_000
SKIPPED = "The student skipped this question. Go on without the answer, and do not ask it again."


def checked_answer(approval: Approval, answer: str) -> str:
    """Check an answer; raises `ApprovalError` for what is no question, `BadArguments` for no answer to it."""
    if not approval.is_question:
        raise ApprovalError(gettext("This is not a question."), next_step=gettext("Approve or decline it."))
    answer = plain(answer).strip()
    if not answer:
        raise BadArguments(
            gettext("The answer is empty."), field="answer", next_step=gettext("Write something, or choose.")
        )
    if len(answer) > LONGEST_ANSWER:
        raise BadArguments(
            gettext("The answer is longer than {most} characters.", most=formats.number(LONGEST_ANSWER)),
            field="answer",
        )
    if answer not in approval.arguments["choices"] and not approval.arguments.get("allow_other", True):
        raise BadArguments(
            gettext("This question takes one of its choices."), field="answer", next_step=gettext("Choose one.")
        )
    return answer
