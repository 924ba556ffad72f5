"""The model behind one small protocol: a request goes in, complete blocks and words come out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from services.agent.citations import Citation


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One Messages API request, as plain JSON: `system`, `tools` and `messages` are in the API's own shapes.

    betas: features that the request needs and that not every model has. effort: how much the answer may cost ("low" to
    "max"), empty to leave it to the model. thinks: it is asked to think before it answers, as long as it sees fit.
    """

    model: str
    system: Sequence[Mapping[str, Any]] = field(repr=False)
    tools: Sequence[Mapping[str, Any]] = field(repr=False)
    messages: Sequence[Mapping[str, Any]] = field(repr=False)
    max_tokens: int = 4096
    betas: Sequence[str] = ()
    effort: str = ""
    thinks: bool = False


@dataclass(frozen=True, kw_only=True)
class Words:
    """Some more text."""

    text: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens, as the API counts them; the total input is the sum of the first three."""

    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The finished message: complete content blocks only, ready to be stored and sent back.

    cited: places in its text blocks that cite a source, by the block's number.
    """

    content: Sequence[Mapping[str, Any]] = field(repr=False)
    stop_reason: str
    usage: Usage
    cited: Mapping[int, Sequence[Citation]] = field(default_factory=dict, repr=False)


class ChatModel(Protocol):
    def stream(self, request: ModelRequest) -> Iterator[Words | Reply]:
        """Words as they come, then exactly one `Reply`.

        Raises `ModelUnavailable` before the first word, `ModelInterrupted` after it (also for a stream that ends
        without a stop reason), `ModelRefused`, `FeatureRefused`, `PromptTooLong` or `ModelPaused`.
        """
