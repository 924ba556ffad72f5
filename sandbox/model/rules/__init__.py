"""Rule engine of the demo model: from a request and the tools in it to the next words or calls."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sandbox.model.deferred_tools import loaded_names
from sandbox.model.reply import Reply
from sandbox.model.rules.attachments.file_answers import about_files
from sandbox.model.rules.commands import command_reply
from sandbox.model.rules.injection_mode import injected_calls
from sandbox.model.rules.planning.executor import decide
from sandbox.model.rules.planning.guided_study import guide
from sandbox.model.rules.planning.text_lookup import look_into_texts
from sandbox.model.rules.request_state import RequestState, read_request_state
from sandbox.model.rules.responses.small_talk import refuses_work
from sandbox.model.rules.tool_choice import goes_on, within_choice
from sandbox.model.rules.tool_search import known_tools, looked_for


def think(body: Mapping[str, Any], clock: datetime, *, obeys: bool = False) -> Reply:
    """The reply to a checked Messages request.
    clock: an aware time, used when the request does not say what time it is. obeys: be the worst case, which
    follows what stands in tool results."""
    known = known_tools(body)
    state = read_request_state(body, clock, known)
    reply = _reply(state, obeys)
    instead = looked_for(state, body, reply)
    if instead is not None and not instead.blocks:
        loaded = loaded_names(body)
        state = read_request_state(body, clock, [tool for tool in known if tool["name"] in loaded])
        reply = _reply(state, obeys)
    elif instead is not None:
        reply = instead
    return within_choice(state, body, goes_on(state, reply))


def _reply(state: RequestState, obeys: bool) -> Reply:
    told = injected_calls(state) if obeys else about_files(state)
    guided = told or command_reply(state) or (None if obeys else guide(state))
    return guided or (None if obeys else look_into_texts(state)) or decide(state)


__all__ = ["refuses_work", "think"]
