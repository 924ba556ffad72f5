"""Token estimates: about four characters each, since no tokenizer ships with the SDK."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sandbox.model.deferred_tools import blocks_of, definitions, named_by
from sandbox.model.errors import refusal
from sandbox.model.files import tokens_of_file

PER_MESSAGE = 3
FOR_TOOLS = 300
"""What the API adds once to a prompt that offers tools."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One block of the prompt in cache order: its canonical text, its tokens and whether a breakpoint follows it."""

    text: str
    tokens: int
    is_breakpoint: bool
    ttl_s: int = 300


def tokens_of(text: str) -> int:
    """At least one token, one for each four characters."""
    return max(1, math.ceil(len(text) / 4))


def prompt_pieces(body: Mapping[str, Any]) -> list[Piece]:
    """The whole prompt as the cache sees it: tools, then system, then messages.

    Deferred tools are not part of the prompt until something names them.
    A top-level `cache_control` marks the last block.
    """
    pieces = [*_tools(body), *_system(body), *_messages(body)]
    if body.get("cache_control") and pieces:
        last = pieces[-1]
        pieces[-1] = Piece(text=last.text, tokens=last.tokens, is_breakpoint=True, ttl_s=_ttl(body))
    return pieces


def count_breakpoints(body: Mapping[str, Any]) -> int:
    """Number of blocks with a `cache_control`, the top-level one included."""
    return sum(1 for _ in _marked(body))


def check_ttl_order(body: Mapping[str, Any]) -> None:
    """Refuse a block that is cached for an hour after one that is cached for five minutes."""
    is_short = False
    for path, block in _marked(body):
        if _ttl(block) == 3600 and is_short:
            raise refusal(
                f"{path}cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control "
                "block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."
            )
        is_short = is_short or _ttl(block) == 300


def _marked(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Blocks with a `cache_control` in the order of the prompt, each with its path."""
    parts = [("tools", body.get("tools") or ()), ("system", _raw_system(body))]
    parts += [(f"messages.{at}.content", blocks_of(message)) for at, message in enumerate(body["messages"])]
    parts += [("", [body])]
    for path, blocks in parts:
        for at, block in enumerate(blocks):
            if block.get("cache_control"):
                yield f"{path}.{at}." if path else "", block


def _tools(body: Mapping[str, Any]) -> Iterator[Piece]:
    loaded = [tool for tool in body.get("tools") or () if not tool.get("defer_loading")]
    for index, tool in enumerate(loaded):
        yield _piece("tool", tool, extra=0 if index else FOR_TOOLS)


def _system(body: Mapping[str, Any]) -> Iterator[Piece]:
    for block in _raw_system(body):
        yield _piece("system", block)


def _messages(body: Mapping[str, Any]) -> Iterator[Piece]:
    # A changed tool_choice or thinking setting keeps tools and system cached but not the messages.
    settings = json.dumps([body.get("tool_choice"), body.get("thinking")], sort_keys=True)
    for index, message in enumerate(body["messages"]):
        for position, block in enumerate(blocks_of(message)):
            role = message["role"] if index else message["role"] + settings
            yield _with_definitions(_piece(role, block, extra=0 if position else PER_MESSAGE), block, body)


def _with_definitions(piece: Piece, block: Mapping[str, Any], body: Mapping[str, Any]) -> Piece:
    # The definitions of deferred tools stand where something has named them.
    shown = definitions(body, named_by(block))
    if not shown:
        return piece
    texts = [json.dumps(tool, sort_keys=True, ensure_ascii=False) for tool in shown]
    tokens = piece.tokens + sum(tokens_of(text) for text in texts)
    return replace(piece, text=piece.text + "".join(texts), tokens=tokens)


def _raw_system(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return blocks_of({"content": body.get("system") or []})


def _piece(role: str, block: Mapping[str, Any], extra: int = 0) -> Piece:
    bare = {key: value for key, value in block.items() if key != "cache_control"}
    text = json.dumps(bare, sort_keys=True, ensure_ascii=False)
    return Piece(
        text=role + text,
        tokens=_tokens(bare, text) + extra,
        is_breakpoint=bool(block.get("cache_control")),
        ttl_s=_ttl(block),
    )


def _tokens(block: Mapping[str, Any], text: str) -> int:
    if block.get("type") in ("image", "document") and "source" in block:
        return tokens_of_file(block)
    return tokens_of(block["text"] if block.get("type") == "text" else text)


def _ttl(block: Mapping[str, Any]) -> int:
    return 3600 if (block.get("cache_control") or {}).get("ttl") == "1h" else 300
