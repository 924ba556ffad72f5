"""Compaction: the demo model keeps a conversation's record by copying the lines that hold facts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sandbox.model.deferred_tools import blocks_of
from sandbox.model.reply import Reply, Text

ASKS = re.compile(r"You keep the record of a conversation")
PART = re.compile(r"<(record|conversation)>\n(.*?)\n</\1>", re.DOTALL)
SAID = re.compile(r"\[(?P<seq>\d+)\] (?P<who>Student|Call|Result|Assistant)(?: \((?P<at>[^)]*)\))?[: ]\s*(?P<text>.*)")
FACT = re.compile(r"\bid: |\(id\b|\b20\d\d\b|\bdue\b", re.IGNORECASE)
DECIDED = re.compile(r"\b(?:declined|approved|waits for|put aside|did not decide|undid)\b", re.IGNORECASE)
LONGEST_LINE = 160
MOST_LINES = 40


def compacted(body: Mapping[str, Any]) -> Reply | None:
    """The record that is asked for; None for any other request."""
    system = "\n".join(block.get("text", "") for block in blocks_of({"content": body.get("system") or []}))
    if not ASKS.search(system):
        return None
    text = "\n".join(block.get("text", "") for block in blocks_of(body["messages"][-1]))
    parts = {found[1]: found[2] for found in PART.finditer(text)}
    before = [line for line in parts.get("record", "").splitlines() if line.startswith("- ")]
    lines = dict.fromkeys([*before, *_lines(parts.get("conversation", ""))])
    return Reply(blocks=(Text(text="\n".join(["Facts and ids", *list(lines)[-MOST_LINES:]])),))


def _lines(conversation: str) -> Iterator[str]:
    who = ""
    for line in conversation.splitlines():
        found = SAID.match(line)
        who = found["who"] if found else who
        words = " ".join((found["text"] if found else line).split())
        if found and who == "Student":
            yield f"- The student wrote: {_shortened(words)}"
        elif who in ("Result", "Assistant") and (FACT.search(words) or DECIDED.search(words)):
            yield f"- {_shortened(words.removeprefix('- '))}"


def _shortened(words: str) -> str:
    """Its beginning and its end, where the ids stand."""
    half = LONGEST_LINE // 2
    return words if len(words) <= LONGEST_LINE else f"{words[:half]} … {words[-half:]}"
