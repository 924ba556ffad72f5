"""Plays a turn with the demo model's rules alone, without HTTP, for tables of many messages."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.model.brain import think
from sandbox.model.reply import Call, Text
from tests.sandbox.model_client import ToolFailed, says

NOW = datetime(2026, 11, 21, 10, 42, tzinfo=ZoneInfo("America/Chicago"))
Calls = list[tuple[str, dict[str, Any]]]


def turn(
    texts: Sequence[str],
    tools: Sequence[Mapping[str, Any]],
    run: Callable[[str, Mapping[str, Any]], str],
    most: int = 8,
) -> tuple[Calls, str]:
    """Every call and the answer of the last of these student messages, the others being played before it."""
    messages: list[Any] = []
    calls: Calls = []
    answer = ""
    for text in texts:
        messages.append(says(text))
        calls, answer = [], ""
        for _ in range(most):
            reply = think({"messages": messages, "tools": list(tools)}, NOW)
            messages.append({"role": "assistant", "content": [block.finished() for block in reply.blocks]})
            made = [block for block in reply.blocks if isinstance(block, Call)]
            calls += [(call.name, dict(call.input)) for call in made]
            if not made:
                answer = "".join(block.text for block in reply.blocks if isinstance(block, Text))
                break
            messages.append({"role": "user", "content": [_result(run, call) for call in made]})
    return calls, answer


def _result(run: Callable[[str, Mapping[str, Any]], str], call: Call) -> dict[str, Any]:
    try:
        return {"type": "tool_result", "tool_use_id": call.id, "content": run(call.name, call.input)}
    except ToolFailed as failure:
        return {"type": "tool_result", "tool_use_id": call.id, "content": str(failure), "is_error": True}
