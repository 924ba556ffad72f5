"""The demo model's rules: from a request and the tools in it to the next words or calls."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sandbox.model.brain.attached import about_files
from sandbox.model.brain.chain import decide
from sandbox.model.brain.commands import obey_command
from sandbox.model.brain.mind import Mind, read_mind
from sandbox.model.brain.obey import obey_results
from sandbox.model.brain.searching import known_tools, looked_for
from sandbox.model.brain.smalltalk import refuses_work
from sandbox.model.brain.turns import goes_on, within_choice
from sandbox.model.loading import loaded_names
from sandbox.model.reply import Reply


def think(body: Mapping[str, Any], clock: datetime, *, obeys: bool = False) -> Reply:
    """The reply to a checked Messages request.

    clock: an aware time, used when the request does not say what time it is. obeys: be the worst case, which
    follows what stands in tool results.
    """
    known = known_tools(body)
    mind = read_mind(body, clock, known)
    reply = _reply(mind, obeys)
    instead = looked_for(mind, body, reply)
    if instead is not None and not instead.blocks:
        loaded = loaded_names(body)
        mind = read_mind(body, clock, [tool for tool in known if tool["name"] in loaded])
        reply = _reply(mind, obeys)
    elif instead is not None:
        reply = instead
    return within_choice(mind, body, goes_on(mind, reply))


def _reply(mind: Mind, obeys: bool) -> Reply:
    told = obey_results(mind) if obeys else about_files(mind)
    return told or obey_command(mind) or decide(mind)


__all__ = ["refuses_work", "think"]
