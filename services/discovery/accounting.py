"""Accounting of model requests: their cost, and their counterfactual cost, added to the counters of the day."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.discovery.counterfactual_cost import CounterfactualCost, PromptParts, token_scale
from services.discovery.daily_counters import DailyCounters, counter_field
from services.discovery.tool_search import FIND
from services.errors import StorageError
from services.llm.chat_model import Usage
from services.llm.prices import BilledInput, billed_input, total_input_tokens
from services.runtime.clock import Clock
from services.storage.store import DocumentViews

if TYPE_CHECKING:
    from services.discovery.contexts import FoundContext

log = logging.getLogger(__name__)

NO_CONTEXT = "none"


@dataclass(frozen=True, kw_only=True)
class RequestFacts:
    """Finished model request, with the tools in it.

    is_first: the first request of its turn. strategy: "frozen", "append" or "per_message". usage: as the API counted.
    system_tokens, tools_tokens, messages_tokens: estimates of the parts of this request; front_tokens: of those tools
    that stand in front of the system text, where all students share the cache.
    all_tools_tokens, matching_tools_tokens: estimates for every enabled tool, and for what the filter per message would
    have sent.
    offered: how many tools are enabled. Names of tools: loaded: in the prompt; searched: of these, the ones that only a
    search of this turn has brought; added: by this message; found: by search in this reply; called: in this reply.
    timezone: the student's, "" where it is not known.
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
    front_tokens: int = 0
    searched: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    timezone: str = ""

    @property
    def context_names(self) -> Sequence[str]:
        return [context.name for context in self.contexts] or [NO_CONTEXT]


@dataclass(frozen=True, kw_only=True)
class RequestBills:
    """Input of one request: as it was, with all tools, and with a filter for each message."""

    parts: PromptParts
    all_tools: int
    matching_tools: int
    real: BilledInput
    with_all: BilledInput
    per_message: BilledInput


class Accounting:
    """Recorder of the cost of model requests, and of failed calls."""

    def __init__(self, counters: DailyCounters, clock: Clock) -> None:
        self._counters = counters
        self._counterfactual = CounterfactualCost(clock)

    def record_request(self, facts: RequestFacts) -> None:
        """Add a finished request to the counters; a failure of the store is only logged, as the answer is there."""
        try:
            amounts = request_amounts(facts, self._bills(facts))
            self._counters.add_amounts(facts.student_id, amounts, timezone=facts.timezone)
        except StorageError:
            log.warning("request_not_counted turn=%s", facts.turn_id)

    @contextmanager
    def recorded_together(self) -> Iterator[DocumentViews]:
        """Add the requests and failures of this block to the counters at its end, in one write, with what else it
        writes in the batch that it is given. A failure of the store is only logged.
        """
        try:
            with self._counters.added_together() as batch:
                yield batch
        except StorageError:
            log.warning("requests_not_counted")

    def record_side_request(self, student_id: str, model: str, usage: Usage, *, searches: int = 0) -> None:
        """Add a request beside the student's own conversation, such as one assistant's to another.

        It would have been the same whatever tools that conversation had, so it saves nothing and costs nothing more.
        searches: of the web, which the model did on its service's side; each has a fee of its own.
        """
        sent = billed_input(usage)
        billed = _billed(model, usage, real=sent, with_all=sent, per_message=sent)
        try:
            self._counters.add_amounts(
                student_id, {"asides": 1, counter_field("web_searches", model): searches, **billed}
            )
        except StorageError:
            log.warning("request_not_counted model=%s", model)

    def record_failure(self, student_id: str, tool: str, kind: str) -> None:
        """Add a call that failed, by `ToolResult.error_kind`; a failure of the store is only logged."""
        try:
            self._counters.add_amounts(student_id, {counter_field(f"failed_{kind}", tool): 1})
        except StorageError:
            log.warning("failure_not_counted tool=%s", tool)

    def _bills(self, facts: RequestFacts) -> RequestBills:
        counted = total_input_tokens(facts.usage)
        exact = token_scale(counted, facts.system_tokens, facts.tools_tokens, facts.messages_tokens)
        tools, system = exact(facts.tools_tokens), exact(facts.system_tokens)
        messages = max(0, counted - tools - system) if counted else facts.messages_tokens
        parts = PromptParts(tools=tools, system=system, messages=messages)
        every, matching, real = (
            exact(facts.all_tools_tokens),
            exact(facts.matching_tools_tokens),
            billed_input(facts.usage),
        )
        # What the API did not count cannot be compared with anything.
        return RequestBills(
            parts=parts,
            all_tools=every,
            matching_tools=matching,
            real=real,
            with_all=self._with_all(facts, parts, every, front=exact(facts.front_tokens)) if counted else real,
            per_message=self._per_message(facts, parts, matching) if counted else real,
        )

    def _with_all(self, facts: RequestFacts, parts: PromptParts, tools: int, *, front: int) -> BilledInput:
        # Tools that a message added stand behind the system text: they were read only where more than that was.
        beyond = facts.usage.cache_read_input_tokens - front
        read = beyond if beyond <= parts.system else max(parts.system, beyond - (parts.tools - front))
        billed = self._counterfactual.bill(
            PromptParts(tools=tools, system=parts.system, messages=parts.messages),
            student=facts.student_id,
            conversation=facts.conversation_id,
            toolset=(facts.model, "all", facts.all_tools_tokens, facts.system_tokens),
            surely_read=max(0, read),
        )
        return billed_input(facts.usage) if facts.strategy == "frozen" else billed

    def _per_message(self, facts: RequestFacts, parts: PromptParts, tools: int) -> BilledInput:
        names = frozenset(facts.context_names)
        billed = self._counterfactual.bill(
            PromptParts(tools=tools, system=parts.system, messages=parts.messages),
            student=facts.student_id,
            conversation=facts.conversation_id,
            toolset=(facts.model, names, facts.matching_tools_tokens, facts.system_tokens),
        )
        return billed_input(facts.usage) if facts.strategy == "per_message" else billed


