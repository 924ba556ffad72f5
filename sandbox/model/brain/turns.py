"""Keeps a reply within the request's `tool_choice`."""

from collections.abc import Mapping
from typing import Any

from sandbox.model.brain.about import best_tool
from sandbox.model.brain.arguments import fill
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.smalltalk import reply as talk
from sandbox.model.brain.task import Hints
from sandbox.model.brain.toolbox import Profile
from sandbox.model.reply import Call, Reply, calls, words


def within_choice(mind: Mind, body: Mapping[str, Any], reply: Reply) -> Reply:
    """none forbids calls, any wants one, tool wants that one; without parallel calls only the first stays."""
    choice = body.get("tool_choice") or {"type": "auto"}
    called = [block for block in reply.blocks if isinstance(block, Call)]
    if choice["type"] == "none":
        return reply if not called else words(talk(mind))
    if choice["type"] == "tool" and [call.name for call in called] != [choice["name"]]:
        return calls(_forced(mind, mind.tools[choice["name"]]))
    if choice["type"] == "any" and not called:
        best, _ = best_tool(mind, mind.read(mind.conversation.now.said))
        return calls(_forced(mind, best or next(iter(mind.tools.values()))))
    if choice.get("disable_parallel_tool_use") and len(called) > 1:
        return calls(called[0])
    return reply


def _forced(mind: Mind, profile: Profile) -> Call:
    filled = fill(profile, mind.read(mind.conversation.now.said), Hints(now=mind.now))
    return Call(name=profile.name, input=filled.arguments)
