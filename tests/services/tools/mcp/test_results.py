"""What servers answer becomes plain text for the model and JSON for programs."""

from dataclasses import replace

import pytest

from services.errors import RequestRefused
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.results import parse_answer

LIMITS = McpLimits()


def test_parts_that_are_no_text_are_noted() -> None:
    parts = [
        {"type": "text", "text": "Here:"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.bin", "blob": "AAAAAAAA", "mimeType": "image/x"}},
        {"type": "resource_link", "uri": "https://a.example/b", "name": "Syllabus"},
        {"type": "hologram"},
    ]

    lines = parse_answer("Files", {"content": parts}, LIMITS).output.splitlines()

    assert lines == [
        "Here:",
        "Note: one audio (audio/wav, 3 bytes) is left out; only text can be read.",
        "Note: one file (image/x, 6 bytes) is left out; only text can be read.",
        "Syllabus: https://a.example/b",
        "Note: a part of the kind hologram is left out.",
    ]


def test_an_answer_of_structure_alone_can_be_read_too() -> None:
    result = parse_answer("Files", {"content": [], "structuredContent": {"grade": "A"}}, LIMITS)

    assert result.output == '{"grade": "A"}'
    assert result.data == {"grade": "A"}


def test_nothing_said_is_said() -> None:
    assert parse_answer("Files", {"content": []}, LIMITS).output == "(no answer)"


def test_a_structure_that_is_too_large_is_left_out_with_a_note() -> None:
    answer = {"content": [{"type": "text", "text": "All of it."}], "structuredContent": {"a": "x" * 1_000}}

    result = parse_answer("Files", answer, replace(LIMITS, data_bytes=500))

    assert result.data is None
    assert result.output == "All of it.\nNote: the structured part (1,009 bytes) is left out; it is too large."


def test_unseen_text_is_taken_out() -> None:
    unseen = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")

    assert parse_answer("Files", {"content": [{"type": "text", "text": f"ok{unseen}"}]}, LIMITS).output == "ok"


def test_a_failure_is_never_a_success() -> None:
    answer = {"content": [{"type": "text", "text": "x" * 5_000}], "isError": True}

    with pytest.raises(RequestRefused) as caught:
        parse_answer("Files", answer, LIMITS)

    assert len(str(caught.value)) < 1_100
