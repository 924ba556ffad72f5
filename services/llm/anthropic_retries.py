"""Retries of requests to Anthropic: which failures are worth one, how often, and how long before each.

Sources: https://docs.anthropic.com/en/api/errors. An error within a stream reaches us with the status of its answer.
"""

import anthropic
import httpx2

from services.runtime.clock import utc_now
from services.runtime.retry_after import retry_after_s as parse_retry_after

TRIES = 3
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 5.0
"""A server that asks for a longer wait gets no retry: the student decides when to try again."""
RETRYABLE_STATUS = frozenset({408, 409, 500, 502, 503, 504, 529})
RETRYABLE_TYPES = frozenset({"overloaded_error", "api_error", "timeout_error"})
PAUSING_STATUS = frozenset({401, 402, 403, 404})
PAUSING_TYPES = frozenset({"authentication_error", "billing_error", "permission_error"})


def retry_wait_s(error: anthropic.APIError | httpx2.HTTPError, attempt: int) -> float | None:
    """Seconds to wait before the next try; None when there should be none."""
    if attempt >= TRIES or not is_worth_retrying(error):
        return None
    asked_s = retry_after_s(error)
    if asked_s is None:
        return FIRST_WAIT_S * attempt
    return asked_s if asked_s <= LONGEST_WAIT_S else None


def is_worth_retrying(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether the same request may succeed in a second. Not after a timeout: the student has waited enough."""
    if isinstance(error, anthropic.APIStatusError):
        if error.status_code == 429:
            # A rate limit says when to retry; a spend limit does not, and a retry does not help.
            return retry_after_s(error) is not None and not is_paused(error)
        return error.status_code in RETRYABLE_STATUS or str(error.type) in RETRYABLE_TYPES
    silent = (anthropic.APITimeoutError, httpx2.ReadTimeout)
    return isinstance(error, (anthropic.APIConnectionError, httpx2.TransportError)) and not isinstance(error, silent)


def retry_after_s(error: anthropic.APIError | httpx2.HTTPError) -> float | None:
    """Seconds of the `retry-after` header, never negative; None where there is none."""
    if not isinstance(error, anthropic.APIStatusError):
        return None
    return parse_retry_after(error.response.headers.get("retry-after"), utc_now())


def message_of(error: anthropic.APIStatusError) -> str:
    """Message of the error; a gateway may put it in any form."""
    return str(error.api_message or "").lower()


def is_paused(error: anthropic.APIStatusError) -> bool:
    """Whether key, billing or spend limit is refused, which neither a student nor a retry can repair."""
    code = str(error.error_code or "")
    message = message_of(error)
    return (
        error.status_code in PAUSING_STATUS
        or str(error.type) in PAUSING_TYPES
        or "spend_limit" in code
        or code == "organization_on_hold"
        or (error.status_code == 429 and retry_after_s(error) is None and "limit" in message and "spend" in message)
        or (error.status_code == 400 and "credit balance" in message)
    )
