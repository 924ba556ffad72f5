"""Tool choice: keeps a reply within the request's `tool_choice`, and lets one that broke off go on."""

from collections.abc import Mapping
from typing import Any

from sandbox.model.reply import Call, Reply, Text, calls, words
from sandbox.model.rules.dialogue.tool_ranking import best_tool
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.small_talk import reply as talk
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.tools.profile import Profile


def goes_on(state: RequestState, reply: Reply) -> Reply:
    """The rest of an answer whose beginning was said already; any other reply as it is."""
    said = state.conversation.now.partial
    text = "".join(block.text for block in reply.blocks if isinstance(block, Text))
    if not said or not text.startswith(said.rstrip()) or len(reply.blocks) != 1:
        return reply
    return words(text[len(said.rstrip()) :].lstrip() or state.say("that_was_all"))


def within_choice(state: RequestState, body: Mapping[str, Any], reply: Reply) -> Reply:
    """none forbids calls, any wants one, tool wants that one; without parallel calls only the first stays."""
    choice = body.get("tool_choice") or {"type": "auto"}
    called = [block for block in reply.blocks if isinstance(block, Call)]
    if choice["type"] == "none":
        return reply if not called else words(talk(state))
    if choice["type"] == "tool" and choice["name"] not in state.tools:
        return calls(Call(name=choice["name"], input={"query": state.conversation.now.said}))
    if choice["type"] == "tool" and [call.name for call in called] != [choice["name"]]:
        return calls(_forced(state, state.tools[choice["name"]]))
    if choice["type"] == "any" and not called and state.tools:
        best, _ = best_tool(state, state.read(state.conversation.now.said))
        return calls(_forced(state, best or next(iter(state.tools.values()))))
    if choice.get("disable_parallel_tool_use") and len(called) > 1:
        return calls(called[0])
    return reply


def _forced(state: RequestState, profile: Profile) -> Call:
    filled = fill(profile, state.read(state.conversation.now.said), SlotContext(now=state.now))
    return Call(name=profile.name, input=filled.arguments)
