"""Claude's own web search, as its API answers: hits with quotations, and what stands in when a key lacks it."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import pytest

from services.errors import AnswerUnreadable, ServiceUnavailable, Throttled
from services.integrations.search import claude
from services.integrations.search.claude import ClaudeEngine, OnPaid
from services.integrations.search.engines import RecencyFilter, SearchUnsupported
from services.llm.chat_model import Usage
from tests.model_budgets import unlimited_budget
from tests.services.safety.fetch.raw_server import RawServer, answer


def message(*content: Mapping[str, Any], usage: Mapping[str, Any] | None = None) -> bytes:
    whole = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 1, "output_tokens": 1},
        "content": list(content),
    }
    return answer(json.dumps(whole).encode(), content_type="application/json", connection="close")


def result(content: Any) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}


def page(url: str, title: str, age: str | None) -> dict[str, Any]:
    return {"type": "web_search_result", "url": url, "title": title, "page_age": age, "encrypted_content": "x"}


USE = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "library"}}
QUOTE = {
    "type": "text",
    "text": "It is open all night.",
    "citations": [
        {
            "type": "web_search_result_location",
            "url": "https://a.example/",
            "title": "A",
            "cited_text": "Open all night.",
            "encrypted_index": "y",
        },
    ],
}


def searching(server: RawServer, on_paid: OnPaid = lambda model, usage, searches: None) -> ClaudeEngine:
    return ClaudeEngine(
        api_key="key", base_url=server.origin, model="claude-haiku-5-5", on_paid=on_paid, budget=unlimited_budget
    )


def test_pages_come_with_their_quotations() -> None:
    found = result([page("https://a.example/", "A", "November 3, 2026"), page("https://b.example/", "B", "2 days ago")])
    with RawServer(message(USE, found, QUOTE)) as server:
        hits = searching(server).search(
            "library hours", most=5, since=RecencyFilter.for_period("week", date(2026, 11, 21))
        )

    assert [(hit.url, hit.snippet, hit.published) for hit in hits] == [
        ("https://a.example/", "Open all night.", date(2026, 11, 3)),
        ("https://b.example/", "", None),
    ]
    assert "POST /v1/messages" in server.requests[0]


def of_json(body: bytes) -> bytes:
    return answer(body, content_type="application/json", connection="close")


@pytest.mark.parametrize(
    "odd",
    [
        of_json(b"null"),
        of_json(b'"words"'),
        of_json(b'{"content": "words"}'),
        of_json(b'{"content": [null]}'),
        of_json(b'{"content": [], "usage": "x"}'),
        of_json(b"<html>"),
        of_json(b'{"a": "\xff"}'),
        of_json(b"[" * 50_000),
        message({**USE, **result("words")}),
        message({**USE, **result([None])}),
        message({**USE, **result([{"url": {"a": 1}}])}),
        message({**QUOTE, "citations": [5]}),
        message({**QUOTE, "citations": [{"url": [1]}]}),
    ],
    ids=range(13),
)
def test_an_answer_of_another_form_is_not_a_mistake_of_ours(odd: bytes) -> None:
    with RawServer(odd) as server, pytest.raises(AnswerUnreadable):
        searching(server).search("library", most=5, since=None)


def test_what_a_search_took_is_told_though_it_failed() -> None:
    bills: list[Any] = []
    refusal = result({"type": "web_search_tool_result_error", "error_code": "unavailable"})
    usage = {"input_tokens": 900, "output_tokens": 60, "cache_read_input_tokens": None}
    failed = message(USE, refusal, usage=usage)
    found = message(USE, result([]), usage={**usage, "server_tool_use": {"web_search_requests": 1}})
    with RawServer(failed) as failing, RawServer(found) as working:
        with pytest.raises(ServiceUnavailable):
            searching(failing, on_paid=lambda *facts: bills.append(facts)).search("library", most=5, since=None)
        searching(working, on_paid=lambda *facts: bills.append(facts)).search("library", most=5, since=None)

    tokens = Usage(input_tokens=900, output_tokens=60)
    assert bills == [("claude-haiku-5-5", tokens, 0), ("claude-haiku-5-5", tokens, 1)]


@pytest.mark.parametrize(("code", "error"), [("too_many_requests", Throttled), ("unavailable", ServiceUnavailable)])
def test_a_search_that_failed_over_there_is_an_error(code: str, error: type[ServiceUnavailable]) -> None:
    refusal = result({"type": "web_search_tool_result_error", "error_code": code})
    with RawServer(message(USE, refusal)) as server, pytest.raises(error):
        searching(server).search("library", most=5, since=None)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n", b"HTTP/1.1 200 OK\r\nx-slow: "])
def test_an_answer_that_drips_is_given_up(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece comes in time, the whole never would: in its body, or before."""
    monkeypatch.setattr(claude, "_TIMEOUT_S", 0.6)

    def drip(_: bytes) -> Iterator[bytes]:
        yield head
        while not server.release.wait(0.1):
            yield b" "

    with RawServer(drip) as server, pytest.raises(ServiceUnavailable, match="did not answer"):
        searching(server).search("library", most=5, since=None)


def test_a_redirect_does_not_take_the_key_along() -> None:
    with RawServer(message(USE)) as elsewhere:
        moved = answer(status="307 Temporary Redirect", location=elsewhere.origin, connection="close")
        with RawServer(moved) as server, pytest.raises(ServiceUnavailable):
            searching(server).search("library", most=5, since=None)

    assert elsewhere.requests == []


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        ("400 Bad Request", "invalid_request_error", SearchUnsupported),
        ("403 Forbidden", "permission_error", SearchUnsupported),
        ("529 Overloaded", "overloaded_error", ServiceUnavailable),
    ],
)
def test_a_key_without_the_tool_is_told_from_a_bad_moment(
    status: str, kind: str, error: type[ServiceUnavailable]
) -> None:
    body = {"type": "error", "error": {"type": kind, "message": "no"}}
    refusal = answer(
        json.dumps(body).encode(),
        status=status,
        content_type="application/json",
        connection="close",
        x_should_retry="false",
    )
    with RawServer(refusal) as server, pytest.raises(ServiceUnavailable) as failure:
        searching(server).search("library", most=5, since=None)

    assert type(failure.value) is error
