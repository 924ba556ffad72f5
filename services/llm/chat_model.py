"""Protocol of a language model, with its requests and replies; wrappers that load it late and track its health."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from services.errors import ModelError, ModelPaused
from services.llm.citations import Citation
from services.runtime.metrics_registry import MODEL_REQUESTS, MODEL_TOKENS, MetricsRegistry
from services.runtime.traces import TRACES


@dataclass(frozen=True, kw_only=True)
class Payer:
    """Who a request is made for. class_id: of the class whose assistant is used, which then pays; "" for none."""

    student_id: str
    class_id: str = ""


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """Messages API request, as plain JSON: `system`, `tools` and `messages` are in the API's own shapes.

    betas: features that the request needs and that not every model has. effort: how much the answer may cost ("low" to
    "max"), empty to leave it to the model. thinks: it is asked to think before it answers, as long as it sees fit.
    output_schema: JSON schema that the answer must follow, see `services.llm.structured_output`; None for free text.
    is_background: nobody reads along, so that what comes of the answer may be taken in larger pieces.
    payer: no request reaches the model without one, see `services.llm.metered_model`.
    """

    model: str
    system: Sequence[Mapping[str, Any]] = field(repr=False)
    tools: Sequence[Mapping[str, Any]] = field(repr=False)
    messages: Sequence[Mapping[str, Any]] = field(repr=False)
    max_tokens: int = 4096
    betas: Sequence[str] = ()
    effort: str = ""
    thinks: bool = False
    output_schema: Mapping[str, Any] | None = None
    is_background: bool = False
    payer: Payer | None = None


OnText = Callable[[str], bool]
"""Takes the next piece of an answer's text, whole words or not. Returns whether more is wanted.

It is called on a thread that all answers share, so it never waits; now and then with an empty text, to ask whether the
answer is wanted still.
"""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Token counts of the API; the total input is the sum of the first three."""

    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0


class AnswerUnwanted(Exception):
    """Signal that an answer was broken off because `OnText` wanted no more of it. usage: what it cost until then."""

    usage: Usage | None = None


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """Finished message of the model: complete content blocks only, ready to be stored and sent back.

    cited: places in its text blocks that cite a source, by the block's number.
    """

    content: Sequence[Mapping[str, Any]] = field(repr=False)
    stop_reason: str
    usage: Usage
    cited: Mapping[int, Sequence[Citation]] = field(default_factory=dict, repr=False)


class ChatModel(Protocol):
    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """Ask, pass text on as it comes, and wait for the finished message. No text comes after the return.

        Raises `ModelUnavailable` before the first piece, `ModelInterrupted` after it (also for a stream that ends
        without a stop reason), `ModelRefused`, `FeatureRefused`, `PromptTooLong` or `ModelPaused`, and
        `AnswerUnwanted`, once the connection is closed.
        """


class LazyModel:
    """Model that is made for its first request: a process that sends none never imports the client library."""

    def __init__(self, make: Callable[[], ChatModel]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._model: ChatModel | None = None

    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """As `ChatModel.stream`; the first requests of a process wait until the model is there."""
        with self._lock:
            if self._model is None:
                self._model = self._make()
        return self._model.stream(request, on_text)


class HealthTrackingModel:
    """Model that remembers whether its last request was answered, and counts requests for the operator."""

    def __init__(self, model: ChatModel, registry: MetricsRegistry | None = None) -> None:
        self._model, self._registry = model, registry or MetricsRegistry()
        self._is_paused = False

    @property
    def is_answering(self) -> bool:
        """False from a refused key, bill or address on, until it answers again; passing failures do not count.

        As far as this process has seen: to ask the model itself would cost a request.
        """
        return not self._is_paused

    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """As `ChatModel.stream`."""

        def take(text: str) -> bool:
            if text:
                self._is_paused = False
            return on_text(text)

        try:
            with TRACES.span("model.request", model=request.model):
                reply = self._model.stream(request, take)
        except ModelPaused as error:
            self._is_paused = True
            self._count(request.model, type(error).__name__)
            raise
        except (ModelError, AnswerUnwanted) as error:
            self._count(request.model, type(error).__name__)
            raise
        self._is_paused = False
        self._count(request.model, "ok", reply.usage)
        return reply

    def _count(self, model: str, outcome: str, usage: Usage | None = None) -> None:
        self._registry.count(MODEL_REQUESTS, model, outcome)
        for kind, tokens in vars(usage).items() if usage else ():
            self._registry.count(MODEL_TOKENS, model, kind, amount=tokens)
