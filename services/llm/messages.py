"""Messages of a conversation in the shape of the Messages API, and the content blocks that they are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Block = Mapping[str, Any]
Role = Literal["user", "assistant", "system"]


@dataclass(frozen=True, kw_only=True)
class StoredMessage:
    """Stored message. content: blocks of the Messages API, exactly as they are sent; only a file that came with a
    question is a reference here, and becomes a document when the model is asked (`services.files.content_blocks`).

    meta, by role: the turn it belongs to (`turn_id`) and
    - a question: `has_context` (its first block is ours), `is_hidden` (made by Continue);
    - the assistant: `labels` of its tool calls by call id, `partial` when it was cut off (stopped, interrupted),
      `cited` places of its words (see `citations`), `summary`: the id of what stood for earlier messages when it was
      asked (see `summaries`); `is_unreadable` for one that stands in the place of what cannot be read;
    - results: `results` by call id: success, sentence, seconds, sources, and approval_id for a write;
    - system, which the student does not see: tools that come or go from here on, and what has changed in the
      instructions; `told` of those (see `services.prompt.loading_plan`).
    An answer's `plan` is what its request was made of: strategy, model, contexts, tools, and the prompt's ids; its
    `rating` what the student thought of it. at: when it was stored, as a stamp.
    """

    seq: int
    role: Role
    content: Sequence[Block] = field(repr=False)
    meta: Mapping[str, Any] = field(repr=False)
    at: str = field(default="", compare=False)

    @property
    def is_question(self) -> bool:
        """Whether it is the student's own message, and holds no tool results."""
        return self.role == "user" and "results" not in self.meta

    @property
    def tool_calls(self) -> list[Block]:
        return [block for block in self.content if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        """Text of the message, without the block of context that we put in front of a question."""
        own = self.content[1:] if self.meta.get("has_context") else self.content
        return "\n\n".join(block["text"] for block in own if block["type"] == "text")


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def result_block(call_id: str, text: str, *, is_error: bool = False, blocks: Sequence[Block] = ()) -> dict[str, Any]:
    """Build the block of a tool's result from `blocks` or text; an empty text gets words, as the API refuses it."""
    content = list(blocks) or [text_block(text if text.strip() else "(no output)")]
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, "is_error": True} if is_error else block


def result_text(block: Block) -> str:
    """Text of a tool result, in lines."""
    parts = [part for part in block["content"] if isinstance(part, Mapping)]
    lines = [part.get("content", [part]) for part in parts]
    return "\n".join(part.get("text", "") for inner in lines for part in inner)
