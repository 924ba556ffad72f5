"""Mapping of failed requests to Anthropic onto the error tree, and which features a model refuses.

Sources: https://docs.anthropic.com/en/api/errors. An error within a stream reaches us with the status of its answer.
"""

import anthropic
import httpx2

from services.errors import ModelError, ModelPaused, ModelRefused, ModelUnavailable, PromptTooLong
from services.i18n import gettext, gettext_noop
from services.llm.anthropic_retries import is_paused, is_worth_retrying, message_of

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
    if is_paused(error):
        return ModelPaused(gettext(PAUSED))
    if error.status_code == 413 or _is_too_long(error):
        return PromptTooLong(gettext("This conversation has become too long for the model."))
    if error.status_code == 429 or is_worth_retrying(error):
        return ModelUnavailable(gettext(BUSY))
    return ModelRefused(gettext("The model refused this request."))


def refuses_citations(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take `search_result` blocks; results can go as text instead."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code != 400:
        return False
    message = message_of(error)
    return "search_result" in message or "citations" in message


def refuses_effort(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take the effort or the thinking; the request works without them."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = message_of(error)
    return any(words in message for words in _EFFORT_WORDS)


def refuses_output_schema(error: anthropic.APIError | httpx2.HTTPError, effort: str) -> bool:
    """Whether a model or a gateway does not take a schema of the answer; JSON can be asked for in words instead.

    effort: of the request; what is refused under their common name is the effort first.
    """
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = message_of(error)
    is_whole = not effort and "output_config" in message
    return is_whole or any(words in message for words in _OUTPUT_SCHEMA_WORDS)


def refuses_features(error: anthropic.APIError | httpx2.HTTPError) -> bool:
    """Whether a model or a gateway does not take deferred tools, their additions or the beta header of these."""
    if not isinstance(error, anthropic.APIStatusError) or error.status_code not in REFUSING_STATUS:
        return False
    message = message_of(error)
    return any(words in message for words in _FEATURE_WORDS)


def _is_too_long(error: anthropic.APIStatusError) -> bool:
    """Whether the prompt is too long; the API has no code for this, only a message."""
    message = message_of(error)
    return error.status_code == 400 and (
        "too long" in message or "context window" in message or "context limit" in message
    )
