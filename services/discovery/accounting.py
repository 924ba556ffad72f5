"""`Accounting`: what each model request cost, and what it would have cost otherwise, added to the day's numbers."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.agent.models import Usage
from services.discovery.counters import DailyCounters, named
from services.errors import StorageError

if TYPE_CHECKING:
    from services.discovery.detector import FoundContext

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class RequestFacts:
    """One finished model request.

    is_first: the first request of its turn. strategy: "frozen", "append" or "per_message". usage: as the API counted.
    system_tokens, tools_tokens, messages_tokens: estimates of the parts of this request.
    all_tools_tokens, matching_tools_tokens: estimates for every enabled tool, and for what the filter per message would
    have sent.
    offered: how many tools are enabled. Names of tools: loaded: in the prompt; added: by this message; found: by search
    in this reply; called: in this reply.
    """

    student_id: str
    conversation_id: str
    turn_id: str
    is_first: bool
    model: str
    strategy: str
    contexts: "tuple[FoundContext, ...]"
    usage: Usage
    system_tokens: int
    tools_tokens: int
    messages_tokens: int
    all_tools_tokens: int
    matching_tools_tokens: int
    offered: int
    loaded: tuple[str, ...]
    added: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


class Accounting:
    def __init__(self, counters: DailyCounters) -> None:
        self._counters = counters

    def note(self, facts: RequestFacts) -> None:
        """Add a finished request to the numbers; one that cannot be kept is only logged, as the answer is there."""
        try:
            self._counters.add(facts.student_id, _amounts(facts))
        except StorageError:
            log.warning("request_not_counted turn=%s", facts.turn_id)


def _amounts(facts: RequestFacts) -> Mapping[str, int]:
    usage = facts.usage
    return {
        "requests": 1,
        "turns": int(facts.is_first),
        "input": usage.input_tokens,
        "cache_read": usage.cache_read_input_tokens,
        "cache_write": usage.cache_creation_input_tokens,
        "output": usage.output_tokens,
        "system": facts.system_tokens,
        "tools": facts.tools_tokens,
        "messages": facts.messages_tokens,
        "all_tools": facts.all_tools_tokens,
        "matching_tools": facts.matching_tools_tokens,
        **{named("tool_called", name): facts.called.count(name) for name in facts.called},
    }
