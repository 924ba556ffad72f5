"""`LoadingPlan`: the plan of one run of a turn: what its requests are made of, and what each of them adds."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from services.discovery.accounting import RequestFacts
from services.discovery.contexts import FoundContext
from services.discovery.fallbacks import select_tools
from services.discovery.tool_list import CHARACTERS_PER_TOKEN, estimate_tokens
from services.discovery.tool_search import FIND, find_tools
from services.files.content_blocks import estimated_tokens
from services.llm.chat_model import ModelReply, ModelRequest
from services.llm.messages import Block, StoredMessage, text_block
from services.prompt.loading_strategy import Strategy
from services.prompt.prompt_builder import PromptBuilder, PromptPart, hinted_definition
from services.prompt.prompt_prefix import PromptPrefix
from services.prompt.request_messages import (
    ADDITION,
    BETA,
    REMOVAL,
    api_messages,
    found_in,
    loaded_in,
    told_in,
    tool_change,
    with_changes,
    without_calls,
    without_changes,
)
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox

_NOT_ANY_MORE = {
    "assistant": "The instructions of the assistant that this chat began with do not hold any more.",
    "integrity": "What was said of academic integrity in this chat at its beginning does not hold any more.",
}
_THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True, kw_only=True)
class SystemUpdate:
    """A system message that a request puts behind the student's words; stored once the model has taken it."""

    content: Sequence[Block] = field(repr=False)
    meta: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class LoadingPlan:
    """toolbox: what calls go through, with the search in front where there is one. enabled: what the student can use.

    parts: the system text as it would be written now; `beginning` holds it as it was. contexts: of the turn's message.
    wanted: names of the tools that it needs.
    """

    turn_id: str
    toolbox: Toolbox
    enabled: Sequence[Tool] = field(repr=False)
    prefix: PromptPrefix
    parts: Sequence[PromptPart] = field(repr=False)
    contexts: Sequence[FoundContext]
    wanted: Collection[str]
    prompts: PromptBuilder = field(repr=False)

    @property
    def strategy(self) -> Strategy:
        return self.prefix.strategy

    @property
    def searches(self) -> bool:
        """Whether the search stands in front: per message only where there is a context, as without one there is no
        tool (row C2).
        """
        return self.strategy is Strategy.APPEND or (self.strategy is Strategy.PER_MESSAGE and bool(self.contexts))

    @cached_property
    def matching(self) -> tuple[Tool, ...]:
        """The enabled tools that the message's contexts need: what the filter per message sends (row C2)."""
        return select_tools(self.enabled, [context.name for context in self.contexts])

    def system_update(self, messages: Sequence[StoredMessage]) -> SystemUpdate | None:
        """What must be told behind these messages: tools to add or remove, instructions that have changed."""
        changed, told = self._changed(messages)
        blocks: list[Block] = [text_block(self.prompts.changes_text(changed))] if changed else []
        if self.strategy is Strategy.APPEND:
            blocks += self._tool_changes(loaded_in(messages))
        if not blocks:
            return None
        return SystemUpdate(content=blocks, meta={"turn_id": self.turn_id, **({"told": told} if told else {})})

    def request(self, messages: Sequence[StoredMessage]) -> ModelRequest:
        """The next request; the same messages always give the same bytes."""
        sent = api_messages(self._replayable(messages))
        request = ModelRequest(model=self.prefix.model, system=self.prefix.system, tools=(), messages=())
        if self.strategy is Strategy.APPEND:
            sent = with_changes(sent, self.prefix.declared)
            return replace(request, tools=self.prefix.tools, messages=sent, betas=(BETA,))
        tools = self._of_message(messages) if self.strategy is Strategy.PER_MESSAGE else self.prefix.tools
        sent = without_changes(sent)
        return replace(request, tools=tools, messages=sent if tools else without_calls(sent))

    def loaded(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """The names of the tools whose definitions stand in a request of these messages, without the search."""
        if self.strategy is Strategy.APPEND:
            loaded = loaded_in(messages)
            return tuple(tool.name for tool in self.enabled if tool.name in loaded)
        if self.strategy is Strategy.PER_MESSAGE:
            brought = {*(tool.name for tool in self.matching), *self.found(messages)}
            return tuple(tool.name for tool in self.enabled if tool.name in brought)
        return tuple(tool.name for tool in self.enabled)

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
            "model": self.prefix.model,
            "contexts": [[context.name, context.confidence] for context in self.contexts],
            "loaded": list(self.loaded(messages)),
            "added": list(self.added(messages)),
            "found": list(self.found(messages)),
            "offered": len(self.enabled),
            "prompt": self.prefix.written(),
            "epoch": self._epoch(messages),
        }

    def _of_message(self, messages: Sequence[StoredMessage]) -> list[Mapping[str, Any]]:
        """What stands in front for this message: the search, what it needs, and what was searched out for it."""
        names = set(self.loaded(messages))
        brought = [hinted_definition(tool) for tool in self.enabled if tool.name in names]
        return [find_tools.definition(), *brought] if self.searches else []

    def _tool_changes(self, loaded: Collection[str]) -> list[Block]:
        names = {tool.name for tool in self.enabled}
        removed = [
            tool_change(REMOVAL, name) for name in sorted(loaded) if name not in names and name in self._declared
        ]
        added = [tool.name for tool in self.enabled if tool.name in self.wanted and tool.name not in loaded]
        return [*removed, *(tool_change(ADDITION, name) for name in added if name != FIND)]

    @cached_property
    def _declared(self) -> frozenset[str]:
        return self.prefix.declared

    def _changed(self, messages: Sequence[StoredMessage]) -> tuple[list[PromptPart], dict[str, str]]:
        """Parts to tell anew, and by key a hash of what is told; empty for what is gone."""
        known = {part.key: _hash(part.text) for part in self.prefix.parts} | told_in(messages)
        now = {part.key: part for part in self.parts}
        changed = [part for part in self.parts if known.get(part.key) != _hash(part.text)]
        gone = [key for key, hash in known.items() if hash and key not in now]
        words = [PromptPart(key=key, text=_NOT_ANY_MORE[key]) for key in gone if key in _NOT_ANY_MORE]
        told = {part.key: _hash(part.text) for part in changed} | dict.fromkeys(gone, "")
        return [*changed, *words], told if changed or words else {}

    def _replayable(self, messages: Sequence[StoredMessage]) -> list[StoredMessage]:
        """Without the thoughts of answers that another beginning led to: the API refuses them behind this one."""
        epoch = self._epoch(messages)
        return [
            message if message.meta.get("plan", {}).get("epoch") == epoch else _without_thoughts(message)
            for message in messages
        ]

    def _epoch(self, messages: Sequence[StoredMessage]) -> str:
        epoch = self.prefix.epoch(messages[0].seq if messages else 0)
        if self.strategy is not Strategy.PER_MESSAGE:
            return epoch
        return ".".join((epoch, self.turn_id, *([_hash(" ".join(found))] if (found := self.found(messages)) else [])))


