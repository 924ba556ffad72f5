"""A page that shows a chat is asked to rerun when it was changed elsewhere: once, and nobody else's."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.change_watch import AWAY_S, LOOK_BACK, ChangeWatch
from services.errors import StorageUnavailable
from services.runtime.clock import stamp
from services.storage.documents import Document, Order, Where
from services.storage.store import Store
from tests.agent_fakes import FakePage, calls, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


@dataclass
class Seconds:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def changes_of(maya: Room) -> ChangeWatch:
    """Those of this replica; the test itself looks, not a heartbeat."""
    changes = maya.services.conversations.changes
    changes.on_watched = lambda: None
    return changes


def watch(maya: Room, chat: str, page: FakePage, *, student: str = "") -> bool:
    drawn = maya.services.conversations.get(maya.maya.id, chat).changed_at
    return changes_of(maya).watch(page, student or maya.maya.id, chat, drawn=drawn)


def test_a_question_in_an_open_chat_reruns_the_other_pages_of_it_and_no_others(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."), says("Three."))
    chat, _ = maya.ask("First?")
    other, _ = maya.ask("Another chat?")
    here, elsewhere, strangers = FakePage("here"), FakePage("elsewhere"), FakePage("stranger's")
    watch(maya, chat, here)
    watch(maya, other, elsewhere)
    watch(maya, chat, strangers, student=maya.sign_in("diego").id)

    maya.ask("Second?", chat)

    assert (here.reruns, elsewhere.reruns, strangers.reruns) == (1, 0, 0)


def test_the_page_that_asked_is_not_told_by_its_script_nor_by_its_post(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."), says("Three."))
    chat, _ = maya.ask("First?")
    scripted, posting, other = FakePage("scripted", runs_script=True), FakePage("posting"), FakePage("other")
    for page in (scripted, posting, other):
        watch(maya, chat, page)

    with changes_of(maya).made_by("posting"):
        maya.ask("Second?", chat)
    changes_of(maya).look()

    assert (scripted.reruns, posting.reruns, other.reruns) == (0, 0, 1)


@pytest.mark.each_store
def test_what_another_replica_changed_is_seen_with_the_next_look_and_once(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    chat, _ = maya.ask("First?")
    page = FakePage()
    watch(maya, chat, page)
    replica = maya.replica()

    replica.ask("Second?", chat)
    before = page.reruns
    changes_of(maya).look()
    changes_of(maya).look()

    assert (before, page.reruns) == (0, 1)


def test_a_page_that_was_told_learns_so_when_it_draws_and_one_that_drew_all_is_not_told_again(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    chat, _ = maya.ask("First?")
    page = FakePage()
    first = watch(maya, chat, page)
    maya.ask("Second?", chat)
    second, third = watch(maya, chat, page), watch(maya, chat, page)
    changes_of(maya).look()

    assert (first, second, third) == (False, True, False)
    assert page.reruns == 1


def test_a_page_that_is_busy_or_away_is_asked_again_when_it_is_there(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    chat, _ = maya.ask("First?")
    busy, away = FakePage("busy", is_busy=True), FakePage("away", is_there=False)
    watch(maya, chat, busy)
    watch(maya, chat, away)
    maya.ask("Second?", chat)
    changes_of(maya).look()
    early = (busy.reruns, away.reruns)
    busy.is_busy, away.is_there = False, True
    changes_of(maya).look()
    changes_of(maya).look()

    assert early == (0, 0)
    assert (busy.reruns, away.reruns) == (1, 1)


def test_a_new_name_a_deletion_and_a_decision_are_changes_but_not_what_nobody_sees(room: RoomMaker) -> None:
    maya = room(calls(("board_pin", {"text": "Mitosis"})), says("Left it."))
    maya.connect()
    chat, _ = maya.ask("Pin a note.")
    conversations = maya.services.conversations
    page = FakePage()
    told = []

    def happens(change: Callable[[], object]) -> None:
        watch(maya, chat, page)
        before = page.reruns
        change()
        told.append(page.reruns > before)

    (approval,) = maya.services.approvals.latest(maya.maya.id, 5)
    assert approval.status is ApprovalStatus.PENDING
    happens(lambda: conversations.rename(maya.maya.id, chat, "Mine"))
    happens(lambda: maya.services.turns.decide(maya.maya, approval.id, "decline"))
    maya.watch(chat)
    happens(lambda: conversations.leave_out_before(maya.maya.id, chat, 1))
    happens(lambda: conversations.add_news(maya.maya.id, chat, "Something else."))
    happens(lambda: maya.services.chats.deletion_queue.delete(maya.maya, chat))

    assert told == [True, True, False, False, True]


def test_the_pages_of_an_account_that_another_replica_deleted_are_drawn_anew(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    chat, _ = maya.ask("First?")
    page, others = FakePage("maya's"), FakePage("diego's")
    watch(maya, chat, page)
    changes_of(maya).watch(others, maya.sign_in("diego").id, "another", drawn="")

    maya.replica().services.account_deletion.delete(maya.maya.id)
    changes_of(maya).look()
    changes_of(maya).look()

    assert (page.reruns, others.reruns) == (1, 0)


def test_a_page_is_forgotten_when_it_shows_something_else_or_its_browser_stays_away() -> None:
    clock, seconds = FakeClock(), Seconds()
    changes = ChangeWatch(Store(FakeDocuments(clock=clock)), clock, monotonic=seconds)
    gone, back, left = FakePage("gone", is_there=False), FakePage("back", is_there=False), FakePage("left")
    for page in (gone, back, left):
        changes.watch(page, "maya", "c1", drawn="")
    changes.watch(left, "maya", "c2", drawn="")
    changes.unwatch("left")
    changes.look()
    back.is_there, seconds.now = True, AWAY_S - 1
    changes.look()
    back.is_there, seconds.now = False, AWAY_S + 1
    changes.look()
    changes.notify("maya", "c1", "later")
    changes.notify("maya", "c2", "later")
    back.is_there = True
    changes.look()

    assert len(changes) == 1
    assert (gone.reruns, back.reruns, left.reruns) == (0, 1, 0)


class CountingDocuments(FakeDocuments):
    """Counts queries, and fails while it is told to."""

    asked = 0
    fails = False

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        self.asked += 1
        if self.fails:
            raise StorageUnavailable("The store is away.")
        return super().find(collection, where, order=order, limit=limit, skip=skip)


def test_two_queries_serve_all_pages_none_is_made_for_none_and_one_that_failed_is_made_up_for() -> None:
    clock = FakeClock()
    documents = CountingDocuments(clock=clock)
    store = Store(documents)
    changes = ChangeWatch(store, clock)
    changes.look()
    assert documents.asked == 0

    pages = [FakePage(f"tab{number}") for number in range(50)]
    for number, page in enumerate(pages):
        changes.watch(page, "maya", f"c{number}", drawn="")
    changes.look()
    assert documents.asked == 2

    documents.fails = True
    store.for_student("maya").insert("conversations", {"id": "c7", "changed_at": stamp(clock())})
    clock.advance(seconds=2 * LOOK_BACK.total_seconds())
    changes.look()
    documents.fails = False
    changes.look()

    assert [page.id for page in pages if page.reruns] == ["tab7"]
