"""Scripted failures of the model, each seen through the real SDK (R36–R42)."""

import threading
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import anthropic
import httpx2
import pytest

from tests.campus_server import CampusServer
from tests.sandbox.model_client import body, claude

CALL = '/call calendar_create_event {"title": "Study session for biology", "start": "2026-11-27T15:00"}'


def collect(campus: CampusServer, request: dict[str, Any], **options: Any) -> tuple[list[str], Any]:
    """The words that came and the final message of a stream."""
    heard: list[str] = []
    with claude(campus, **options) as client, client.messages.stream(**request) as stream:
        for event in stream:
            if event.type == "content_block_delta":
                heard.append(getattr(event.delta, "text", "") or getattr(event.delta, "partial_json", ""))
        return heard, stream.current_message_snapshot


def test_overloaded_before_the_stream_is_retried_by_the_sdk(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="overloaded", times=1)

    with claude(campus, max_retries=1) as client:
        message = client.messages.create(**body("/say hi"))

    assert message.content[0].text == "hi"


def test_overloaded_without_retries_is_a_529(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="overloaded")

    with claude(campus) as client, pytest.raises(anthropic.APIStatusError) as raised:
        client.messages.create(**body("/say hi"))

    assert raised.value.status_code == 529


def test_overloaded_midstream_keeps_the_words_and_raises_with_status_200(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="overloaded_midstream", after_words=3)
    heard: list[str] = []

    with (
        claude(campus) as client,
        client.messages.stream(**body("/say one two three four five")) as stream,
        pytest.raises(anthropic.APIStatusError) as raised,
    ):
        heard.extend(stream.text_stream)

    assert "".join(heard) == "one two three "
    assert (raised.value.status_code, raised.value.type) == (200, "overloaded_error")


@pytest.mark.parametrize(
    ("kind", "ending"),
    [("overloaded_midstream", pytest.raises(anthropic.APIStatusError)), ("early_end", nullcontext())],
)
def test_a_call_can_break_in_the_middle_of_its_json(
    campus: CampusServer, kind: str, ending: AbstractContextManager[Any]
) -> None:
    campus.fault(service="anthropic", fault=kind, after_words=2)
    pieces: list[str] = []

    with claude(campus) as client, client.messages.stream(**body(CALL)) as stream, ending:
        for event in stream:
            if event.type == "input_json":
                pieces.append(event.partial_json)

    assert pieces
    assert not "".join(pieces).endswith("}")


def test_an_early_end_raises_nothing_and_has_no_stop_reason(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="early_end", after_words=2)

    heard, message = collect(campus, body("/say one two three four"))

    assert "".join(heard) == "one two "
    assert message.stop_reason is None


def test_a_stall_keeps_the_stream_open_until_the_callers_patience_ends(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="stall", after_words=1)
    heard: list[str] = []
    patience = anthropic.Timeout(5.0, read=0.6)

    with (
        claude(campus, timeout=patience) as client,
        client.messages.stream(**body("/say one two three")) as stream,
        pytest.raises(httpx2.ReadTimeout),
    ):
        heard.extend(stream.text_stream)

    assert heard == ["one "]


def test_refused_and_billing_are_errors_that_are_not_retried(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="refuse")
    campus.fault(service="anthropic", fault="billing")

    with claude(campus, max_retries=2) as client:
        with pytest.raises(anthropic.BadRequestError):
            client.messages.create(**body("/say hi"))
        with pytest.raises(anthropic.APIStatusError) as raised:
            client.messages.create(**body("/say hi"))

    assert raised.value.status_code in (400, 402, 403)
    assert "credit balance" in str(raised.value)


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "pause_turn"])
def test_any_stop_reason_can_be_scripted(campus: CampusServer, reason: str) -> None:
    campus.fault(service="anthropic", fault="stop_reason", stop_reason=reason)

    with claude(campus) as client:
        first = client.messages.create(**body(CALL))
        second = client.messages.create(**body(CALL))

    assert first.stop_reason == reason
    assert second.stop_reason == "tool_use"


def test_a_manner_and_a_failure_can_be_set_together(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="pace", words_per_second=500, times=0)
    campus.fault(service="anthropic", fault="early_end", after_words=2)

    broken, _ = collect(campus, body("/say one two three"))
    whole, _ = collect(campus, body("/say one two three"))

    assert ("".join(broken), "".join(whole)) == ("one two ", "one two three")


def test_many_streams_at_once_keep_their_pace(campus: CampusServer) -> None:
    campus.fault(service="anthropic", fault="pace", words_per_second=20, times=0)
    ends: list[float] = []
    began = time.monotonic()

    def stream_words() -> None:
        collect(campus, body("/say-long 20"))
        ends.append(time.monotonic() - began)

    threads = [threading.Thread(target=stream_words) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(ends) == 12
    # One after the other they would take twelve seconds.
    assert max(ends) < 6
