"""Events are the same however an answer is cut into pieces."""

from itertools import pairwise

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.llm.anthropic_events import EventParser, ServerSentEvent

WRITTEN = (
    "event: a\ndata: {}\n\n: comment\n\nevent: ping\ndata: {}\n\nevent:b\ndata:Olé ☀\ndata: two\nid: 7\n\ndata: c\n\n"
)
EVENTS = [ServerSentEvent("a", "{}"), ServerSentEvent("b", "Olé ☀\ntwo")]


def parsed(pieces: list[bytes]) -> list[ServerSentEvent]:
    parser = EventParser(most_bytes=10_000, longest=1_000)
    return [event for piece in pieces for event in parser.feed(piece)] + list(parser.end())


@given(cuts=st.lists(st.integers(min_value=0, max_value=200)), ending=st.sampled_from(["\n", "\r\n", "\r"]))
def test_events_do_not_depend_on_where_their_bytes_are_cut(cuts: list[int], ending: str) -> None:
    written = ("\ufeff" + WRITTEN.replace("\n", ending)).encode()
    places = sorted({0, *cuts, len(written)})

    pieces = [written[start:stop] for start, stop in pairwise(places)]

    assert parsed(pieces) == EVENTS


def test_an_event_that_the_answer_does_not_end_is_none() -> None:
    assert parsed([b"event: a\ndata: {}\n"]) == []


@pytest.mark.parametrize(
    "piece", [b"x" * 600, b"data: " + b"x" * 600 + b"\n", b"\n" * 6_000], ids=["line", "event", "answer"]
)
def test_more_than_anybody_asked_for_is_refused(piece: bytes) -> None:
    with pytest.raises(httpx2.DecodingError):
        parsed([piece, piece])
