"""`AnthropicModel`: client of the streamed Messages API, with timeouts, retries and marks for the prompt cache."""

import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import anthropic
import httpx2

from services.errors import FeatureRefused
from services.llm.anthropic_errors import (
    model_error,
    refuses_citations,
    refuses_effort,
    refuses_features,
    refuses_output_schema,
)
from services.llm.anthropic_reply import ReplyAssembler
from services.llm.anthropic_retries import retry_wait_s
from services.llm.anthropic_transport import AnthropicTransport
from services.llm.anthropic_wire import AnthropicWire, StreamBounds
from services.llm.chat_model import AnswerUnwanted, ModelReply, ModelRequest, OnText
from services.llm.citations import without_search_results

log = logging.getLogger(__name__)

CONNECT_S = 10.0
KEY_S = 6.0
"""That the list of models may take."""
IDLE_S = 60.0
"""Between two pieces of an answer; a stream that is silent for longer is broken."""
CACHED = {"type": "ephemeral"}
_FAILURES = (anthropic.APIError, httpx2.HTTPError)
_ERROR_TYPE = re.compile(r"[a-z_]{1,60}")


def try_key(*, api_key: str, base_url: str | None = None) -> bool | None:
    """Ask for the list of models, which costs nothing: whether the key is taken; None where a server that cannot be
    reached, or that has no such list, says nothing about it.
    """
    http = anthropic.DefaultHttpxClient(timeout=KEY_S, follow_redirects=False)
    with anthropic.Anthropic(api_key=api_key, base_url=base_url, http_client=http, max_retries=0) as client:
        try:
            client.models.list(limit=1)
        except (anthropic.AuthenticationError, anthropic.PermissionDeniedError):
            return False
        except _FAILURES:
            return None
    return True


class AnthropicModel:
    """Client for all turns of this process; safe to use from many threads."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str | None = None,
        idle_s: float = IDLE_S,
        bounds: StreamBounds | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        timeout = httpx2.Timeout(connect=CONNECT_S, read=idle_s, write=CONNECT_S, pool=CONNECT_S)
        transport = AnthropicTransport(anthropic.DEFAULT_CONNECTION_LIMITS)
        # A redirect to another host would take the key along; the SDK would follow it.
        http = anthropic.DefaultHttpxClient(transport=transport, timeout=timeout, follow_redirects=False)
        self._client = anthropic.Anthropic(api_key=api_key, base_url=base_url, http_client=http, max_retries=0)
        self._wire = AnthropicWire(self._client, transport, bounds)
        self._sleep = sleep
        self._without_citations: set[str] = set()
        """Models that have refused results that can be cited."""
        self._without_effort: set[str] = set()
        """Models that have refused an effort."""

    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """As `ChatModel.stream`. The request is retried up to twice before the first piece of text, after it never."""
        if request.model in self._without_effort:
            request = replace(request, effort="", thinks=False)
        attempt = 1
        while True:
            message = ReplyAssembler()
            try:
                self._wire.stream(
                    self._parameters(request), message, on_text, request.betas, is_background=request.is_background
                )
            except AnswerUnwanted as signal:
                signal.usage = message.usage_so_far
                raise
            except _FAILURES as error:
                if message.has_text:
                    log.warning("model_broke_off kind=%s", _error_kind(error))
                    raise message.interruption() from error
                if request.betas and refuses_features(error):
                    raise FeatureRefused("The model does not take tool changes.") from error
                if request.output_schema is not None and refuses_output_schema(error, request.effort):
                    raise FeatureRefused("The model does not take an output schema.") from error
                if (request.effort or request.thinks) and refuses_effort(error):
                    log.warning("model_takes_no_effort model=%s", request.model)
                    self._without_effort.add(request.model)
                    request = replace(request, effort="", thinks=False)
                    continue
                if refuses_citations(error) and request.model not in self._without_citations:
                    log.warning("model_takes_no_citations model=%s", request.model)
                    self._without_citations.add(request.model)
                    continue
                wait_s = retry_wait_s(error, attempt)
                log.warning("model_request_failed kind=%s attempt=%s retry=%s", _error_kind(error), attempt, wait_s)
                if wait_s is None:
                    raise model_error(error) from error
                self._sleep(wait_s)
                attempt += 1
            else:
                return message.reply()

    def close(self) -> None:
        """Close the connections that are kept open for the next request."""
        self._client.close()

    def _parameters(self, request: ModelRequest) -> dict[str, Any]:
        if request.model in self._without_citations:
            request = replace(request, messages=without_search_results(request.messages))
        return parameters(request)


def parameters(request: ModelRequest) -> dict[str, Any]:
    """Build the request's JSON with its cache marks: after each of the last two system blocks, the first of which is
    shared, and after the last message. A system message there may bring more blocks than the cache looks back over
    (20), so the student's message before it is marked too.
    """
    *earlier, last = request.messages
    if last["role"] == "system" and earlier:
        earlier[-1] = _marked_message(earlier[-1])
    parameters: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": _marked(_marked(request.system[:-1]) + list(request.system[-1:])),
        "messages": [*earlier, _marked_message(last)],
        "stream": True,
    }
    if output_config := _output_config(request):
        parameters["output_config"] = output_config
    if request.thinks:
        parameters["thinking"] = {"type": "adaptive"}
    return {**parameters, "tools": list(request.tools)} if request.tools else parameters


def _output_config(request: ModelRequest) -> dict[str, Any]:
    config: dict[str, Any] = {"effort": request.effort} if request.effort else {}
    if request.output_schema is not None:
        config["format"] = {"type": "json_schema", "schema": request.output_schema}
    return config


def _marked(blocks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [*blocks[:-1], {**blocks[-1], "cache_control": CACHED}] if blocks else []


def _marked_message(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**message, "content": _marked(message["content"])}


def _error_kind(error: Exception) -> str:
    """Kind of an error for the log: never its message, which may repeat what the student wrote."""
    if isinstance(error, anthropic.APIStatusError):
        kind = str(error.type or error.error_code or "?")
        return f"{error.status_code}/{kind if _ERROR_TYPE.fullmatch(kind) else '?'}"
    return type(error).__name__
