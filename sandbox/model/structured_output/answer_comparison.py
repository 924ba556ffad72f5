"""Short answers as the demo model compares them: a point is named where half of its words stand in the answer."""

import json
import re
from collections.abc import Mapping
from typing import Any

from sandbox.model.deferred_tools import blocks_of
from sandbox.model.reply import Reply, Text
from sandbox.model.structured_output.facts import WORD

ASKS = "You compare a student's short answer with the points that a full answer names."
POINTS = re.compile(r"^Points:\n((?:\d+\. .*\n)+)--- (\w+) answer\n", re.MULTILINE)
SENTENCE = re.compile(r"[^.!?\n]+")
SAME_FROM = 5
"""Letters that two forms of a word share."""


def compared_points(body: Mapping[str, Any]) -> Reply | None:
    """The verdict on each point, as JSON; None for any other request."""
    system = "\n".join(block.get("text", "") for block in blocks_of({"content": body.get("system") or []}))
    asked = "\n".join(block.get("text", "") for block in blocks_of(body["messages"][-1]))
    if ASKS not in system or (found := POINTS.search(asked)) is None:
        return None
    answer = asked[found.end() :].partition(f"\n--- {found[2]} end")[0]
    points = [line.partition(". ")[2] for line in found[1].splitlines()]
    verdicts = [_verdict(number, point, answer) for number, point in enumerate(points, 1)]
    return Reply(blocks=(Text(text=json.dumps({"points": verdicts}, ensure_ascii=False)),))


def _verdict(number: int, point: str, answer: str) -> Mapping[str, Any]:
    wanted = _stems(point)
    sentences = [sentence.strip() for sentence in SENTENCE.findall(answer) if sentence.strip()]
    best = max(sentences, key=lambda sentence: len(wanted & _stems(sentence)), default="")
    is_named = bool(wanted) and len(wanted & _stems(answer)) >= len(wanted) / 2 and bool(wanted & _stems(best))
    return {"point": number, "verdict": "named" if is_named else "missing", "words": best if is_named else ""}


def _stems(text: str) -> set[str]:
    return {word.lower()[:SAME_FROM] for word in WORD.findall(text) if len(word) > 3}
