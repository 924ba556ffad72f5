"""History: whatever is stored, the next request is one that the API takes."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.llm.messages import StoredMessage, result_block, text_block
from services.prompt.request_messages import INTERRUPTED, api_messages, later_start, without_long_results


def question(seq: int, text: str = "Hi") -> StoredMessage:
    return StoredMessage(seq=seq, role="user", content=(text_block(text),), meta={"turn_id": str(seq)})


def answer(seq: int, *blocks: Any) -> StoredMessage:
    return StoredMessage(seq=seq, role="assistant", content=blocks or (text_block("Hello."),), meta={})


def results(seq: int, *ids: str, text: str = "ok") -> StoredMessage:
    blocks = tuple(result_block(id, text) for id in ids)
    return StoredMessage(seq=seq, role="user", content=blocks, meta={"results": {id: {} for id in ids}})


def use(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "look", "input": {}}


def test_a_plain_conversation_is_sent_as_it_is() -> None:
    stored = [question(1), answer(2, use("a")), results(3, "a"), answer(4)]

    assert api_messages(stored) == [{"role": m.role, "content": list(m.content)} for m in stored]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    messages = api_messages([question(1), answer(2, use("a"), use("b")), question(3, "And?")])

    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    *repaired, text = messages[2]["content"]
    assert [(b["tool_use_id"], b["is_error"], b["content"][0]["text"]) for b in repaired] == [
        ("a", True, INTERRUPTED),
        ("b", True, INTERRUPTED),
    ]
    assert text == text_block("And?")


def test_a_call_at_the_very_end_is_answered_too() -> None:
    assert api_messages([question(1), answer(2, use("a"))])[-1]["content"][0]["tool_use_id"] == "a"


def test_results_without_a_call_are_dropped() -> None:
    assert api_messages([results(1, "gone"), question(2)]) == [{"role": "user", "content": [text_block("Hi")]}]


def test_a_conversation_that_begins_with_the_assistant_begins_later() -> None:
    assert api_messages([answer(1), question(2)])[0]["role"] == "user"


messages = st.lists(
    st.one_of(
        st.just("question"),
        st.lists(st.sampled_from(["words", "call", "call"]), min_size=1, max_size=3),
        st.lists(st.integers(0, 6), max_size=3),
    ),
    max_size=12,
)


@given(messages)
def test_any_stored_conversation_is_a_valid_request(shape: list[Any]) -> None:
    number = 0
    stored = []
    for seq, part in enumerate(shape, 1):
        if part == "question":
            stored.append(question(seq))
        elif part and isinstance(part[0], str):
            blocks = []
            for kind in part:
                number += 1
                blocks.append(text_block("Words.") if kind == "words" else use(f"c{number}"))
            stored.append(answer(seq, *blocks))
        else:
            stored.append(results(seq, *dict.fromkeys(f"c{id}" for id in part)))

    sent = api_messages(stored)

    assert [m["role"] for m in sent] == [("user", "assistant")[index % 2] for index in range(len(sent))]
    for index, message in enumerate(sent):
        assert message["content"]
        wanted = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        given_now = [b["tool_use_id"] for b in message["content"] if b["type"] == "tool_result"]
        before = sent[index - 1]["content"] if index else []
        assert given_now == [b["id"] for b in before if b["type"] == "tool_use"]
        assert not wanted or index + 1 < len(sent)
    assert api_messages(stored) == sent


def test_a_conversation_that_is_too_long_starts_at_a_later_question() -> None:
    long = "x" * 1000
    stored = [question(1, long), answer(2), question(3, long), answer(4), question(5, long), answer(6), question(7)]

    assert later_start(stored) == 5


def test_a_single_question_cannot_start_later_but_its_results_can_go() -> None:
    stored = [question(1), answer(2, use("a")), results(3, "a", text="y" * 5000)]

    shorter = without_long_results(api_messages(stored))

    assert later_start(stored) is None
    assert "yyy" not in str(shorter)
    assert shorter[2]["content"][0]["tool_use_id"] == "a"
