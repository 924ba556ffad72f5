"""The stream: whole views, joined, for any number of followers."""

import itertools
import threading
import time

import pytest

from services.conversations.items import (
    ApprovalItem,
    AssistantText,
    NoticeItem,
    ToolLine,
    UserMessage,
    from_json,
    to_json,
)
from services.conversations.turn_records import Notice, TurnStatus
from services.llm.citations import Source
from services.turns import stream as stream_module
from services.turns.events import ApprovalRequested, StepStored, TextDelta, TextEnded, ToolFinished, ToolStarted
from services.turns.stream import (
    MAX_INTERVAL_S,
    MIN_INTERVAL_S,
    UPDATES_PER_S,
    StreamThrottle,
    TurnStream,
    update_interval_s,
)
from tests.agent_fakes import WAIT_S


def started(call_id: str) -> ToolStarted:
    return ToolStarted(call_id=call_id, name="look", label="Looking", arguments={"a": 1})


def test_words_are_one_item_until_their_step_is_stored() -> None:
    stream = TurnStream("t", next_seq=2)
    for word in ("One ", "two"):
        stream.apply(TextDelta(text=word))
    before, unsaved = stream.view().items, stream.unsaved()
    stream.apply(StepStored(seq=2))

    assert before == [AssistantText(text="One two")]
    assert unsaved == ("One two", 2)
    assert (stream.view().items, stream.unsaved()) == ([AssistantText(text="One two", seq=2)], ("", 3))


def test_a_call_changes_in_its_place_and_a_write_gives_way_to_its_card() -> None:
    stream = TurnStream("t", next_seq=2)
    source = Source(title="Board", url="https://board.example")
    for event in (started("a"), started("b")):
        stream.apply(event)
    stream.apply(ApprovalRequested(approval_id="p", call_id="b"))
    stream.apply(ToolFinished(call_id="a", success=False, sentence="Down.", seconds=0.5, sources=(source,)))

    line, card = stream.view().items

    assert isinstance(line, ToolLine)
    assert (line.success, line.sentence, line.seconds, line.sources) == (False, "Down.", 0.5, (source,))
    assert card == ApprovalItem(approval_id="p")


def test_a_call_that_runs_says_how_far_it_is_until_it_is_done() -> None:
    stream = TurnStream("t", next_seq=2)
    stream.apply(started("a"))
    stream.tell("a", "3 of 9")
    stream.tell("elsewhere", "1 of 1")
    running = stream.view().items
    stream.apply(ToolFinished(call_id="a", success=True))
    stream.tell("a", "9 of 9")

    assert [getattr(item, "note", None) for item in running] == ["3 of 9"]
    assert [getattr(item, "note", None) for item in stream.view().items] == [""]


def test_after_the_end_nothing_goes_in_and_the_first_end_counts() -> None:
    stream = TurnStream("t", next_seq=2)
    stream.apply(TextDelta(text="One"))

    kept = stream.end(TurnStatus.STOPPED, Notice(sentence="You stopped this answer."))
    late = stream.apply(TextDelta(text=" two"))
    stream.end(TurnStatus.DONE)

    assert (kept, late) == (("One", 2), False)
    assert stream.view().status is TurnStatus.STOPPED
    assert stream.view().items == [AssistantText(text="One"), NoticeItem(sentence="You stopped this answer.")]


def test_what_is_not_stored_yet_is_taken_before_followers_hear_of_the_end() -> None:
    stream = TurnStream("t1", next_seq=2)
    stream.apply(TextDelta(text="Half a"))

    assert stream.close() == ("Half a", 2)
    assert not stream.is_over
    assert not stream.apply(TextDelta(text=" sentence"))

    assert stream.end(TurnStatus.STOPPED) == ("", 2)
    assert [item.text for item in stream.view().items if isinstance(item, AssistantText)] == ["Half a"]


def test_a_thousand_words_are_joined_into_at_most_twelve_views_a_second() -> None:
    stream = TurnStream("t", next_seq=2)

    def speak() -> None:
        for _ in range(1000):
            stream.apply(TextDelta(text="word "))
            time.sleep(0.0005)
        stream.end(TurnStatus.DONE)

    began = time.monotonic()
    threading.Thread(target=speak).start()
    views = list(stream.follow())
    seconds = time.monotonic() - began

    assert len(views) <= 12 * seconds + 3
    assert views[-1].items == [AssistantText(text="word " * 1000)]
    assert [view.version for view in views] == sorted({view.version for view in views})


