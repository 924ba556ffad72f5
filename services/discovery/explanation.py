"""Explanation of the tools that an answer had, and of their tokens, from what its messages store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.llm.messages import StoredMessage
from services.storage.records import read_record

_READ = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


@dataclass(frozen=True, kw_only=True)
class LoadingExplanation:
    """Explanation of the tools of a turn.

    contexts: names with confidence (0 to 1), the surest first. offered: how many tools are enabled.

    Names of tools: loaded: there from the start; added: by this message; found: searched out by the model on the way.
    used: what the answer called in the end, whatever the message was taken to be about.
    read, cached, written: tokens of all requests of the turn; cached is that part of read which the cache still knew.
    """

    strategy: str
    contexts: tuple[tuple[str, float], ...]
    offered: int
    loaded: tuple[str, ...]
    added: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    read: int = 0
    cached: int = 0
    written: int = 0


def explain_loading(messages: Sequence[StoredMessage]) -> LoadingExplanation | None:
    """Explain one turn from its messages; None when they store nothing about tools, as those of earlier versions."""
    planned = [message for message in messages if message.meta.get("plan")]
    if not planned:
        return None
    metas = [message.meta for message in planned]
    plans = [meta["plan"] for meta in metas]
    usages: list[Mapping[str, int]] = [meta.get("usage", {}) for meta in metas]
    return LoadingExplanation(
        strategy=plans[0]["strategy"],
        contexts=tuple((name, confidence) for name, confidence in plans[0]["contexts"]),
        offered=plans[0]["offered"],
        loaded=tuple(plans[0]["loaded"]),
        added=_names(plans, "added"),
        found=_names(plans, "found"),
        used=tuple(dict.fromkeys(str(call["name"]) for message in planned for call in message.tool_calls)),
        read=sum(usage.get(kind, 0) for usage in usages for kind in _READ),
        cached=sum(usage.get("cache_read_input_tokens", 0) for usage in usages),
        written=sum(usage.get("output_tokens", 0) for usage in usages),
    )


def parse_explanation(written: Mapping[str, Any] | None) -> LoadingExplanation | None:
    """Parse what `dataclasses.asdict` made of an explanation, also after a way through JSON."""
    if written is None:
        return None
    return read_record(LoadingExplanation, written)


def _names(plans: Sequence[Mapping[str, Any]], field: str) -> tuple[str, ...]:
    """The names of a field over all plans, each once, in order."""
    return tuple(dict.fromkeys(name for plan in plans for name in plan.get(field, ())))
