"""The prompt cache's arithmetic over the turns of a conversation."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sandbox.model.prompt_cache import PromptCache
from sandbox.state import State
from tests.campus_server import CampusServer
from tests.sandbox.model_client import MODEL, claude

NOW = datetime(2026, 11, 21, 16, 42, tzinfo=UTC)
MARK = {"cache_control": {"type": "ephemeral"}}
LONG = "You are a helpful assistant of a student. " * 150
TOOL: dict[str, Any] = {"name": "t", "description": "d " * 400, "input_schema": {"type": "object"}}


@pytest.fixture
def cache(tmp_path: Path) -> PromptCache:
    return PromptCache(State(tmp_path / "cache.sqlite"))


def request(*texts: str, system: str = LONG, tools: tuple[dict[str, Any], ...] = (TOOL,)) -> dict[str, Any]:
    """A conversation whose last message and system prompt carry a breakpoint."""
    roles = ("user", "assistant")
    messages = [
        {"role": roles[at % 2], "content": [{"type": "text", "text": text, **(MARK if at == len(texts) - 1 else {})}]}
        for at, text in enumerate(texts)
    ]
    return {
        "model": MODEL,
        "max_tokens": 10,
        "system": [{"type": "text", "text": system, **MARK}],
        "tools": list(tools),
        "messages": messages,
    }


def total(usage: dict[str, int]) -> int:
    return sum(usage.values())


def test_the_first_request_writes_and_the_same_again_reads(cache: PromptCache) -> None:
    first = cache.meet(request("Hello"), key="k", now=NOW)
    again = cache.meet(request("Hello"), key="k", now=NOW)

    assert first["cache_read_input_tokens"] == 0
    assert first["cache_creation_input_tokens"] > 1024
    assert again["cache_creation_input_tokens"] == 0
    assert again["cache_read_input_tokens"] == first["cache_creation_input_tokens"]
    assert total(first) == total(again)


def test_a_longer_conversation_reads_the_old_part_and_writes_the_new(cache: PromptCache) -> None:
    first = cache.meet(request("Hello"), key="k", now=NOW)
    second = cache.meet(request("Hello", "Hi!", "What is due this week?"), key="k", now=NOW)

    assert second["cache_read_input_tokens"] == first["cache_creation_input_tokens"]
    assert 0 < second["cache_creation_input_tokens"] < 40
    assert second["input_tokens"] == 0


def test_changed_messages_still_read_tools_and_system(cache: PromptCache) -> None:
    cache.meet(request("Hello"), key="k", now=NOW)
    other = cache.meet(request("Something else"), key="k", now=NOW)

    assert other["cache_read_input_tokens"] > 1024
    assert other["cache_creation_input_tokens"] > 0


@pytest.mark.parametrize(
    "changed",
    [
        {"tools": (TOOL, {**TOOL, "name": "u"})},
        {"tools": ({**TOOL, "description": "other " * 300},)},
        {"system": LONG + "!"},
    ],
)
def test_changed_tools_or_system_read_nothing(cache: PromptCache, changed: dict[str, Any]) -> None:
    cache.meet(request("Hello"), key="k", now=NOW)
    missed = cache.meet(request("Hello", **changed), key="k", now=NOW)

    assert missed["cache_read_input_tokens"] == 0


def test_another_key_shares_nothing(cache: PromptCache) -> None:
    cache.meet(request("Hello"), key="k", now=NOW)

    assert cache.meet(request("Hello"), key="other", now=NOW)["cache_read_input_tokens"] == 0


def test_an_entry_lives_five_minutes_from_its_last_use(cache: PromptCache) -> None:
    cache.meet(request("Hello"), key="k", now=NOW)
    used = cache.meet(request("Hello"), key="k", now=NOW + timedelta(minutes=4))
    later = cache.meet(request("Hello"), key="k", now=NOW + timedelta(minutes=8))
    too_late = cache.meet(request("Hello"), key="k", now=NOW + timedelta(minutes=14))

    assert used["cache_read_input_tokens"] > 0
    assert later["cache_read_input_tokens"] > 0
    assert too_late["cache_read_input_tokens"] == 0


def test_a_short_prompt_is_never_cached(cache: PromptCache) -> None:
    short = request("Hello", system="Be kind.", tools=())
    cache.meet(short, key="k", now=NOW)
    again = cache.meet(short, key="k", now=NOW)

    assert (again["cache_read_input_tokens"], again["cache_creation_input_tokens"]) == (0, 0)
    assert again["input_tokens"] > 0


def test_without_breakpoints_everything_is_plain_input(cache: PromptCache) -> None:
    plain = {"model": MODEL, "messages": [{"role": "user", "content": LONG}]}
    usage = cache.meet(plain, key="k", now=NOW)

    assert usage["cache_creation_input_tokens"] == 0
    assert usage["input_tokens"] > 1024


def test_a_breakpoint_finds_an_entry_at_most_twenty_blocks_back(cache: PromptCache) -> None:
    cache.meet(request("Hello"), key="k", now=NOW)
    more = [text for number in range(11) for text in (f"answer {number}", f"question {number}")]
    far = cache.meet(request("Hello", *more), key="k", now=NOW)
    system_only = cache.meet(request("Other"), key="k", now=NOW)

    assert far["cache_read_input_tokens"] == system_only["cache_read_input_tokens"]


def test_usage_reaches_the_sdk(campus: CampusServer) -> None:
    with claude(campus) as client:
        first = client.messages.create(**request("/say hi"))
        with client.messages.stream(**request("/say hi")) as stream:
            second = stream.get_final_message()

    assert first.usage.cache_creation_input_tokens
    assert second.usage.cache_read_input_tokens == first.usage.cache_creation_input_tokens
