"""Plays a turn with the demo model's rules alone, without HTTP, and reads the tables of messages to play."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.model.reply import Call, Text
from sandbox.model.rules import think
from tests.sandbox.model_client import ToolFailed, says
from tests.sandbox.model_tools import TABLES

NOW = datetime(2026, 11, 21, 10, 42, tzinfo=ZoneInfo("America/Chicago"))
Calls = list[tuple[str, dict[str, Any]]]
Row = tuple[str, str, dict[str, Any]]


def messages(table: str) -> list[str]:
    """The lines of a table, without its remarks."""
    lines = (TABLES / table).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def rows(table: str) -> list[Row]:
    """The rows of a table: a message, the tool it must lead to, and arguments that the call must have."""
    parts = [line.partition(" => ") for line in messages(table)]
    return [(text, call.partition(" ")[0], json.loads(call.partition(" ")[2])) for text, _, call in parts]


def fits(call: tuple[str, dict[str, Any]], tool: str, arguments: dict[str, Any]) -> bool:
    """Whether a call is one of this tool and has these arguments."""
    return call[0] == tool and all(call[1].get(name) == value for name, value in arguments.items())


def turn(
    texts: Sequence[str],
    tools: Sequence[Mapping[str, Any]],
    run: Callable[[str, Mapping[str, Any]], str],
    most: int = 8,
) -> tuple[Calls, str]:
    """Every call and the answer of the last of these student messages, the others being played before it."""
    sent: list[Any] = []
    calls: Calls = []
    answer = ""
    for text in texts:
        sent.append(says(text))
        calls, answer = [], ""
        for _ in range(most):
            reply = think({"messages": sent, "tools": list(tools)}, NOW)
            sent.append({"role": "assistant", "content": [block.finished() for block in reply.blocks]})
            made = [block for block in reply.blocks if isinstance(block, Call)]
            calls += [(call.name, dict(call.input)) for call in made]
            if not made:
                answer = "".join(block.text for block in reply.blocks if isinstance(block, Text))
                break
            sent.append({"role": "user", "content": [_result(run, call) for call in made]})
    return calls, answer


def _result(run: Callable[[str, Mapping[str, Any]], str], call: Call) -> dict[str, Any]:
    try:
        return {"type": "tool_result", "tool_use_id": call.id, "content": run(call.name, call.input)}
    except ToolFailed as failure:
        return {"type": "tool_result", "tool_use_id": call.id, "content": str(failure), "is_error": True}
