"""Strategies for loading tools, and the choice between them (docs/decisions/0018-loading-plans.md)."""

import re
import threading
from enum import StrEnum

FEW_TOKENS = 2_800
"""Up to so long definitions, all of them stand in the prompt: deferring them would save nothing, neither in long chats
nor in single questions (`make bench`)."""
MANY_TOKENS = 30_000
"""A model without the features gets only a message's own tools from longer definitions on: from there on that costs
less than all of them, although it throws the prompt cache away."""
OLDER = re.compile(r"claude-(?:instant|[123]\b|(?:haiku|sonnet|opus)-4(?!-8)|sonnet-5(?!-\d))")
"""Models without tool changes within a conversation; of a newer one a refusal is remembered.
https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"""


class Strategy(StrEnum):
    """How tools come into requests. frozen: every enabled tool is in the prompt. append: tools are deferred, and added
    where a message needs them.
    per_message: only the tools of the message's contexts, none without a context.
    """

    FROZEN = "frozen"
    APPEND = "append"
    PER_MESSAGE = "per_message"


class Strategies:
    """Choice by model and size of the tools, unless the operator has chosen; safe to use from many threads."""

    def __init__(self, wanted: str = "auto") -> None:
        self._wanted = None if wanted == "auto" else Strategy(wanted)
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    def choose(self, model: str, tokens: int, before: Strategy | None = None) -> Strategy:
        """Choose a strategy. tokens: of the definitions of all enabled tools. before: that of this conversation and
        model so far; *append* stays when tools get few.
        """
        if self._wanted not in (None, Strategy.APPEND):
            return self._wanted
        if not tokens or model in self._refused:
            return Strategy.FROZEN
        if OLDER.search(model):
            return Strategy.PER_MESSAGE if tokens > MANY_TOKENS else Strategy.FROZEN
        is_small = tokens <= FEW_TOKENS and before is not Strategy.APPEND
        return Strategy.FROZEN if is_small and self._wanted is None else Strategy.APPEND

    def refuse(self, model: str) -> None:
        """Remember that this model, or the gateway before it, does not take what *append* needs."""
        with self._lock:
            self._refused.add(model)