def test_the_first_words_do_not_wait_for_the_pause_between_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "MIN_INTERVAL_S", 3 * WAIT_S)
    stream = TurnStream("t", next_seq=2)
    views, began = stream.follow(), time.monotonic()
    next(views)
    stream.apply(TextDelta(text="One"))

    assert next(views).items == [AssistantText(text="One")]
    assert time.monotonic() - began < WAIT_S


def test_the_last_words_of_a_step_do_not_wait_for_it_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "MIN_INTERVAL_S", 3 * WAIT_S)
    monkeypatch.setattr(stream_module, "MAX_INTERVAL_S", 3 * WAIT_S)
    stream = TurnStream("t", next_seq=2)
    stream.apply(TextDelta(text="One"))
    views, began = stream.follow(), time.monotonic()
    next(views)
    stream.apply(TextDelta(text=" two"))
    stream.apply(TextEnded())

    assert next(views).items == [AssistantText(text="One two")]
    assert time.monotonic() - began < WAIT_S


def test_a_page_that_draws_slowly_is_given_fewer_views() -> None:
    stream = TurnStream("t", next_seq=2)
    views = stream.follow()

    def speak() -> None:
        while stream.apply(TextDelta(text="word ")):
            time.sleep(0.001)

    speaker = threading.Thread(target=speak)
    speaker.start()
    next(views)
    given = []
    for _ in range(3):
        next(views)
        given.append(time.monotonic())
        time.sleep(0.02)
    stream.end(TurnStatus.DONE)
    speaker.join(WAIT_S)

    assert min(later - earlier for earlier, later in itertools.pairwise(given)) >= 3 * stream_module.MIN_INTERVAL_S


def test_a_quiet_turn_is_given_out_again_so_that_a_closed_page_notices() -> None:
    stream = TurnStream("t", next_seq=2)
    views = stream.follow()

    first, second = next(views), next(views)

    assert first == second


def test_the_end_reaches_every_follower_at_once() -> None:
    stream = TurnStream("t", next_seq=2)
    seen: list[TurnStatus] = []
    ready = threading.Barrier(6)

    def follow() -> None:
        views = stream.follow()
        next(views)
        ready.wait(WAIT_S)
        seen.extend(view.status for view in views if view.status is not TurnStatus.RUNNING)

    threads = [threading.Thread(target=follow) for _ in range(5)]
    for thread in threads:
        thread.start()
    ready.wait(WAIT_S)
    stream.end(TurnStatus.DONE)
    for thread in threads:
        thread.join(WAIT_S)

    assert seen == [TurnStatus.DONE] * 5


def test_items_survive_the_store() -> None:
    source = Source(title="Board", url="https://board.example")
    items = [
        UserMessage(text="Hi", seq=1),
        AssistantText(text="Hello", seq=2),
        ToolLine(call_id="c", label="Looking", name="look", arguments={"a": [1]}, success=True, sources=(source,)),
        ToolLine(call_id="d", label="Asking", name="ask_assistant", arguments={}, success=True, steps=("Looking",)),
        ApprovalItem(approval_id="p"),
        NoticeItem(sentence="Stopped.", next_step="Go on.", action="continue"),
    ]

    assert from_json(to_json(items)) == items


@pytest.mark.parametrize("pages", [0, 1, 5, 12])
def test_a_few_pages_are_told_twelve_times_a_second(pages: int) -> None:
    assert update_interval_s(pages) == MIN_INTERVAL_S


@pytest.mark.parametrize("pages", [20, 50, 75])
def test_many_pages_share_what_one_process_can_draw(pages: int) -> None:
    assert pages / update_interval_s(pages) == pytest.approx(UPDATES_PER_S)


@pytest.mark.parametrize("pages", [76, 200, 10_000])
def test_words_still_flow_however_many_follow(pages: int) -> None:
    assert update_interval_s(pages) == MAX_INTERVAL_S


def test_a_page_that_went_away_does_not_count_any_more() -> None:
    throttle = StreamThrottle()
    with throttle.count_page():
        for _ in range(49):
            with throttle.count_page():
                pass
        alone = throttle.interval_s

    assert alone == MIN_INTERVAL_S
