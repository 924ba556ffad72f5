"""`Loading`: the plan of one run of a turn: what its requests are made of, and what each of them adds."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from services.agent.history import api_messages, without_calls
from services.agent.messages import Block, StoredMessage, text_block
from services.agent.models import ModelRequest
from services.agent.optional_tools import hinted_definition
from services.agent.prompts import Part, PromptBuilder
from services.discovery.detector import FoundContext
from services.discovery.plans.beginning import Beginning
from services.discovery.plans.changes import (
    ADDITION,
    BETA,
    REMOVAL,
    change,
    found_in,
    loaded_in,
    told_in,
    with_changes,
    without_changes,
)
from services.discovery.plans.search import FIND, find_tools
from services.discovery.plans.strategy import Strategy
from services.discovery.stand_ins import needed
from services.tools.base import Tool
from services.tools.toolbox import Toolbox

_NOT_ANY_MORE = {
    "assistant": "The instructions of the assistant that this chat began with do not hold any more.",
    "integrity": "What was said of academic integrity in this chat at its beginning does not hold any more.",
}
_THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True, kw_only=True)
class Addition:
    """A system message that a request puts behind the student's words; stored once the model has taken it."""

    content: Sequence[Block] = field(repr=False)
    meta: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Loading:
    """toolbox: what calls go through, with the search in front where there is one. enabled: what the student can use.

    parts: the system text as it would be written now; `beginning` holds it as it was. contexts: of the turn's message.
    wanted: names of the tools that it needs.
    """

    turn_id: str
    toolbox: Toolbox
    enabled: Sequence[Tool] = field(repr=False)
    beginning: Beginning
    parts: Sequence[Part] = field(repr=False)
    contexts: Sequence[FoundContext]
    wanted: Collection[str]
    prompts: PromptBuilder = field(repr=False)

    @property
    def strategy(self) -> Strategy:
        return self.beginning.strategy

    @property
    def searches(self) -> bool:
        """Whether the search stands in front: per message only where there is a context, as without one there is no
        tool (row C2).
        """
        return self.strategy is Strategy.APPEND or (self.strategy is Strategy.PER_MESSAGE and bool(self.contexts))

    @cached_property
    def matching(self) -> tuple[Tool, ...]:
        """The enabled tools that the message's contexts need: what the filter per message sends (row C2)."""
        return needed(self.enabled, [one.name for one in self.contexts])

    def addition(self, messages: Sequence[StoredMessage]) -> Addition | None:
        """What must be told behind these messages: tools to add or remove, instructions that have changed."""
        changed, told = self._changed(messages)
        blocks: list[Block] = [text_block(self.prompts.changed(changed))] if changed else []
        if self.strategy is Strategy.APPEND:
            blocks += self._tool_changes(loaded_in(messages))
        if not blocks:
            return None
        return Addition(content=blocks, meta={"turn_id": self.turn_id, **({"told": told} if told else {})})

    def request(self, messages: Sequence[StoredMessage]) -> ModelRequest:
        """The next request; the same messages always give the same bytes."""
        sent = api_messages(self._replayable(messages))
        request = ModelRequest(model=self.beginning.model, system=self.beginning.system, tools=(), messages=())
        if self.strategy is Strategy.APPEND:
            sent = with_changes(sent, self.beginning.declared)
            return replace(request, tools=self.beginning.tools, messages=sent, betas=(BETA,))
        tools = self._of_message(messages) if self.strategy is Strategy.PER_MESSAGE else self.beginning.tools
        sent = without_changes(sent)
        return replace(request, tools=tools, messages=sent if tools else without_calls(sent))

    def loaded(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """The names of the tools whose definitions stand in a request of these messages, without the search."""
        if self.strategy is Strategy.APPEND:
            loaded = loaded_in(messages)
            return tuple(one.name for one in self.enabled if one.name in loaded)
        if self.strategy is Strategy.PER_MESSAGE:
            brought = {*(one.name for one in self.matching), *self.found(messages)}
            return tuple(one.name for one in self.enabled if one.name in brought)
        return tuple(one.name for one in self.enabled)

    def added(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """The tools that came with this turn's message."""
        mine = [m for m in messages if m.role == "system" and m.meta.get("turn_id") == self.turn_id]
        names = [b["tool"]["name"] for message in mine for b in message.content if b["type"] == ADDITION]
        return tuple(dict.fromkeys(names))

    def found(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """The tools that searches of this turn have loaded so far."""
        mine = [message for message in messages if message.meta.get("turn_id") == self.turn_id]
        return tuple(dict.fromkeys(name for message in mine for name in found_in(message)))

    def written(self, messages: Sequence[StoredMessage]) -> dict[str, Any]:
        """What is stored with the answer: why these tools, and with what the next request must begin."""
        return {
            "strategy": self.strategy.value,
            "model": self.beginning.model,
            "contexts": [[one.name, one.confidence] for one in self.contexts],
            "loaded": list(self.loaded(messages)),
            "added": list(self.added(messages)),
            "found": list(self.found(messages)),
            "offered": len(self.enabled),
            "prompt": self.beginning.written(),
            "epoch": self._epoch(messages),
        }

    def _of_message(self, messages: Sequence[StoredMessage]) -> list[Mapping[str, Any]]:
        """What stands in front for this message: the search, what it needs, and what was searched out for it."""
        names = set(self.loaded(messages))
        brought = [hinted_definition(one) for one in self.enabled if one.name in names]
        return [find_tools.definition(), *brought] if self.searches else []

    def _tool_changes(self, loaded: Collection[str]) -> list[Block]:
        names = {one.name for one in self.enabled}
        removed = [change(REMOVAL, name) for name in sorted(loaded) if name not in names and name in self._declared]
        added = [one.name for one in self.enabled if one.name in self.wanted and one.name not in loaded]
        return [*removed, *(change(ADDITION, name) for name in added if name != FIND)]

    @cached_property
    def _declared(self) -> frozenset[str]:
        return self.beginning.declared

    def _changed(self, messages: Sequence[StoredMessage]) -> tuple[list[Part], dict[str, str]]:
        """Parts to tell anew, and by key a hash of what is told; empty for what is gone."""
        known = {part.key: _hash(part.text) for part in self.beginning.parts} | told_in(messages)
        now = {part.key: part for part in self.parts}
        changed = [part for part in self.parts if known.get(part.key) != _hash(part.text)]
        gone = [key for key, hash in known.items() if hash and key not in now]
        words = [Part(key=key, text=_NOT_ANY_MORE[key]) for key in gone if key in _NOT_ANY_MORE]
        told = {part.key: _hash(part.text) for part in changed} | dict.fromkeys(gone, "")
        return [*changed, *words], told if changed or words else {}

    def _replayable(self, messages: Sequence[StoredMessage]) -> list[StoredMessage]:
        """Without the thoughts of answers that another beginning led to: the API refuses them behind this one."""
        epoch = self._epoch(messages)
        return [one if one.meta.get("plan", {}).get("epoch") == epoch else _without_thoughts(one) for one in messages]

    def _epoch(self, messages: Sequence[StoredMessage]) -> str:
        epoch = self.beginning.epoch(messages[0].seq if messages else 0)
        if self.strategy is not Strategy.PER_MESSAGE:
            return epoch
        return ".".join((epoch, self.turn_id, *([_hash(" ".join(found))] if (found := self.found(messages)) else [])))


def _without_thoughts(message: StoredMessage) -> StoredMessage:
    kept = [block for block in message.content if block["type"] not in _THINKING]
    return message if len(kept) == len(message.content) else replace(message, content=kept)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
