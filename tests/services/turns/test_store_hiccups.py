"""The store fails once, at any moment of what holds a lease: nothing stays locked, and what was begun ends."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.turn_records import TurnStatus
from services.errors import HomeroomError, ModelUnavailable, StorageUnavailable
from services.runtime.clock import stamp
from services.turns.turn import turn_lease
from tests.agent_fakes import WAIT_S, FakeModel, calls, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from tests.services.approvals.asking import PIN, asked, settled
from tests.telling import telling

VERBS = ("insert", "find", "compare_and_set", "put", "increment", "delete")
Act = Callable[[], object]


class Hiccup:
    """Lets one call to the engine fail: the one at `at` of this thread, before it is done or only its answer."""

    def __init__(self, engine: FakeDocuments, at: int, *, is_lost: bool) -> None:
        self._left, self._is_lost, self._thread = at, is_lost, threading.get_ident()
        for verb in VERBS:
            setattr(engine, verb, self._failing(getattr(engine, verb)))

    def is_over(self) -> bool:
        """Nothing fails from here on; whether anything did."""
        self._thread = 0
        return self._left < 0

    def _failing(self, works: Callable[..., Any]) -> Callable[..., Any]:
        def once(*arguments: Any, **named: Any) -> Any:
            if threading.get_ident() != self._thread:
                return works(*arguments, **named)
            self._left -= 1
            if self._left == -1 and not self._is_lost:
                raise StorageUnavailable("The store does not answer.")
            answer = works(*arguments, **named)
            if self._left == -1:
                raise StorageUnavailable("The store did not confirm it.")
            return answer

        return once


def retried(maya: Room) -> tuple[str, Act]:
    """A turn that failed before a word, and Retry."""
    conversation, failed = maya.ask("Hi")
    assert failed.status is TurnStatus.FAILED
    return conversation, lambda: maya.services.turns.retry(maya.maya, conversation)


def continued(maya: Room) -> tuple[str, Act]:
    """A turn that broke off after a few words, and Continue."""
    conversation, broken = maya.ask("Hi")
    assert broken.status is TurnStatus.INTERRUPTED
    return conversation, lambda: maya.services.turns.resume(maya.maya, conversation)


def approved(maya: Room) -> tuple[str, Act]:
    conversation, approval = asked(maya)
    return conversation, lambda: maya.services.turns.decide(maya.maya, approval.id, "approve")


def declined(maya: Room) -> tuple[str, Act]:
    """A card, and the word that ends it: the turn goes on in the same click."""
    conversation, approval = asked(maya)
    return conversation, lambda: maya.services.turns.decide(maya.maya, approval.id, "decline")


def undone(maya: Room) -> tuple[str, Act]:
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.watch(conversation)
    assert settled(maya, approval.id).can_undo
    return conversation, lambda: maya.services.turns.undo(maya.maya, approval.id)


def recovered(maya: Room) -> tuple[str, Act]:
    """A turn whose process is gone, and the round that tidies it up."""
    conversation = maya.services.conversations.create(maya.maya.id)
    lease = turn_lease(maya.maya.id, conversation, turn_id="turn", run="run")
    document = {"id": lease.name, "kind": "turn", "student": maya.maya.id, "work": "turn", "holder": "run", "until": ""}
    maya.services.store.shared.insert("leases", document)
    question: Any = {"role": "user", "content": [{"type": "text", "text": "Hi"}], "meta": {"turn_id": "turn"}}
    maya.services.conversations.append_message(maya.maya.id, conversation, **question)
    return conversation, maya.services.turns.recover


def finished(maya: Room) -> tuple[str, Act]:
    """A write whose process is gone, and the round that finishes it."""
    conversation, approval = asked(maya)
    begun = {"status": "executing", "began_at": "2026-11-23T15:00:00.000000Z"}
    maya.services.store.for_student(maya.maya.id).compare_and_set("approvals", approval.id, {}, begun)
    name = f"approval/{maya.maya.id}/{approval.id}"
    lease = {"kind": "approval", "student": maya.maya.id, "work": approval.id, "holder": "dead", "until": ""}
    maya.services.store.shared.insert("leases", {"id": name, **lease})
    return conversation, maya.services.turns.recover


DOWN = ModelUnavailable("The model does not answer.")
SCENES = {
    retried: [DOWN],
    continued: [[*says("One two")[:1], DOWN]],
    approved: [calls(PIN)],
    declined: [calls(PIN)],
    undone: [calls(PIN)],
    recovered: [],
    finished: [calls(PIN)],
}


@pytest.mark.parametrize(
    ("scene", "is_lost"),
    telling(
        [(scene, is_lost) for scene in SCENES for is_lost in (False, True)],
        lambda row: not row[1] or row[0] in (approved, recovered),
    ),
    ids=lambda value: getattr(value, "__name__", "done, not confirmed" if value else "not done"),
)
def test_no_chat_and_no_card_stays_locked_whichever_call_to_the_store_fails(
    scene: Callable[[Room], tuple[str, Act]], is_lost: bool, tmp_path: Path
) -> None:
    at, has_happened = 0, True
    while has_happened:
        clock = FakeClock()
        engine = FakeDocuments(clock=clock)
        maya = Room(
            engine=engine, data_dir=tmp_path, model=FakeModel(*SCENES[scene], *[says("Here.")] * 4), clock=clock
        )
        maya.connect()
        conversation, act = scene(maya)
        hiccup = Hiccup(engine, at, is_lost=is_lost)

        _quietly(act)
        has_happened = hiccup.is_over()
        _tidied_up(maya, clock)

        assert not _doing(maya), f"call {at}"
        _, last = maya.ask("Hello?", conversation)
        assert last.status is TurnStatus.DONE, f"call {at}"
        maya.services.turns.drain(WAIT_S)
        at += 1
    assert at > 3


def test_what_is_being_done_without_anybody_is_finished_once(tmp_path: Path) -> None:
    clock = FakeClock()
    maya = Room(
        engine=FakeDocuments(clock=clock), data_dir=tmp_path, model=FakeModel(calls(PIN), says("Done.")), clock=clock
    )
    maya.connect()
    conversation, approval = asked(maya)
    begun = {"status": "executing", "began_at": "2026-11-23T15:00:00.000000Z"}
    maya.services.store.for_student(maya.maya.id).compare_and_set("approvals", approval.id, {}, begun)

    maya.services.turns.recover()
    before = maya.services.approvals.get(maya.maya.id, approval.id).status
    clock.advance(seconds=90)
    maya.services.turns.recover()
    maya.services.turns.recover()
    after = settled(maya, approval.id).status

    assert (before, after) == (ApprovalStatus.EXECUTING, ApprovalStatus.DONE)
    assert maya.watch(conversation).status is TurnStatus.DONE
    assert maya.board.pins == [approval.id]
    maya.services.turns.drain(WAIT_S)


def _quietly(act: Act) -> None:
    try:
        act()
    except HomeroomError:
        """The student was told."""


def _tidied_up(maya: Room, clock: FakeClock) -> None:
    """What the heartbeat and the jobs do in the two minutes after it, each time until nothing runs any more.

    A lease that is over is not waited for: recovery leaves one alone for a minute when the store failed at it.
    """
    for _ in range(4):
        deadline = time.monotonic() + WAIT_S / 4
        clock.advance(seconds=30)
        leases: Any = maya.services.turns._leases
        leases.renew_all()
        maya.services.turns.recover()
        held = {"until": {"$gte": stamp(clock())}}
        while maya.services.store.shared.find("leases", held) and time.monotonic() < deadline:
            time.sleep(0.005)


def _doing(maya: Room) -> list[Any]:
    wanted = {"status": {"$in": ["executing", "undoing"]}}
    return maya.services.store.for_student(maya.maya.id).find("approvals", wanted)
