"""Detector of the contexts that a message needs, with confidence, from its words and its conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from services.discovery.classifier import ContextClassifier, shipped_classifier
from services.discovery.contexts import SERVER_CONTEXT, SERVER_CONTEXTS, FoundContext, contexts_of
from services.discovery.server_contexts import mentioned_contexts, work_contexts

if TYPE_CHECKING:
    from services.tools.tool import Tool

ISSUE_KEY, ISSUE_KEY_CONFIDENCE = "issuekey", 0.9
"""An issue key stands for an issue tracker as surely as its name."""
LARGEST_BIAS = 0.06
"""A context of all that a student uses is found with a chance that is lower by this much; one never used, higher."""


class Detector:
    """Context detector, thread-safe; the classifier is loaded at the first message."""

    def __init__(self, load: Callable[[], ContextClassifier] = shipped_classifier) -> None:
        self._load = load

    def detect(
        self,
        message: str,
        history: Sequence[Mapping[str, str]] = (),
        *,
        tools: Sequence[Tool] | None = None,
        profile: Mapping[str, float] | None = None,
    ) -> tuple[FoundContext, ...]:
        """Detect the contexts at or above their threshold, the surest first.

        history: {"role": "user" or "assistant", "content": text}, oldest first, without the message. tools: the root,
        for the contexts that MCP servers bring; None when nobody knows it, so that an issue key counts by itself.
        profile: how much of what this student uses is of each context, from 0 to 1; it decides only where the message
        does not.
        """
        if not message.strip():
            return ()
        found = self._confidences(message, history, tools, profile or {})
        ordered = sorted(found.items(), key=lambda item: (-item[1], -(profile or {}).get(item[0], 0.0), item[0]))
        return tuple(FoundContext(name=name, confidence=confidence) for name, confidence in ordered)

    def _confidences(
        self,
        message: str,
        history: Sequence[Mapping[str, str]],
        tools: Sequence[Tool] | None,
        profile: Mapping[str, float],
    ) -> dict[str, float]:
        classifier = self._load()
        read = classifier.predict(message, history)
        probabilities = zip(classifier.labels, read.probabilities, classifier.thresholds, strict=True)
        found = {
            name: round(float(probability), 2)
            for name, probability, threshold in probabilities
            if probability + profile_bias(profile, name) >= threshold
        }
        of_servers = [tool for tool in tools or () if tool.server]
        mentioned = mentioned_contexts(read.words, read.ideas, of_servers) if of_servers else {}
        if ISSUE_KEY in read.kinds:
            found[SERVER_CONTEXT] = max(found.get(SERVER_CONTEXT, 0.0), ISSUE_KEY_CONFIDENCE)
        if SERVER_CONTEXT in found:
            found |= dict.fromkeys(work_contexts(read.words), found[SERVER_CONTEXT])
        if tools is not None:
            brought = frozenset[str]().union(*map(contexts_of, of_servers))
            found = {name: sure for name, sure in found.items() if name not in SERVER_CONTEXTS - brought}
        return found | {name: max(sure, found.get(name, 0.0)) for name, sure in mentioned.items()}


def profile_bias(profile: Mapping[str, float], context: str) -> float:
    """What to add to a context's probability: at most `LARGEST_BIAS`, at least minus a third of it, 0 with no profile.

    A student's habits never find what the message does not nearly say.
    """
    if not profile:
        return 0.0
    even = 1 / max(len(profile), 2)
    return max(-LARGEST_BIAS / 3, min(LARGEST_BIAS, LARGEST_BIAS * (profile.get(context, 0.0) - even) / (1 - even)))
