"""Finished model requests to count, for the tests of the accounting and of what shows it."""

from dataclasses import dataclass
from typing import Any

from services.discovery.accounting import RequestFacts
from services.llm.chat_model import Usage


@dataclass(frozen=True)
class Found:
    """A context as the detector finds it."""

    name: str
    confidence: float = 0.9


def request(
    student_id: str,
    *contexts: str,
    fresh: int = 0,
    read: int = 0,
    written: int = 0,
    output: int = 0,
    **facts: Any,
) -> RequestFacts:
    """A request in which 1,000 tokens of system, 200 of tools (of 4,000) and 800 of messages were estimated."""
    usual: dict[str, Any] = {
        "conversation_id": "chat",
        "turn_id": "turn",
        "is_first": True,
        "model": "claude-haiku-5-5",
        "strategy": "append",
        "system_tokens": 1_000,
        "tools_tokens": 200,
        "messages_tokens": 800,
        "all_tools_tokens": 4_000,
        "matching_tools_tokens": 200,
        "offered": 40,
        "loaded": ("canvas_grades", "canvas_assignments"),
    }
    usage = Usage(
        input_tokens=fresh,
        cache_read_input_tokens=read,
        cache_creation_input_tokens=written,
        output_tokens=output,
    )
    found = tuple(Found(name) for name in contexts)
    return RequestFacts(student_id=student_id, contexts=found, usage=usage, **{**usual, **facts})  # type: ignore[arg-type]
