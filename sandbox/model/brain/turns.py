"""Keeps a reply within the request's `tool_choice`, and lets one that broke off go on where it stopped."""

from collections.abc import Mapping
from typing import Any

from sandbox.model.brain import phrases
from sandbox.model.brain.about import best_tool
from sandbox.model.brain.arguments import fill
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.smalltalk import reply as talk
from sandbox.model.brain.task import Hints
from sandbox.model.brain.toolbox import Profile
from sandbox.model.reply import Call, Reply, Text, calls, words


def goes_on(mind: Mind, reply: Reply) -> Reply:
    """The rest of an answer whose beginning was said already; any other reply as it is."""
    said = mind.conversation.now.partial
    text = "".join(block.text for block in reply.blocks if isinstance(block, Text))
    if not said or not text.startswith(said.rstrip()) or len(reply.blocks) != 1:
        return reply
    return words(text[len(said.rstrip()) :].lstrip() or mind.say(*phrases.THAT_WAS_ALL))


def within_choice(mind: Mind, body: Mapping[str, Any], reply: Reply) -> Reply:
    """none forbids calls, any wants one, tool wants that one; without parallel calls only the first stays."""
    choice = body.get("tool_choice") or {"type": "auto"}
    called = [block for block in reply.blocks if isinstance(block, Call)]
    if choice["type"] == "none":
        return reply if not called else words(talk(mind))
    if choice["type"] == "tool" and choice["name"] not in mind.tools:
        return calls(Call(name=choice["name"], input={"query": mind.conversation.now.said}))
    if choice["type"] == "tool" and [call.name for call in called] != [choice["name"]]:
        return calls(_forced(mind, mind.tools[choice["name"]]))
    if choice["type"] == "any" and not called and mind.tools:
        best, _ = best_tool(mind, mind.read(mind.conversation.now.said))
        return calls(_forced(mind, best or next(iter(mind.tools.values()))))
    if choice.get("disable_parallel_tool_use") and len(called) > 1:
        return calls(called[0])
    return reply


def _forced(mind: Mind, profile: Profile) -> Call:
    filled = fill(profile, mind.read(mind.conversation.now.said), Hints(now=mind.now))
    return Call(name=profile.name, input=filled.arguments)
