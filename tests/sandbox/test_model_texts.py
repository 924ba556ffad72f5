"""What the demo model does with a tool whose texts are to be cited, once the app has loaded it for a question."""

from collections.abc import Sequence
from typing import Any

import pytest

from sandbox.model.citations import with_citations
from sandbox.model.reply import Call, Reply, Text
from sandbox.model.rules import think
from tests.api.every_tool import root
from tests.sandbox.model_thoughts import NOW

READ, SEARCH = "materials_read", "materials_search"
URL = "https://homeroom.example/materials?open=canvas-1.file-2&page=6"
PAGE = {
    "type": "search_result", "source": URL, "title": "Lecture 6 — slide 6", "citations": {"enabled": True},
    "content": [
        {"type": "text", "text": "- 6 of 12 — “Osmosis”"},
        {"type": "text", "text": "# Osmosis"},
        {"type": "text", "text": "Osmosis is the net diffusion of water across a membrane."},
        {"type": "text", "text": "It needs no energy from the cell at all."},
    ],
}  # fmt: skip


def asked(text: str, *added: str, results: Sequence[Any] = ()) -> tuple[dict[str, Any], Reply]:
    tools = [
        {**tool.definition(), "defer_loading": True} for tool in root().values() if not tool.name.startswith("sample_")
    ]
    additions = [{"type": "tool_addition", "tool": {"type": "tool_reference", "name": name}} for name in added]
    messages: list[dict[str, Any]] = [{"role": "user", "content": [{"type": "text", "text": text}]}]
    messages += [{"role": "system", "content": additions}] if additions else []
    for number, (call, content, is_error) in enumerate(results):
        used = {"type": "tool_use", "id": f"t{number}", "name": call[0], "input": call[1]}
        told = {"type": "tool_result", "tool_use_id": f"t{number}", "content": content, "is_error": is_error}
        messages += [{"role": "assistant", "content": [used]}, {"role": "user", "content": [told]}]
    body = {"model": "claude-haiku-5-5", "tools": tools, "messages": messages}
    return body, think(body, NOW)


def calls(reply: Reply) -> list[tuple[str, Any]]:
    return [(block.name, dict(block.input)) for block in reply.blocks if isinstance(block, Call)]


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("Explain slide 12 of the osmosis lecture", READ, {"pages": "12"}),
        ("explica la diapositiva 12 de la clase de ósmosis", READ, {"pages": "12"}),
        ("sum up pages 3 to 5 of the Kuhn reading", READ, {"pages": "3 to 5"}),
        ("where did we define osmosis?", SEARCH, {"query": "define osmosis"}),
    ],
)
def test_what_is_named_is_read_and_the_rest_is_searched(text: str, name: str, arguments: dict[str, str]) -> None:
    _, reply = asked(text, READ, SEARCH)

    ((called, given),) = calls(reply)
    assert called == name
    assert arguments.items() <= given.items()


def test_a_question_about_the_world_reaches_no_text_that_was_not_loaded_for_it() -> None:
    _, reply = asked("where did we define osmosis?")

    assert [name for name, _ in calls(reply) if name in (READ, SEARCH)] == []


def test_an_answer_quotes_the_page_and_cites_the_very_paragraph() -> None:
    body, reply = asked(
        "where did we define osmosis?", SEARCH, results=[((SEARCH, {"query": "osmosis"}), [PAGE], False)]
    )

    cited = [block for block in with_citations(reply, body).blocks if isinstance(block, Text) and block.citations]
    (block,) = cited
    assert "“Osmosis is the net diffusion of water across a membrane." in block.text
    assert f"— [Lecture 6 — slide 6]({URL})" in block.text
    (location,) = block.citations
    assert location["cited_text"] == "Osmosis is the net diffusion of water across a membrane."
    assert (location["start_block_index"], location["end_block_index"]) == (2, 3)


def test_after_a_name_that_nobody_knows_it_searches() -> None:
    failed = [{"type": "text", "text": "material: none is called “kuhn”; there are none at all."}]
    _, reply = asked("sum up the Kuhn reading", READ, SEARCH, results=[((READ, {"material": "kuhn"}), failed, True)])

    assert [name for name, _ in calls(reply)] == [SEARCH]
