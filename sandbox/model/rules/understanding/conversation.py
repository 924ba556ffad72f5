"""Conversation of a request as turns: what the student said, what was called, what came back, the answers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.model.citations import whole_line
from sandbox.model.files import ReadFile, read_file
from sandbox.model.rules.language.detection import written_out
from sandbox.model.rules.understanding.tool_results import Item, read_items

# Text that an application adds to a message for the model: <context>…</context>, <system-reminder>…</system-reminder>.
WRAPPED = re.compile(
    r"<(?P<tag>[a-z_-]*(?:context|remind|system|environment|metadata|now)[a-z_-]*)(?:\s[^>]*)?>.*?</(?P=tag)>\s*",
    re.DOTALL,
)
# The same without tags, when it is a block of its own beside the student's.
TOLD_TIME = re.compile(
    r"^\W*(?:now|current (?:date|time)|today(?:'s date)?|date|time)\b[^\n]{0,120}\d{4}[^\n]{0,80}$", re.IGNORECASE
)
# What an application sends when the student wants the rest of an answer that broke off.
GOES_ON = re.compile(r"\s*(?:please\s+)?(?:continue|go on|keep going|contin[uú]a|sigue)\b[^?\n]{0,50}$", re.IGNORECASE)
# The search for tools that are not loaded.
FINDS_TOOLS = re.compile(r"(?:find|search|discover)_tools?|tool_search\w*")
# What precedes the result of a call that the student changed before they approved it; only the model reads it.
CHANGED = re.compile(r"^The student changed the request before approving it, to \{.*\}\.\n")


@dataclass(frozen=True, kw_only=True)
class Step:
    """One call of a tool and what came back; `is_changed` when the student changed it before approving it."""

    id: str
    name: str
    input: Mapping[str, Any]
    result: str = ""
    is_error: bool = False
    is_changed: bool = False

    @property
    def items(self) -> list[Item]:
        """The items that its result lists."""
        return read_items(self.result)


@dataclass(kw_only=True)
class Turn:
    """Turn that began with one message of the student.

    rounds: how many times the model has called tools in it. partial: what was said of an answer that broke off.
    searches: its calls of a search for tools, which are no steps of its own. files: those that came with the message.
    """

    said: str
    steps: list[Step] = field(default_factory=list)
    answer: str = ""
    rounds: int = 0
    partial: str = ""
    searches: list[Step] = field(default_factory=list)
    files: list[ReadFile] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """The turns, the running one last, and every text in which an application may have said what time it is."""

    turns: Sequence[Turn]
    notes: Sequence[str]
    """Texts around the student's words, the newest first."""
    system: str = ""

    @property
    def now(self) -> Turn:
        """The running turn."""
        return self.turns[-1]

    @property
    def before(self) -> Sequence[Turn]:
        """The earlier turns."""
        return self.turns[:-1]


def read_conversation(body: Mapping[str, Any]) -> Conversation:
    """Take a Messages request apart."""
    turns: list[Turn] = []
    notes: list[str] = []
    results: dict[str, Step] = {}
    told: list[str] = []
    for message in body["messages"]:
        blocks = _blocks(message["content"])
        if message["role"] == "system":
            told += [block["text"] for block in blocks if block.get("type") == "text"]
        elif message["role"] == "assistant":
            _hear_assistant(turns, blocks)
        else:
            results |= _results(blocks)
            _hear_student(turns, blocks, notes)
    for turn in turns:
        turn.steps = [_joined(step, results.get(step.id)) for step in turn.steps]
    system = "\n".join([*(block.get("text", "") for block in _blocks(body.get("system") or [])), *told])
    return Conversation(turns=turns or [Turn(said="")], notes=[*reversed(notes), system], system=system)


def result_text(content: Any) -> str:
    """The words of a tool_result's content."""
    lines: list[str] = []
    for block in _blocks(content):
        lines += [whole_line(block)] if block.get("type") == "search_result" else []
        lines += [block["text"]] if block.get("type") == "text" else []
    return "\n".join(lines)


def own_words(text: str) -> str:
    """The student's own words in a text, without what the application wrapped in tags."""
    return WRAPPED.sub("", text)


def _hear_assistant(turns: list[Turn], blocks: Sequence[Mapping[str, Any]]) -> None:
    if not turns:
        return
    called = [block for block in blocks if block.get("type") == "tool_use"]
    steps = [Step(id=block["id"], name=block["name"], input=block["input"]) for block in called]
    made = [step for step in steps if not FINDS_TOOLS.fullmatch(step.name)]
    turns[-1].steps += made
    turns[-1].searches += [step for step in steps if step not in made]
    turns[-1].rounds += bool(made)
    said = "".join(block.get("text", "") for block in blocks if block.get("type") == "text")
    if said and not called:
        turns[-1].answer = said


def _hear_student(turns: list[Turn], blocks: Sequence[Mapping[str, Any]], notes: list[str]) -> None:
    texts = [block["text"] for block in blocks if block.get("type") == "text"]
    told = [text for text in texts if len(texts) > 1 and TOLD_TIME.match(text)]
    notes += [text for text in texts if WRAPPED.search(text) or text in told]
    is_beside_results = any(block.get("type") == "tool_result" for block in blocks)
    for has_context, said in _messages([text for text in texts if text not in told]):
        notes.append(said)
        # Words beside results are the application's ("Answer now") unless a context opens them like any new message.
        if turns and not has_context and GOES_ON.match(said):
            turns[-1].partial, turns[-1].answer = turns[-1].partial + turns[-1].answer, ""
        elif has_context or not is_beside_results or not turns or turns[-1].answer:
            turns.append(Turn(said=written_out(said)))
    if turns:
        turns[-1].files += [read_file(block) for block in blocks if block.get("type") in ("image", "document")]


def _messages(texts: Sequence[str]) -> list[tuple[bool, str]]:
    # Messages that got no answer are sent as one; each begins with its own context.
    found: list[tuple[bool, str]] = []
    opens = False
    for text in texts:
        has_context, said = bool(WRAPPED.search(text)), own_words(text)
        opens = opens or has_context
        if not said.strip():
            continue
        if found and not opens:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{said}")
        else:
            found.append((opens, said))
        opens = False
    return found


def _results(blocks: Sequence[Mapping[str, Any]]) -> dict[str, Step]:
    return {
        block["tool_use_id"]: Step(
            id=block["tool_use_id"],
            name="",
            input={},
            result=result_text(block.get("content", "")),
            is_error=bool(block.get("is_error")),
        )
        for block in blocks
        if block.get("type") == "tool_result"
    }


def _joined(step: Step, result: Step | None) -> Step:
    if result is None:
        return step
    told = CHANGED.sub("", result.result)
    is_changed = told != result.result
    return replace(step, result=told, is_error=result.is_error, is_changed=is_changed)


def _blocks(content: Any) -> Sequence[Mapping[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
