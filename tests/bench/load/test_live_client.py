"""The benchmark's side of the live route reads what a browser would read, however the bytes are cut."""

import pytest

from bench.load.live_client import read_events, timing_of
from bench.load.paced_model import TOKENS, words, writes

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
EVENTS = (
    b': \n\nid: 1\nevent: snapshot\ndata: {"items": []}\n\n',
    b'id: 2\nevent: text\ndata: {"n": 0, "text": "word1 "}\n\nid: 3\nevent: text\ndata: {"n": 0, "text": "word2"}\n\n',
    b'id: 4\nevent: end\ndata: {"status": "done"}\n\n',
)


def _chunk(content: bytes) -> bytes:
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"


def _answer() -> bytes:
    return HEAD + b"".join(map(_chunk, EVENTS)) + b"0\r\n\r\n"


@pytest.mark.parametrize("size", range(1, 80, 7))
def test_events_are_the_same_however_the_bytes_were_cut(size: int) -> None:
    answer = _answer()
    pieces = [(float(at), answer[at : at + size]) for at in range(0, len(answer), size)]

    assert [event.name for event in read_events(pieces)] == ["snapshot", "text", "text", "end"]


def test_a_word_has_come_when_the_last_byte_of_its_event_has() -> None:
    first, second, third = (_chunk(event) for event in EVENTS)
    pieces = [(0.1, HEAD + first), (0.2, second[:-20]), (0.3, second[-20:] + third), (0.4, b"0\r\n\r\n")]

    timing = timing_of(read_events(pieces), 2)

    assert (timing.first_s, timing.last_s) == (0.3, 0.3)


def test_an_answer_without_its_last_word_is_a_failure() -> None:
    with pytest.raises(AssertionError, match="never arrived whole"):
        timing_of(read_events([(0.1, _answer())]), 3)


def test_a_refusal_is_no_stream() -> None:
    with pytest.raises(AssertionError, match="no stream came"):
        list(read_events([(0.1, b"HTTP/1.1 204 No Content\r\n\r\n")]))


def test_the_paced_model_says_all_its_words_one_at_a_time() -> None:
    said = writes()
    events = read_events([(0.0, b"".join(said))])
    texts = [event.data["delta"]["text"] for event in events if event.name == "content_block_delta"]

    assert len(said) == TOKENS + 1
    assert texts == words()
