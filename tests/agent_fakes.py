"""Stand-ins for the agent's surroundings: a model that follows a script, and a board one can pin notes to."""

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from services.errors import ChangedElsewhere, ModelError, ModelInterrupted, ServiceError
from services.llm.chat_model import AnswerUnwanted, ChatModel, ModelReply, ModelRequest, OnText, Usage
from services.llm.citations import Source
from services.runtime.clock import stamp
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Tool

WAIT_S = 10.0
"""How long a test waits for another thread before it counts as stuck."""

_CALL_NUMBERS = itertools.count(1)


def loaded_tools(request: ModelRequest) -> set[str]:
    """The tools that the model sees in a request: not deferred, or added and not removed again."""
    loaded = {str(tool["name"]) for tool in request.tools if not tool.get("defer_loading")}
    for block in (block for message in request.messages for block in message["content"]):
        if block["type"] == "tool_addition":
            loaded.add(block["tool"]["name"])
        elif block["type"] == "tool_removal":
            loaded.discard(block["tool"]["name"])
        elif block["type"] == "tool_result":
            loaded |= {part["tool_name"] for part in block["content"] if part["type"] == "tool_reference"}
    return loaded


def instructions(request: ModelRequest) -> str:
    """What the app tells the model in a request, in front of the conversation and within it."""
    told = [*request.system, *(b for m in request.messages if m["role"] == "system" for b in m["content"])]
    return "\n\n".join(str(block["text"]) for block in told if block["type"] == "text")


Step = Any
"""What the model does for one request: texts and then the reply, an error to raise, or a function of the request."""


def says(text: str, *, stop_reason: str = "end_turn") -> list[Any]:
    """An answer in words, a word at a time."""
    words = [word for word in text.split(" ") if word]
    spaced = [f" {word}" if index else word for index, word in enumerate(words)]
    return [*spaced, ModelReply(content=({"type": "text", "text": text},), stop_reason=stop_reason, usage=Usage())]


def calls(*wanted: tuple[str, Mapping[str, Any]], text: str = "", stop_reason: str = "tool_use") -> list[Any]:
    """An answer that asks for tools, each call under an id of its own."""
    words = [text] if text else []
    said = [{"type": "text", "text": text}] if text else []
    blocks = [
        {"type": "tool_use", "id": f"toolu_{next(_CALL_NUMBERS):04d}", "name": name, "input": dict(arguments)}
        for name, arguments in wanted
    ]
    return [*words, ModelReply(content=(*said, *blocks), stop_reason=stop_reason, usage=Usage(input_tokens=1))]


class Gate:
    """A part of a stream at which the model waits until the test opens it."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._opened = threading.Event()

    def open(self) -> None:
        self._opened.set()

    def wait(self) -> None:
        self.reached.set()
        assert self._opened.wait(WAIT_S), "nobody opened the gate"


class FakeModel:
    """Plays a script, one step for each request; `requests` are what it was asked. The last step is repeated."""

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.requests: list[ModelRequest] = []
        self._lock = threading.Lock()

    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        with self._lock:
            self.requests.append(request)
            step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        parts: Sequence[Any] = step(request) if callable(step) else step
        for part in [parts] if isinstance(parts, Exception) else parts:
            if isinstance(part, Exception):
                raise part
            if isinstance(part, Gate):
                part.wait()
            elif isinstance(part, ModelReply):
                return part
            elif not on_text(part):
                raise AnswerUnwanted
        raise ModelInterrupted("The script ended without a reply.")


def ask(model: ChatModel, request: ModelRequest) -> tuple[str, ModelReply | ModelError]:
    """The words that came, and how the answer ended."""
    words: list[str] = []

    def take(text: str) -> bool:
        words.append(text)
        return True

    try:
        reply: ModelReply | ModelError = model.stream(request, take)
    except ModelError as error:
        reply = error
    return "".join(words), reply


class FakeBoard:
    """An outside service with notes. It knows the operation that made a note, so a repeat finds it again.

    before, after: called with the operation's id before and after a note is pinned; they may raise.
    beside: what a card says of what hangs there already. begins_at: when what a card proposes begins.
    writer: who writes the notes.
    """

    writer = Provenance.SCHOOL

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}
        self.pins: list[str] = []
        self.failure: ServiceError | None = None
        self.before: Callable[[str], None] = lambda operation: None
        self.after: Callable[[str], None] = lambda operation: None
        self.contexts: list[ToolExecutionContext] = []
        self.beside = ""
        self.begins_at: datetime | None = None

    def tools(self, integration: str | None = "board") -> tuple[Tool, ...]:
        """board_read and board_pin, over this board."""

        @tool(
            label="Reading the board",
            summary="Read the notes on the board",
            category="notes",
            contexts=("notes",),
            integration=integration,
        )
        def board_read(
            context: ToolExecutionContext, *, topic: Annotated[str, Field(description="What to look for.")] = ""
        ) -> ToolResult:
            """Read the notes on the board."""
            self.contexts.append(context)
            if self.failure is not None:
                raise self.failure
            notes = declared(list(self.notes.values()), self.writer)
            found = [text for text in notes if topic in text]
            source = Source(title="Board", url="https://board.example/1")
            return ToolResult(output=f"{len(found)} notes (Board).\n" + "\n".join(found), sources=(source,))

        @tool(
            label="Pinning a note",
            title="Pin a note",
            category="notes",
            contexts=("notes",),
            effect=Effect.WRITE,
            integration=integration,
            preview=self._card,
            undo=self._unpin,
        )
        def board_pin(
            context: ToolExecutionContext, *, text: Annotated[str, Field(description="The note.", min_length=2)]
        ) -> ToolResult:
            """Pin a note to the board."""
            self.contexts.append(context)
            operation = context.operation_id or ""
            self.before(operation)
            if self.failure is not None:
                raise self.failure
            if operation not in self.notes:
                self.pins.append(operation)
                self.notes[operation] = text
            self.after(operation)
            source = Source(title=text, url=f"https://board.example/{operation}")
            return ToolResult(
                output=f"Pinned “{text}”.\nMore.", sources=(source,), undo={"id": operation, "text": text}
            )

        return board_read, board_pin

    def _card(self, _: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
        past_at = stamp(self.begins_at) if self.begins_at else ""
        note = PreviewRow(label="Note", value=str(arguments["text"]), past_at=past_at)
        return (note, PreviewRow(label="Conflicts", value=self.beside)) if self.beside else (note,)

    def _unpin(self, context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
        if self.failure is not None:
            raise self.failure
        if self.notes.get(undo["id"], undo["text"]) != undo["text"]:
            raise ChangedElsewhere("Board", "The note was changed since.")
        self.notes.pop(undo["id"], None)
        return ToolResult(output="Taken down.")


@dataclass
class FakePage:
    """A tab: how often it was asked to rerun, and what keeps it from that."""

    id: str = "tab"
    reruns: int = 0
    is_busy: bool = False
    is_there: bool = True
    runs_script: bool = False

    def is_acting(self) -> bool:
        return self.runs_script

    def is_connected(self) -> bool:
        return self.is_there

    def rerun(self, give_up: Callable[[], None]) -> None:
        if self.is_busy or not self.is_there:
            give_up()
        else:
            self.reruns += 1
