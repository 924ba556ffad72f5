"""Counterfactual cost of a request: its price with other tools loaded, by a small model of the prompt cache.

The model, as https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching describes the real one:
- A prompt is tools, then system, then messages. What it shares with an earlier prompt from the front is read from the
  cache; from the first difference on everything is written anew. Other tools are a difference at the very front.
- An entry lives five minutes from its last use, for one model. A prompt of under 1,024 tokens is not cached.
- The end of each prompt is an entry (for the same conversation), and so is the end of its system text (for the other
  conversations of the same student).
- Entries are known by the process that made them. What was really read from the cache, though, would have been read
  with all tools as well: so another replica's requests, or those before a restart, are not counted as misses.
Tokens of parts are estimates, scaled so that they add up to what the API really counted.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.llm.prices import BilledInput
from services.runtime.clock import Clock

CACHE_LIFETIME = timedelta(minutes=5)
SHORTEST_CACHED = 1024
MOST_ENTRIES = 20_000


@dataclass(frozen=True, kw_only=True)
class PromptParts:
    """Tokens of a prompt by part."""

    tools: int
    system: int
    messages: int

    @property
    def total(self) -> int:
        return self.tools + self.system + self.messages


class CounterfactualCost:
    """Simulated prompt cache for prompts that were never sent; thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: OrderedDict[Hashable, tuple[datetime, int]] = OrderedDict()
        self._lock = threading.Lock()

    def bill(
        self, parts: PromptParts, *, student: str, conversation: str, toolset: Hashable, surely_read: int = 0
    ) -> BilledInput:
        """Bill this prompt as if all earlier ones had been sent like it.

        toolset: what must be equal for the front of two prompts to be equal. surely_read: tokens of system and messages
        that are known to have been in the cache.
        """
        front = parts.tools + parts.system
        with self._lock:
            own = self._last_messages((conversation, toolset), parts.messages)
            others = self._last_messages((student, toolset), 0)
        read = parts.tools + surely_read if surely_read else 0
        if others is not None:
            read = max(read, front)
        if own is not None and own <= parts.messages:
            read = max(read, front + own)
        return _billed(parts.total, min(read, parts.total))

    def _last_messages(self, key: Hashable, messages: int) -> int | None:
        """The tokens of messages in the last prompt with this key, while it is in the cache; stores this one."""
        now = self._clock()
        at, earlier = self._entries.pop(key, (None, 0))
        self._entries[key] = (now, messages)
        while len(self._entries) > MOST_ENTRIES:
            self._entries.popitem(last=False)
        return earlier if at is not None and now - at < CACHE_LIFETIME else None


def _billed(total: int, read: int) -> BilledInput:
    if total < SHORTEST_CACHED:
        return BilledInput(fresh=total)
    return BilledInput(read=read, written=total - read)


def token_scale(counted: int, *estimates: int) -> Callable[[int], int]:
    """Function from an estimate to the API's tokens, by the ratio of what it counted to the sum of the estimates."""
    estimated = sum(estimates)
    ratio = counted / estimated if counted and estimated else 1.0
    return lambda tokens: round(tokens * ratio)
