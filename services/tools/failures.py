"""Mapping of errors to failures: their name in the log, their kind for programs, and the advice for the model."""

import re
from dataclasses import dataclass

from services.connections import messages
from services.errors import (
    AnswerUnreadable,
    ApprovalError,
    BadArguments,
    ChangedElsewhere,
    HomeroomError,
    ItemNotFound,
    NameUnknown,
    OutcomeUnknown,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    SealBroken,
    ServiceUnavailable,
    StorageError,
    Throttled,
    TooLarge,
    ToolUnavailable,
    UsedTooOften,
    Withheld,
)
from services.i18n import gettext
from services.safety.fetch import HostUnknown
from services.tools.result import FailureKind, ToolResult


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Description of a failed call. event: its name in the log. kind: `ToolResult.error_kind`. advice: what to do, in
    front of the error's own.
    """

    event: str
    kind: FailureKind
    advice: str | None = None


_FAILURES: tuple[tuple[type[HomeroomError], Failure], ...] = (
    (
        ReconnectRequired,
        Failure(event="tool_needs_reconnect", kind=FailureKind.RECONNECT, advice=messages.RECONNECT_INTEGRATION),
    ),
    (
        SealBroken,
        Failure(event="tool_credential_locked", kind=FailureKind.RECONNECT, advice=messages.RECONNECT_INTEGRATION),
    ),
    (HostUnknown, Failure(event="tool_address_unknown", kind=FailureKind.NOT_FOUND)),
    (Throttled, Failure(event="tool_throttled", kind=FailureKind.UNAVAILABLE)),
    (AnswerUnreadable, Failure(event="tool_answer_unreadable", kind=FailureKind.INTERNAL)),
    (
        ServiceUnavailable,
        Failure(
            event="tool_service_unavailable", kind=FailureKind.UNAVAILABLE, advice=messages.TEMPORARILY_UNAVAILABLE
        ),
    ),
    (
        StorageError,
        Failure(event="tool_store_unavailable", kind=FailureKind.UNAVAILABLE, advice=messages.TEMPORARILY_UNAVAILABLE),
    ),
    (PermissionMissing, Failure(event="tool_not_permitted", kind=FailureKind.NOT_ALLOWED)),
    (ItemNotFound, Failure(event="tool_item_not_found", kind=FailureKind.NOT_FOUND)),
    (ChangedElsewhere, Failure(event="tool_item_changed", kind=FailureKind.CHANGED_ELSEWHERE)),
    (OutcomeUnknown, Failure(event="tool_outcome_unknown", kind=FailureKind.UNKNOWN_OUTCOME)),
    (TooLarge, Failure(event="tool_answer_too_large", kind=FailureKind.TOO_LARGE)),
    (RequestRefused, Failure(event="tool_request_refused", kind=FailureKind.BAD_ARGUMENTS)),
    (NameUnknown, Failure(event="tool_name_unknown", kind=FailureKind.NOT_FOUND)),
    (BadArguments, Failure(event="tool_bad_arguments", kind=FailureKind.BAD_ARGUMENTS)),
    (UsedTooOften, Failure(event="tool_used_too_often", kind=FailureKind.USED_TOO_OFTEN, advice="")),
    (ToolUnavailable, Failure(event="tool_unavailable", kind=FailureKind.NOT_ALLOWED, advice="")),
    (Withheld, Failure(event="tool_withheld", kind=FailureKind.NOT_DONE)),
    (ApprovalError, Failure(event="tool_without_approval", kind=FailureKind.NOT_ALLOWED)),
)
OTHER = Failure(event="tool_failed", kind=FailureKind.INTERNAL)
TIMED_OUT = Failure(event="tool_timed_out", kind=FailureKind.TIMED_OUT, advice=messages.TEMPORARILY_UNAVAILABLE)
CRASHED = Failure(event="tool_crashed", kind=FailureKind.INTERNAL)
UNKNOWN_TOOL = "unknown"
"""Name of a tool that does not exist, in logs and numbers: its own was made up by a model, of whatever it has
read."""


def failure_of(error: HomeroomError) -> Failure:
    return next((failure for kind, failure in _FAILURES if isinstance(error, kind)), OTHER)


def failed_result(error: HomeroomError) -> ToolResult:
    """Make a result of a typed error: its own sentence, then what to do."""
    failure = failure_of(error)
    advice = error.next_step if failure.advice is None else gettext(failure.advice)
    return ToolResult(
        success=False,
        error=f"{sentence_for_model(error)} {advice}".strip(),
        error_kind=failure.kind,
        said=_for_a_person(error),
    )


def sentence_for_model(error: HomeroomError) -> str:
    """The error's sentence, with the argument that it is about where it does not name it."""
    field = error.field if isinstance(error, BadArguments) else None
    is_named = not field or re.search(rf"\b{re.escape(field.partition('.')[0])}\b", str(error))
    return str(error) if is_named else f"{error} (argument: {field})"


def _for_a_person(error: HomeroomError) -> str | None:
    """The error for a person; the advice is for the model alone, as a person knows what they meant and has a form."""
    if not isinstance(error, BadArguments):
        return None
    words = error.said.removeprefix(f"{error.field}: ")
    return f"{words[:1].upper()}{words[1:]}"
