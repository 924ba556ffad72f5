"""Which addresses a conversation has named: in the student's own messages and in the results of tools."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services.agent.messages import Block, StoredMessage, result_text
from services.files.attachment import attachments_in
from services.safety.known import KnownAddresses, Told

SPOKEN_BY_A_MODEL = frozenset(("ask_assistant",))
"""Tools whose result is what another model wrote: of these only the sources count."""


FROM_STRANGERS = frozenset(("web_read_page", "link_validator", "bibliography_entry", "github_api"))
PUBLIC = frozenset(("web_search", "rss_feed", "static_links"))


def named_in(
    messages: Sequence[StoredMessage], *, own_origin: str, known: KnownAddresses | None = None
) -> KnownAddresses:
    """Read in the order in which they were said: an address must come before the call that opens it.

    known: what was named before them; it grows.
    """
    known, calls = known or KnownAddresses(own_origin=own_origin), dict[str, Block]()
    for message in messages:
        calls |= {call["id"]: call for call in message.tool_calls}
        if message.is_question:
            if not message.meta.get("is_hidden"):
                known.hear("\n".join(_words(message)))
            if attachments_in(message.content):
                # What a file says names nothing; but it is the student's own, and must not be told by an address.
                known.take("", told=Told.PRIVATE)
            continue
        for block in message.content:
            if block["type"] == "tool_result" and not block.get("is_error"):
                _take(known, block, calls.get(block["tool_use_id"]), message.meta)
    return known


def _take(known: KnownAddresses, result: Block, call: Block | None, meta: Mapping[str, Any]) -> None:
    sources = meta.get("results", {}).get(result["tool_use_id"], {}).get("sources", ())
    arguments = list(_texts(call["input"])) if call else []
    output = "" if call and call["name"] in SPOKEN_BY_A_MODEL else result_text(result)
    urls = [source["url"] for source in sources]
    told = told_by(str(call["name"]), call["input"]) if call else Told.PRIVATE
    known.take(output, urls, arguments=arguments, told=told)


def told_by(tool: str, arguments: Mapping[str, Any]) -> Told:
    """Whose words a call's result is made of; a feed that a conversation named is a stranger's, unlike the campus's."""
    if tool in FROM_STRANGERS or (tool == "rss_feed" and arguments.get("action") == "fetch"):
        return Told.STRANGERS
    return Told.PUBLIC if tool in PUBLIC else Told.PRIVATE


def _words(message: StoredMessage) -> Iterator[str]:
    own = message.content[1:] if message.meta.get("has_context") else message.content
    return (str(block["text"]) for block in own if block["type"] == "text")


def _texts(value: Any) -> Iterator[str]:
    """Every text in JSON, keys as well."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for one in pair for text in _texts(one))
    elif isinstance(value, Sequence):
        yield from (text for one in value for text in _texts(one))
