"""Tool search: finds a tool that is not loaded through the search in front of the tools, as a model would."""

import re
from collections.abc import Mapping
from typing import Any

from sandbox.model.deferred_tools import loaded_names, withdrawn_names
from sandbox.model.reply import Call, Reply, calls
from sandbox.model.rules.commands import is_dictated
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.understanding.conversation import FINDS_TOOLS

MOST_SEARCHES = 5
LONGEST_QUERY = 300


def is_search(name: str) -> bool:
    """Whether a tool of this name is the search for other tools."""
    return FINDS_TOOLS.fullmatch(name) is not None


def known_tools(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tools that a model has heard of: those that it sees, and deferred ones that the prompt lists by name.
    A prompt that lists none leaves all of them to be guessed."""
    tools = [tool for tool in body.get("tools") or () if not is_search(tool["name"])]
    loaded, withdrawn = loaded_names(body), withdrawn_names(body)
    heard = set(re.findall(r"[A-Za-z0-9_-]+", _instructions(body)))
    listed = heard & {tool["name"] for tool in tools if tool.get("defer_loading")}
    return [
        tool
        for tool in tools
        if tool["name"] not in withdrawn and (tool["name"] in loaded or tool["name"] in listed or not listed)
    ]


def looked_for(state: RequestState, body: Mapping[str, Any], reply: Reply) -> Reply | None:
    """Reply instead of one that calls tools which are not loaded; None when it may stand.
    First a search in the student's words, then one for the name; without a search, or when it finds nothing, the
    rules have to do without: the caller thinks again with the loaded tools only."""
    loaded = loaded_names(body)
    wanted = [block.name for block in reply.blocks if isinstance(block, Call) and block.name not in loaded]
    if not wanted or is_dictated(state):
        return None
    search = next((tool for tool in body.get("tools") or () if is_search(tool["name"])), None)
    made = state.conversation.now.searches
    if search is None or search.get("defer_loading") or len(made) >= MOST_SEARCHES:
        return Reply(blocks=())
    field = next(iter(search["input_schema"].get("properties", {"query": {}})))
    tries = [state.conversation.now.said[:LONGEST_QUERY], " ".join(dict.fromkeys(wanted))]
    query = next((text for text in tries if text not in [step.input.get(field) for step in made]), None)
    return Reply(blocks=()) if query is None else calls(Call(name=search["name"], input={field: query}))


def _instructions(body: Mapping[str, Any]) -> str:
    system = body.get("system") or ""
    texts = [system] if isinstance(system, str) else [block["text"] for block in system]
    for message in body["messages"]:
        if message["role"] == "system":
            blocks = message["content"] if isinstance(message["content"], list) else [{"text": message["content"]}]
            texts += [block["text"] for block in blocks if "text" in block]
    return "\n".join(texts)
