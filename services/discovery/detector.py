"""`Detector`: which contexts a message with its conversation needs, with confidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from services.discovery import server_contexts
from services.discovery.classifier import ContextClassifier, shipped_classifier
from services.discovery.contexts import SERVER_CONTEXT, FoundContext, contexts_of
from services.discovery.usage import profile_bias

if TYPE_CHECKING:
    from services.tools.tool import Tool

KEY, KEY_CONFIDENCE = "issuekey", 0.9
"""An issue key speaks of such a server as surely as its name."""


class Detector:
    """Safe to use from any thread; reads its file at the first message."""

    def __init__(self, model: Callable[[], ContextClassifier] = shipped_classifier) -> None:
        self._model = model

    def detect(
        self,
        message: str,
        history: Sequence[Mapping[str, str]] = (),
        *,
        tools: Sequence[Tool] | None = None,
        profile: Mapping[str, float] | None = None,
    ) -> tuple[FoundContext, ...]:
        """Those at or above their threshold, the surest first.

        history: {"role": "user" or "assistant", "content": text}, oldest first, without the message. tools: the root,
        for the contexts that MCP servers bring; None when nobody knows it, so that an issue key counts by itself.
        profile: how much of what this student uses is of each context, from 0 to 1; it decides only where the message
        does not.
        """
        if not message.strip():
            return ()
        found = self._learned(message, history, tools, profile or {})
        ordered = sorted(found.items(), key=lambda one: (-one[1], -(profile or {}).get(one[0], 0.0), one[0]))
        return tuple(FoundContext(name=name, confidence=confidence) for name, confidence in ordered)

    def _learned(
        self,
        message: str,
        history: Sequence[Mapping[str, str]],
        tools: Sequence[Tool] | None,
        profile: Mapping[str, float],
    ) -> dict[str, float]:
        model = self._model()
        read = model.read(message, history)
        chances = zip(model.labels, read.chances, model.thresholds, strict=True)
        found = {
            name: round(float(chance), 2)
            for name, chance, threshold in chances
            if chance + profile_bias(profile, name) >= threshold
        }
        lent = [tool for tool in tools or () if tool.server]
        spoken = server_contexts.mentioned_contexts(read.words, read.ideas, lent) if lent else {}
        if KEY in read.kinds:
            found[SERVER_CONTEXT] = max(found.get(SERVER_CONTEXT, 0.0), KEY_CONFIDENCE)
        if tools is not None and not any(SERVER_CONTEXT in contexts_of(tool) for tool in lent):
            found.pop(SERVER_CONTEXT, None)
        return found | {name: max(sure, found.get(name, 0.0)) for name, sure in spoken.items()}
