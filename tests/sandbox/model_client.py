"""The real Anthropic SDK, pointed at the campus's demo model, and a student's turn played to its end."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anthropic

from tests.campus_server import CampusServer

MODEL = "claude-haiku-5-5"
CONTEXT = "<context>Now: Saturday 21 November 2026, 10:42 (America/Chicago, UTC-06:00)</context>"
Run = Callable[[str, Mapping[str, Any]], str]


@contextmanager
def claude(campus: CampusServer, **options: Any) -> Iterator[anthropic.Anthropic]:
    """A client that checks every answer against the SDK's types and never retries by itself."""
    base = {"base_url": f"{campus.url}/anthropic", "api_key": "demo", "max_retries": 0, "timeout": 10.0}
    with anthropic.Anthropic(**{**base, "_strict_response_validation": True, **options}) as client:
        yield client


def says(text: str) -> dict[str, Any]:
    """A student's message as the app sends it: the context, then the student's words."""
    return {"role": "user", "content": [{"type": "text", "text": CONTEXT}, {"type": "text", "text": text}]}


def body(*messages: Mapping[str, Any] | str, **more: Any) -> dict[str, Any]:
    """A complete request."""
    said = [says(message) if isinstance(message, str) else dict(message) for message in messages]
    return {"model": MODEL, "max_tokens": 4096, "messages": said, **more}


def play(campus: CampusServer, run: Run, tools: list[dict[str, Any]], *texts: str, most: int = 10) -> "Played":
    """Play one conversation: each text in turn, every tool call answered by `run`, which raises ToolFailed to fail."""
    played = Played()
    with claude(campus) as client:
        for text in texts:
            played.messages.append(says(text))
            for _ in range(most):
                reply = client.messages.create(model=MODEL, max_tokens=4096, tools=tools, messages=played.messages)
                played.messages.append({"role": "assistant", "content": [_param(block) for block in reply.content]})
                calls = [block for block in reply.content if block.type == "tool_use"]
                played.steps.append([(call.name, dict(call.input)) for call in calls])
                if not calls:
                    played.answers.append("".join(block.text for block in reply.content if block.type == "text"))
                    break
                played.messages.append({"role": "user", "content": [_result(run, call) for call in calls]})
    return played


class ToolFailed(Exception):
    """What a tool raises in a played turn to give an error result."""


class Played:
    """A conversation as it went: the API's messages, the calls of each step, the final answers."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.steps: list[list[tuple[str, dict[str, Any]]]] = []
        self.answers: list[str] = []

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Every call, in order."""
        return [call for step in self.steps for call in step]

    @property
    def answer(self) -> str:
        """The last answer."""
        return self.answers[-1]


def sse(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a raw stream: name and data."""
    events = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if lines:
            events.append((lines["event"], json.loads(lines["data"])))
    return events


def _param(block: Any) -> dict[str, Any]:
    if block.type == "text":
        return {"type": "text", "text": block.text}
    return {"type": "tool_use", "id": block.id, "name": block.name, "input": dict(block.input)}


def _result(run: Run, call: Any) -> dict[str, Any]:
    try:
        return {"type": "tool_result", "tool_use_id": call.id, "content": run(call.name, call.input)}
    except ToolFailed as failure:
        return {"type": "tool_result", "tool_use_id": call.id, "content": str(failure), "is_error": True}
