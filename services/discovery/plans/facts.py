"""What a finished request was made of and what it cost, for the accounting."""

import json
from collections.abc import Sequence
from typing import Any

from services.agent.messages import StoredMessage
from services.agent.models import ModelRequest, Reply
from services.discovery.accounting import RequestFacts
from services.discovery.listing import CHARACTERS_PER_TOKEN, tokens_of
from services.discovery.plans.changes import found_in
from services.discovery.plans.loading import Loading
from services.discovery.plans.search import FIND, find_tools
from services.files.sending import estimated_tokens


def facts_of(
    *,
    student_id: str,
    conversation_id: str,
    is_first: bool,
    loading: Loading,
    request: ModelRequest,
    messages: Sequence[StoredMessage],
    reply: Reply,
) -> RequestFacts:
    """messages: those of the request. Tools that a search found count with the first request that sees them."""
    names = loading.loaded(messages)
    at_hand = loading.loaded(
        [one for one in messages if one.meta.get("turn_id") != loading.turn_id or not found_in(one)]
    )
    # A model may make a name up, and what it makes up may be somebody's words: those are not counted by name.
    known = {FIND, *(one.name for one in loading.enabled)}
    asked = [str(block["name"]) for block in reply.content if block["type"] == "tool_use"]
    loaded = [one for one in loading.enabled if one.name in set(names)]
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
        tools_tokens=tokens_of([*in_front, *loaded]),
        messages_tokens=_tokens(request.messages) + sum(estimated_tokens(one["content"]) for one in request.messages),
        all_tools_tokens=tokens_of(loading.enabled),
        matching_tools_tokens=tokens_of(loading.matching),
        offered=len(loading.enabled),
        loaded=names,
        searched=tuple(name for name in names if name not in at_hand),
        added=loading.added(messages) if is_first else (),
        found=found_in(messages[-1]) if messages else (),
        called=tuple(name for name in asked if name in known),
    )


def _tokens(blocks: Sequence[Any]) -> int:
    return len(json.dumps(list(blocks), ensure_ascii=False)) // CHARACTERS_PER_TOKEN