def _without_thoughts(message: StoredMessage) -> StoredMessage:
    kept = [block for block in message.content if block["type"] not in _THINKING]
    return message if len(kept) == len(message.content) else replace(message, content=kept)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def request_facts(
    *,
    student_id: str,
    conversation_id: str,
    is_first: bool,
    loading: LoadingPlan,
    request: ModelRequest,
    messages: Sequence[StoredMessage],
    reply: ModelReply,
) -> RequestFacts:
    """messages: those of the request. Tools that a search found count with the first request that sees them."""
    names = loading.loaded(messages)
    at_hand = loading.loaded(
        [message for message in messages if message.meta.get("turn_id") != loading.turn_id or not found_in(message)]
    )
    # A model may make a name up, and what it makes up may be somebody's words: those are not counted by name.
    known = {FIND, *(tool.name for tool in loading.enabled)}
    asked = [str(block["name"]) for block in reply.content if block["type"] == "tool_use"]
    loaded = [tool for tool in loading.enabled if tool.name in set(names)]
    in_front = [find_tools] if loading.searches else []
    return RequestFacts(
        student_id=student_id,
        conversation_id=conversation_id,
        turn_id=loading.turn_id,
        is_first=is_first,
        model=request.model,
        strategy=loading.strategy.value,
        contexts=tuple(loading.contexts),
        usage=reply.usage,
        system_tokens=_tokens(request.system),
        tools_tokens=estimate_tokens([*in_front, *loaded]),
        messages_tokens=_tokens(request.messages)
        + sum(estimated_tokens(message["content"]) for message in request.messages),
        all_tools_tokens=estimate_tokens(loading.enabled),
        matching_tools_tokens=estimate_tokens(loading.matching),
        offered=len(loading.enabled),
        loaded=names,
        searched=tuple(name for name in names if name not in at_hand),
        added=loading.added(messages) if is_first else (),
        found=found_in(messages[-1]) if messages else (),
        called=tuple(name for name in asked if name in known),
    )


def _tokens(blocks: Sequence[Any]) -> int:
    return len(json.dumps(list(blocks), ensure_ascii=False)) // CHARACTERS_PER_TOKEN