def request_amounts(facts: RequestFacts, bills: RequestBills) -> Mapping[str, int]:
    """The amounts that one request adds to the counters of its day."""
    used = [name for name in facts.called if name != FIND]
    added: Counter[str] = Counter(
        requests=1,
        system=bills.parts.system,
        tools=bills.parts.tools,
        messages=bills.parts.messages,
        all_tools=bills.all_tools,
        matching_tools=bills.matching_tools,
        called=len(used),
        called_at_once=sum(name in facts.loaded and name not in facts.searched for name in used),
        searched=facts.called.count(FIND),
    )
    with_all, per_message = bills.with_all, bills.per_message
    added.update(_billed(facts.model, facts.usage, real=bills.real, with_all=with_all, per_message=per_message))
    added.update(_context_amounts(facts, bills))
    added.update(counter_field("tool_called", name) for name in used)
    added.update(counter_field("tool_found", name) for name in facts.found)
    if facts.is_first:
        added.update(turns=1, offered=facts.offered, loaded=len(facts.loaded), bare_turns=int(not facts.called))
        added.update(counter_field("context_turns", name) for name in facts.context_names)
        added.update(counter_field("tool_loaded", name) for name in facts.loaded)
        added[counter_field("strategy_turns", facts.strategy)] += 1
    return added


def _billed(
    model: str, usage: Usage, *, real: BilledInput, with_all: BilledInput, per_message: BilledInput
) -> Mapping[str, int]:
    """Tokens as they are billed, for each model apart: each has its own price."""
    sides = {"real": real, "all": with_all, "filter": per_message}
    billed = {
        counter_field(f"{side}_{kind}", model): tokens
        for side, sent in sides.items()
        for kind, tokens in (("fresh", sent.fresh), ("read", sent.read), ("written", sent.written))
    }
    return {
        **billed,
        counter_field("model_requests", model): 1,
        counter_field("output", model): usage.output_tokens,
    }


def _context_amounts(facts: RequestFacts, bills: RequestBills) -> Mapping[str, int]:
    """Tokens of tools, and what was saved against sending all, in even shares: together they are the whole."""
    saved = bills.with_all.weighed - bills.real.weighed
    names = facts.context_names
    shares = zip(names, _shares(bills.parts.tools, len(names)), _shares(saved, len(names)), strict=True)
    return {
        field: amount
        for name, tools, spared in shares
        for field, amount in (
            (counter_field("context_tools", name), tools),
            (counter_field("context_saved", name), spared),
        )
    }


def _shares(whole: int, count: int) -> Iterator[int]:
    return (whole * (index + 1) // count - whole * index // count for index in range(count))
