"""`Detector`: which contexts a message with its conversation needs, with confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.discovery.model import Model, shipped

if TYPE_CHECKING:
    from services.tools.base import Tool


@dataclass(frozen=True, kw_only=True)
class FoundContext:
    """confidence: from 0 to 1, rounded to two places."""

    name: str
    confidence: float


class Detector:
    """Safe to use from any thread; reads its file at the first message."""

    def __init__(self, model: Callable[[], Model] = shipped) -> None:
        self._model = model

    def contexts(
        self,
        message: str,
        history: Sequence[Mapping[str, str]] = (),
        *,
        tools: Sequence[Tool] = (),
        profile: Mapping[str, float] | None = None,
    ) -> tuple[FoundContext, ...]:
        """Those at or above their threshold, the surest first.

        history: {"role": "user" or "assistant", "content": text}, oldest first, without the message. tools: the root,
        for the contexts that MCP servers bring. profile: how much of what this student uses is of each context.
        """
        if not message.strip():
            return ()
        model = self._model()
        chances = model.chances(message, history)
        found = [
            FoundContext(name=name, confidence=round(float(chance), 2))
            for name, chance, threshold in zip(model.labels, chances, model.thresholds, strict=True)
            if chance >= threshold
        ]
        return tuple(sorted(found, key=lambda one: (-one.confidence, one.name)))
