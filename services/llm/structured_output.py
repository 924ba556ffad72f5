"""`StructuredOutput`: answers as JSON that follow a schema, and JSON asked for in words where a model takes no schema.

https://platform.claude.com/docs/en/build-with-claude/structured-outputs
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.errors import FeatureRefused
from services.llm.chat_model import ChatModel, ModelReply, ModelRequest, OnText
from services.llm.messages import text_block

_IN_WORDS = "Answer with one JSON object and nothing else, no code fence. It follows this JSON schema:\n"


class StructuredOutput:
    """Requests with a schema; it remembers which models take none. Safe to use from many threads."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._without_schema: set[str] = set()

    def ask(self, request: ModelRequest, schema: Mapping[str, Any], on_text: OnText = lambda _: True) -> ModelReply:
        """Ask, see `ChatModel.stream`. schema: every object in it has `additionalProperties: false`.

        The answer need not be JSON even so: it may be cut off at `max_tokens`, or a refusal.
        """
        if request.model not in self._without_schema:
            try:
                return self._model.stream(replace(request, output_schema=schema), on_text)
            except FeatureRefused:
                self._without_schema.add(request.model)
        words = text_block(_IN_WORDS + json.dumps(schema, ensure_ascii=False))
        return self._model.stream(replace(request, system=[*request.system, words]), on_text)


def json_objects(reply: ModelReply, field: str) -> list[Mapping[str, Any]]:
    """The objects in the list `field` of a reply's JSON object; those that are whole, where it was cut off."""
    said = "".join(str(block["text"]) for block in reply.content if block["type"] == "text")
    start = said.find("[", said.find(f'"{field}"') + 1)
    if f'"{field}"' not in said or start < 0:
        return []
    found: list[Mapping[str, Any]] = []
    decoder, at = json.JSONDecoder(), start + 1
    while at < len(said) and said[at] not in "]":
        if said[at].isspace() or said[at] == ",":
            at += 1
            continue
        try:
            read, at = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            break
        if isinstance(read, dict):
            found.append(read)
    return found
