"""`LoadingPlan`: which tools the requests of one turn hold or defer, and what each request adds."""

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
from services.llm.capabilities import TOOL_CHANGES_BETA
from services.llm.chat_model import ModelReply, ModelRequest
from services.llm.citations import with_short_results
from services.llm.messages import Block, StoredMessage, text_block
from services.prompt.loading_strategy import Strategy
from services.prompt.optional_tools import hinted_definition
from services.prompt.prompt_builder import PromptBuilder, PromptPart
from services.prompt.prompt_prefix import PromptPrefix
from services.prompt.request_messages import (
    ADDITION,
    REMOVAL,
    api_messages,
    found_tools,
    loaded_tools,
    tool_change,
    update_hashes,
    with_changes,
    without_calls,
    without_changes,
)
from services.prompt.tool_mentions import definitions_without_mentions
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox

_REVOKED = {
    "assistant": "The instructions of the assistant that this chat began with do not hold any more.",
    "integrity": "What was said of academic integrity in this chat at its beginning does not hold any more.",
}
_THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True, kw_only=True)
class SystemUpdate:
    """System message that a request puts behind the student's message; stored once the model has accepted it."""

    content: Sequence[Block] = field(repr=False)
    meta: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class LoadingPlan:
    """Plan of one run of a turn. toolbox: what calls go through, with the tool search where there is one.

    enabled: tools that the student can use. parts: the system text as it would be written now; `prefix` holds it as it
    was. contexts: of the turn's message. wanted: names of the tools that it needs.
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
    def has_search(self) -> bool:
        """Whether the tool search is offered: per message only with a context, as without one there is no tool."""
        return self.strategy is Strategy.APPEND or (self.strategy is Strategy.PER_MESSAGE and bool(self.contexts))

    @cached_property
    def matching(self) -> tuple[Tool, ...]:
        """Enabled tools that the message's contexts need: those that the strategy per message sends."""
        return select_tools(self.enabled, [context.name for context in self.contexts])

    def system_update(self, messages: Sequence[StoredMessage]) -> SystemUpdate | None:
        """Build the update behind these messages: tools to add or remove, instructions that have changed."""
        changed, hashes = self._changed_parts(messages)
        blocks: list[Block] = [text_block(self.prompts.changes_text(changed))] if changed else []
        if self.strategy is Strategy.APPEND:
            blocks += self._tool_changes(loaded_tools(messages))
        if not blocks:
            return None
        return SystemUpdate(content=blocks, meta={"turn_id": self.turn_id, **({"told": hashes} if hashes else {})})

    def request(self, messages: Sequence[StoredMessage]) -> ModelRequest:
        """Build the next request; the same messages always give the same bytes."""
        sent = with_short_results(api_messages(self._replayable(messages)))
        request = ModelRequest(model=self.prefix.model, system=self.prefix.system, tools=(), messages=())
        if self.strategy is Strategy.APPEND:
            sent = with_changes(sent, self.prefix.declared)
            return replace(request, tools=self.prefix.tools, messages=sent, betas=(TOOL_CHANGES_BETA,))
        tools = self._definitions_for_message(messages) if self.strategy is Strategy.PER_MESSAGE else self.prefix.tools
        sent = without_changes(sent)
        return replace(request, tools=tools, messages=sent if tools else without_calls(sent))

    def loaded(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """Names of the tools whose definitions stand in a request of these messages, without the search."""
        if self.strategy is Strategy.APPEND:
            loaded = loaded_tools(messages)
            return tuple(tool.name for tool in self.enabled if tool.name in loaded)
        if self.strategy is Strategy.PER_MESSAGE:
            brought = {*(tool.name for tool in self.matching), *self.found(messages)}
            return tuple(tool.name for tool in self.enabled if tool.name in brought)
        return tuple(tool.name for tool in self.enabled)

    def added(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """Names of the tools that this turn's system updates added."""
        mine = [m for m in messages if m.role == "system" and m.meta.get("turn_id") == self.turn_id]
        names = [b["tool"]["name"] for message in mine for b in message.content if b["type"] == ADDITION]
        return tuple(dict.fromkeys(names))

    def found(self, messages: Sequence[StoredMessage]) -> tuple[str, ...]:
        """Names of the tools that searches of this turn have loaded so far."""
        mine = [message for message in messages if message.meta.get("turn_id") == self.turn_id]
        return tuple(dict.fromkeys(name for message in mine for name in found_tools(message)))

    def to_json(self, messages: Sequence[StoredMessage]) -> dict[str, Any]:
        """Serialize what is stored with the answer: why it had these tools, and the prefix of the next request."""
        return {
            "strategy": self.strategy.value,
            "model": self.prefix.model,
            "contexts": [[context.name, context.confidence] for context in self.contexts],
            "loaded": list(self.loaded(messages)),
            "added": list(self.added(messages)),
            "found": list(self.found(messages)),
            "offered": len(self.enabled),
            "prompt": self.prefix.to_json(),
            "epoch": self._epoch(messages),
        }

    def _definitions_for_message(self, messages: Sequence[StoredMessage]) -> list[Mapping[str, Any]]:
        """Definitions for this message: the search, the tools it needs, and those that were found for it."""
        names = set(self.loaded(messages))
        found = [hinted_definition(tool) for tool in self.enabled if tool.name in names]
        brought = definitions_without_mentions(found, self.toolbox.resolution.absent)
        return [find_tools.definition(), *brought] if self.has_search else []

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

    def _changed_parts(self, messages: Sequence[StoredMessage]) -> tuple[list[PromptPart], dict[str, str]]:
        """Parts that differ from what the model was told, and by key a hash of each; empty for a part that is gone."""
        known = {part.key: _hash(part.text) for part in self.prefix.parts} | update_hashes(messages)
        now = {part.key: part for part in self.parts}
        changed = [part for part in self.parts if known.get(part.key) != _hash(part.text)]
        removed = [key for key, hash in known.items() if hash and key not in now]
        revoked = [PromptPart(key=key, text=_REVOKED[key]) for key in removed if key in _REVOKED]
        hashes = {part.key: _hash(part.text) for part in changed} | dict.fromkeys(removed, "")
        return [*changed, *revoked], hashes if changed or revoked else {}

    def _replayable(self, messages: Sequence[StoredMessage]) -> list[StoredMessage]:
        """Drop the thoughts of answers that had another prefix: the API refuses them behind this one."""
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
    plan: LoadingPlan,
    request: ModelRequest,
    messages: Sequence[StoredMessage],
    reply: ModelReply,
) -> RequestFacts:
    """Collect what a finished request was made of and cost. messages: those of the request.

    Tools that a search found count with the first request that sees them.
    """
    names = plan.loaded(messages)
    known_before = plan.loaded(
        [message for message in messages if message.meta.get("turn_id") != plan.turn_id or not found_tools(message)]
    )
    # A model may invent a name from somebody's words: such names are not counted.
    known = {FIND, *(tool.name for tool in plan.enabled)}
    called = [str(block["name"]) for block in reply.content if block["type"] == "tool_use"]
    loaded = [tool for tool in plan.enabled if tool.name in set(names)]
    in_front = [find_tools] if plan.has_search else []
    return RequestFacts(
        student_id=student_id,
        conversation_id=conversation_id,
        turn_id=plan.turn_id,
        is_first=is_first,
        model=request.model,
        strategy=plan.strategy.value,
        contexts=tuple(plan.contexts),
        usage=reply.usage,
        system_tokens=_tokens(request.system),
        tools_tokens=estimate_tokens([*in_front, *loaded]),
        front_tokens=estimate_tokens(in_front if plan.strategy is Strategy.APPEND else [*in_front, *loaded]),
        messages_tokens=_tokens(request.messages)
        + sum(estimated_tokens(message["content"]) for message in request.messages),
        all_tools_tokens=estimate_tokens(plan.enabled),
        matching_tools_tokens=estimate_tokens(plan.matching),
        offered=len(plan.enabled),
        loaded=names,
        searched=tuple(name for name in names if name not in known_before),
        added=plan.added(messages) if is_first else (),
        found=found_tools(messages[-1]) if messages else (),
        called=tuple(name for name in called if name in known),
        timezone=plan.toolbox.student.timezone,
    )


def _tokens(blocks: Sequence[Any]) -> int:
    return len(json.dumps(list(blocks), ensure_ascii=False)) // CHARACTERS_PER_TOKEN
