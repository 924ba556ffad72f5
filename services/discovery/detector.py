"""`Detector`: which contexts a message with its conversation needs, with confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from services.discovery.model import Weights, shipped

if TYPE_CHECKING:
    from services.tools.base import Tool


@dataclass(frozen=True, kw_only=True)
class FoundContext:
    """confidence: from 0 to 1, rounded to two places."""

    name: str
    confidence: float


class Detector:
    """Safe to use from any thread; reads its file at the first message."""

    def __init__(self, weights: Callable[[], Weights] = shipped) -> None:
        self._weights = weights

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
        weights = self._weights()
        chances = 1 / (1 + np.exp(-weights.scores(message, history)))
        found = [
            FoundContext(name=name, confidence=round(float(chance), 2))
            for name, chance, threshold in zip(weights.labels, chances, weights.thresholds, strict=True)
            if chance >= threshold
        ]
        return tuple(sorted(found, key=lambda one: (-one.confidence, one.name)))
