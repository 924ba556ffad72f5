"""Why an answer had its tools: said by the stored messages alone, and carried by the turn's last words."""

import json
from typing import Any

from services.conversations.items import AssistantText, from_json, items_of, to_json
from services.discovery.explanation import explain_loading
from services.llm.messages import StoredMessage, text_block
from services.turns.events import StepStored, TextDelta
from services.turns.stream import TurnStream

PLAN = {
    "strategy": "append",
    "model": "claude-haiku-5-5",
    "contexts": [["calendar", 0.93], ["courses", 0.71]],
    "loaded": ["calendar_events"],
    "added": ["calendar_events"],
    "found": [],
    "offered": 62,
}
USAGE = {"input_tokens": 5, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 95, "output_tokens": 40}


def said(seq: int, text: str, **meta: Any) -> StoredMessage:
    return StoredMessage(seq=seq, role="assistant", content=(text_block(text),), meta={"turn_id": "t", **meta})


def test_the_requests_of_a_turn_are_told_together() -> None:
    searched = {**PLAN, "found": ["web_search"], "added": []}
    messages = [said(2, "Let me look.", plan=PLAN, usage=USAGE), said(4, "Here.", plan=searched, usage=USAGE)]

    why = explain_loading(messages)

    assert why is not None
    assert (why.contexts, why.loaded) == ((("calendar", 0.93), ("courses", 0.71)), ("calendar_events",))
    assert (why.added, why.found, why.offered) == (("calendar_events",), ("web_search",), 62)
    assert (why.read, why.cached, why.written) == (2_000, 1_800, 80)


def test_what_was_called_is_told_though_no_context_was_found() -> None:
    call = {"type": "tool_use", "id": "1", "name": "canvas_get_grades", "input": {}}
    asked = StoredMessage(
        seq=2, role="assistant", content=(call, {**call, "id": "2"}), meta={"plan": {**PLAN, "contexts": []}}
    )

    why = explain_loading([asked])

    assert why is not None
    assert why.used == ("canvas_get_grades",)


def test_messages_of_an_earlier_version_say_nothing() -> None:
    assert explain_loading([said(2, "Hello.", usage=USAGE)]) is None


def test_only_the_last_words_of_a_turn_carry_it() -> None:
    messages = [said(2, "Let me look.", plan=PLAN, usage=USAGE), said(4, "Here.", plan=PLAN, usage=USAGE)]

    first, last = items_of(messages, [])

    assert isinstance(first, AssistantText)
    assert isinstance(last, AssistantText)
    assert first.why is None
    assert last.why == explain_loading(messages)


def test_it_travels_with_the_words_through_the_store_and_while_they_come() -> None:
    why = explain_loading([said(2, "Here.", plan=PLAN, usage=USAGE)])
    feed = TurnStream("t", next_seq=2)
    feed.apply(TextDelta(text="Here."))
    feed.apply(StepStored(seq=2, why=why))

    (item,) = from_json(json.loads(json.dumps(to_json(feed.view().items))))

    assert isinstance(item, AssistantText)
    assert item.why == why
