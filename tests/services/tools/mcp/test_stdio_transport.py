"""Lines come out as they went in, however they were cut; what is too long is dropped and counted."""

from hypothesis import given
from hypothesis import strategies as st

from services.tools.mcp.limits import per_minute
from services.tools.mcp.stdio_transport import LineFramer, OversizedLine, ids_in


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"").rstrip(b"\r"))), st.integers(1, 17))
def test_lines_survive_any_cutting(lines: list[bytes], size: int) -> None:
    wire = b"".join(line + b"\n" for line in lines)
    splitter = LineFramer(1_000)

    found = [line for start in range(0, len(wire), size) for line in splitter.feed(wire[start : start + size])]

    assert found == lines


@given(st.integers(1_001, 5_000), st.integers(1, 4_000))
def test_a_long_line_is_dropped_and_the_next_one_is_whole(length: int, size: int) -> None:
    wire = b"x" * length + b"\nnext\n"
    splitter = LineFramer(1_000)

    found = [line for start in range(0, len(wire), size) for line in splitter.feed(wire[start : start + size])]

    assert found == [OversizedLine(size=length, ids=()), b"next"]


def test_a_long_line_keeps_almost_nothing_in_memory() -> None:
    splitter = LineFramer(1_000)

    for _ in range(1_000):
        assert list(splitter.feed(b"x" * 100_000)) == []

    assert len(splitter._rest) < 1_000


def test_the_request_that_a_long_line_answered_is_found_at_either_end() -> None:
    body = b"x" * 5_000
    first, last = b'{"jsonrpc":"2.0","id":7,"result":"' + body + b'"}', b'{"result":"' + body + b'","id": 8}'
    splitter = LineFramer(1_000)

    found = list(splitter.feed(first + b"\n" + last + b"\n"))

    assert [line.ids for line in found if isinstance(line, OversizedLine)] == [(7,), (8,)]
    assert ids_in(b"Server listening on port 7") == ()


def test_an_allowance_comes_back_with_time() -> None:
    now = [0.0]
    allowance = per_minute(60, lambda: now[0])

    assert allowance.spend(60)
    assert not allowance.spend(1)
    now[0] = 5.0
    assert allowance.spend(4)
    allowance.refill()
    assert allowance.spend(60)
