"""`ToolCallRunner`: runs the tool calls of one step in parallel, within a budget, and builds their results."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.discovery.tool_search import found_tools
from services.i18n import gettext, gettext_noop
from services.llm.citations import citable_blocks
from services.llm.messages import Block, StoredMessage, result_block
from services.materials.picture_blocks import with_picture_blocks
from services.prompt.request_messages import tool_reference
from services.tools.dispatch import Dispatcher, ToolCall
from services.tools.result import FailureKind, ToolResult
from services.tools.toolbox import Toolbox
from services.turns.events import ApprovalRequested, Event, ToolFinished, ToolStarted
from services.turns.turn_limits import CALLS_IN_A_TURN, WRITES_IN_A_TURN

PARALLEL_CALLS = 6
"""Calls of one step that run at once."""
REFUSED_FROM_REPEAT = 3
"""The same call with the same arguments is refused from this time on in one turn."""

REPEATED = "You have made this very call before in this answer. Use its result, or do something else."
TOO_MANY = "Too many calls in one answer. Answer now with what you have."
TOO_MANY_WRITES = "Too many changes in one answer. Let the student decide on these first, then propose the rest."
WRONG_ARGUMENT = gettext_noop(
    "A detail of this request was wrong, so it did not go through. Homeroom can correct it and try again."
)
"""Shown to students instead of an error about an argument, which is for the model to correct."""
UNCLEAR_REQUEST = gettext_noop(
    "Something in this request was not clear, so it did not go through. Homeroom asks you or tries again."
)
STUDENT_TEXTS = {
    REPEATED: gettext_noop("Homeroom had done this before in this answer, so it did not do it again."),
    TOO_MANY: gettext_noop("This answer had many steps already, so Homeroom left this one out."),
    TOO_MANY_WRITES: gettext_noop("These were many changes at once, so Homeroom left this one out."),
}
"""Shown to students instead of a refusal whose text is for the model."""
ASKS_STUDENT = re.compile(r"\bask the student\b|\bcall again with\b", re.IGNORECASE)
ASKS_BACK = (FailureKind.BAD_ARGUMENTS, FailureKind.NOT_FOUND)
"""Failures of a request, not of Homeroom or a service: the answer asks back, or tries it otherwise."""


@dataclass(frozen=True, kw_only=True)
class CallResult:
    """Result of one call, and the seconds that it took."""

    call: Block
    result: ToolResult = field(repr=False)
    seconds: float = 0.0

    @property
    def block(self) -> Block:
        """Result block for the model."""
        call_id, result = str(self.call["id"]), self.result
        if names := found_tools(str(self.call["name"]), result):
            return result_block(call_id, "", blocks=[tool_reference(name) for name in names])
        if result.success:
            blocks = with_picture_blocks(citable_blocks(result.output, result.sources), result.pictures)
            return result_block(call_id, result.output, blocks=blocks)
        return result_block(call_id, result.error or "This did not work.", is_error=True)

    @property
    def meta(self) -> dict[str, Any]:
        """Fields for the page, as plain JSON."""
        return {
            "success": self.result.success,
            "sentence": self._sentence,
            **({"asks_back": True} if self.asks_back else {}),
            "seconds": round(self.seconds, 2),
            "sources": [asdict(source) for source in self.result.sources],
            "steps": list(self.result.steps),
            **({"reading": list(self.result.reading)} if self.result.reading else {}),
            "approval_id": self.result.approval_request_id,
            # What was done at once is no decision that the model is still to be told of.
            **({"is_told": True} if self.result.success and self.is_recorded else {}),
            "provenance": self.result.provenance.data(),
        }

    @property
    def is_recorded(self) -> bool:
        """Whether its card shows what was done at once, with its undo."""
        return bool(self.result.approval_request_id) and not self.result.requires_approval

    @property
    def asks_back(self) -> bool:
        """Whether nothing broke: the request was not clear, or what it names is not there."""
        return not self.result.success and self.result.error_kind in ASKS_BACK

    @property
    def _sentence(self) -> str:
        if self.result.success:
            return ""
        error = self.result.error or ""
        # Words that only repeat the error are those for the model.
        has_own_words = self.result.said is not None and self.result.said not in error
        if self.result.error_kind == FailureKind.BAD_ARGUMENTS and not has_own_words:
            if re.match(r"[\w.]+: ", error):
                return gettext(WRONG_ARGUMENT)
            if ASKS_STUDENT.search(error):
                return gettext(UNCLEAR_REQUEST)
        return gettext(STUDENT_TEXTS[error]) if error in STUDENT_TEXTS else self.result.trouble


class CallBudget:
    """Counts the calls of a run of a turn: a model that repeats itself is told so, and stopped in the end."""

    def __init__(self, toolbox: Toolbox, calls: Sequence[Block] = ()) -> None:
        """calls: those that the turn has made before this run of it; they count only for repeats."""
        self._writing = {tool.name for tool in toolbox.resolution.tools if tool.effect.is_change}
        self._seen = Counter(_fingerprint(call) for call in calls)
        self._calls = self._writes = 0

    def refusal(self, call: Block) -> str | None:
        """Count a call; the reason why it must not run, or None."""
        is_write = call["name"] in self._writing
        self._seen[_fingerprint(call)] += 1
        self._calls += 1
        self._writes += is_write
        if self._seen[_fingerprint(call)] >= REFUSED_FROM_REPEAT:
            return REPEATED
        if self._calls > CALLS_IN_A_TURN:
            return TOO_MANY
        return TOO_MANY_WRITES if is_write and self._writes > WRITES_IN_A_TURN else None


class ToolCallRunner:
    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def run_calls(
        self, toolbox: Toolbox, calls: Sequence[Block], budget: CallBudget, fields: Mapping[str, Any]
    ) -> Iterator[Event | CallResult]:
        """Run calls; yields events as they happen, and a `CallResult` for each call as it finishes."""
        allowed = []
        for call in calls:
            yield ToolStarted(
                call_id=call["id"], name=call["name"], label=label_of(toolbox, call["name"]), arguments=call["input"]
            )
            if refusal := budget.refusal(call):
                refused = ToolResult(success=False, error=refusal, error_kind=FailureKind.NOT_ALLOWED)
                yield from _finished_events(CallResult(call=call, result=refused))
            else:
                allowed.append(call)
        for start in range(0, len(allowed), PARALLEL_CALLS):
            yield from self._run_parallel(toolbox, allowed[start : start + PARALLEL_CALLS], fields)

    def _run_parallel(
        self, toolbox: Toolbox, calls: Sequence[Block], fields: Mapping[str, Any]
    ) -> Iterator[Event | CallResult]:
        wanted = [
            ToolCall(name=c["name"], arguments=c["input"], context=toolbox.context(call_id=c["id"], **fields))
            for c in calls
        ]
        for done in self._dispatcher.call_all(toolbox.asking, wanted):
            yield from _finished_events(CallResult(call=calls[done.index], result=done.result, seconds=done.seconds))


def may_have_written(messages: Sequence[StoredMessage], toolbox: Toolbox) -> bool:
    """Check whether a call in these messages has changed something, or has ended so that nobody knows."""
    writes = {
        call["id"]
        for message in messages
        for call in message.tool_calls
        if (tool := toolbox.tool(call["name"])) is None or tool.effect.is_change
    }
    return any(
        message.meta["results"][block["tool_use_id"]]["success"] or _was_approved(message, block)
        for message in messages
        if "results" in message.meta
        for block in message.content
        if block.get("tool_use_id") in writes
    )


def _was_approved(message: StoredMessage, block: Block) -> bool:
    """Whether an approved write failed: its card says how, and it may have changed something all the same."""
    return bool(block.get("is_error") and message.meta["results"][block["tool_use_id"]].get("approval_id"))


def label_of(toolbox: Toolbox, name: str) -> str:
    """Label that the student reads while a tool runs; its name for a tool that does not exist."""
    tool = toolbox.tool(name)
    return tool.label if tool else name[:80]


def _finished_events(answer: CallResult) -> Iterator[Event | CallResult]:
    if answer.result.approval_request_id:
        yield ApprovalRequested(approval_id=answer.result.approval_request_id or "", call_id=answer.call["id"])
    else:
        meta = answer.meta
        yield ToolFinished(
            call_id=answer.call["id"],
            success=answer.result.success,
            sentence=meta["sentence"],
            asks_back=answer.asks_back,
            seconds=meta["seconds"],
            sources=answer.result.sources,
            steps=answer.result.steps,
            reading=answer.result.reading,
        )
    yield answer


def _fingerprint(call: Block) -> str:
    return json.dumps([call["name"], call["input"]], sort_keys=True)
