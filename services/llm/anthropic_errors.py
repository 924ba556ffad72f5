"""Mapping of failed requests to Anthropic onto the error tree, and which failures are worth a retry.

Sources: https://docs.anthropic.com/en/api/errors. An error within a stream reaches us with the status of its answer.
"""

import anthropic
import httpx2

from services.errors import ModelError, ModelPaused, ModelRefused, ModelUnavailable, PromptTooLong
from services.i18n import gettext, gettext_noop

RETRYABLE_STATUS = frozenset({408, 409, 500, 502, 503, 504, 529})
RETRYABLE_TYPES = frozenset({"overloaded_error", "api_error", "timeout_error"})
PAUSING_STATUS = frozenset({401, 402, 403, 404})
PAUSING_TYPES = frozenset({"authentication_error", "billing_error", "permission_error"})

REFUSING_STATUS = frozenset({400, 404, 422})
_FEATURE_WORDS = (
    "anthropic-beta",
    "mid-conversation-tool-changes",
    "defer_loading",
    "tool_addition",
    "tool_removal",
    "tool_reference",
    "tool reference",
    "system message",
    "role 'system'",
    'role "system"',
    "'user' or 'assistant'",
)
_OUTPUT_SCHEMA_WORDS = ("output_config.format", "output_format", "json_schema", "structured output", "output schema")
_EFFORT_WORDS = ("output_config", "effort", "adaptive", "thinking: input tag", "thinking: extra inputs")

BUSY = gettext_noop("The model is overloaded at the moment.")
UNREACHABLE = gettext_noop("The model cannot be reached at the moment.")
SILENT = gettext_noop("The model did not answer in time.")
PAUSED = gettext_noop("The assistant is paused.")
ELSEWHERE = gettext_noop("The model's address leads somewhere else instead of answering.")


def model_error(error: anthropic.APIError | httpx2.HTTPError) -> ModelError:
    """Map a failure before the first piece of text to its typed error."""
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return ModelUnavailable(gettext(SILENT))
    if not isinstance(error, anthropic.APIStatusError):
        return ModelUnavailable(gettext(UNREACHABLE))
    if 300 <= error.status_code < 400:
        return ModelPaused(gettext(ELSEWHERE))
    if _is_paused(error):
        return ModelPaused(gettext(PAUSED))
    if error.status_code == 413 or _is_too_long(error):
        return PromptTooLong(gettext("This conversation has become too long for the model."))
    if error.status_code == 429 or is_worth_retrying(error):
        return ModelUnavailable(gettext(BUSY))
    return ModelRefused(gettext("The model refused this request."))


def is_worth_retrying(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether the same request may succeed in a second. Not after a timeout: the student has waited enough."""
    if isinstance(error, anthropic.APIStatusError):
        if error.status_code == 429:
            # A rate limit says when to retry; a spend limit does not, and a retry does not help.
            return retry_after_s(error) is not None and not _is_paused(error)
        return error.status_code in RETRYABLE_STATUS or str(error.type) in RETRYABLE_TYPES
    silent = (anthropic.APITimeoutError, httpx2.ReadTimeout)
    return isinstance(error, (anthropic.APIConnectionError, httpx2.TransportError)) and not isinstance(error, silent)


def refuses_citations(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take `search_result` blocks; results can go as text instead."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code != 400:
        return False
    message = _message(error)
    return "search_result" in message or "citations" in message


def refuses_effort(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take the effort or the thinking; the request works without them."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = _message(error)
    return any(words in message for words in _EFFORT_WORDS)


def refuses_output_schema(error: anthropic.APIError | httpx2.HTTPError, effort: str) -> bool:
    """Whether a model or a gateway does not take a schema of the answer; JSON can be asked for in words instead.

    effort: of the request; what is refused under their common name is the effort first.
    """
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = _message(error)
    is_whole = not effort and "output_config" in message
    return is_whole or any(words in message for words in _OUTPUT_SCHEMA_WORDS)


def refuses_features(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take deferred tools, their additions or the beta header of these."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = _message(error)
    return any(words in message for words in _FEATURE_WORDS)


def retry_after_s(error: anthropic.APIError | httpx2.HTTPError) -> float | None:
    """Parse the `retry-after` header: seconds, never negative; None where it holds no number."""
    if not isinstance(error, anthropic.APIStatusError):
        return None
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _message(error: anthropic.APIStatusError) -> str:
    """Message of the error; a gateway may put it in any form."""
    return str(error.api_message or "").lower()


def _is_paused(error: anthropic.APIStatusError) -> bool:
    """Whether key, billing or spend limit is refused, which neither a student nor a retry can repair."""
    code = str(error.error_code or "")
    message = _message(error)
    return (
        error.status_code in PAUSING_STATUS
        or str(error.type) in PAUSING_TYPES
        or "spend_limit" in code
        or code == "organization_on_hold"
        or (error.status_code == 429 and retry_after_s(error) is None and "limit" in message and "spend" in message)
        or (error.status_code == 400 and "credit balance" in message)
    )


def _is_too_long(error: anthropic.APIStatusError) -> bool:
    """Whether the prompt is too long; the API has no code for this, only a message."""
    message = _message(error)
    return error.status_code == 400 and (
        "too long" in message or "context window" in message or "context limit" in message
    )
