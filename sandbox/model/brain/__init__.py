"""The demo model's rules: from a request and the tools in it to the next words or calls."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sandbox.model.brain.chain import decide
from sandbox.model.brain.commands import obey_command
from sandbox.model.brain.mind import read_mind
from sandbox.model.brain.obey import obey_results
from sandbox.model.brain.smalltalk import refuses_work
from sandbox.model.brain.turns import goes_on, within_choice
from sandbox.model.reply import Reply


def think(body: Mapping[str, Any], clock: datetime, *, obeys: bool = False) -> Reply:
    """The reply to a checked Messages request.

    clock: an aware time, used when the request does not say what time it is. obeys: be the worst case, which
    follows what stands in tool results.
    """
    mind = read_mind(body, clock)
    reply = (obey_results(mind) if obeys else None) or obey_command(mind) or decide(mind)
    return within_choice(mind, body, goes_on(mind, reply))


__all__ = ["refuses_work", "think"]
