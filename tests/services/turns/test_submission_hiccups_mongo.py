"""MongoDB fails once while a message is taken in (R73): it is busy or away, and is taken when it is sent again.

Its batches are not atomic: a failure leaves a part of them.
"""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from pymongo import MongoClient

from services.conversations.items import UserMessage
from services.errors import MessageUnderWay, StorageUnavailable
from services.runtime.clock import utc_now
from services.storage.documents import write_in_order
from services.storage.mongo import MongoDocuments
from services.turns import submissions
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock, FollowedClock
from tests.rooms import Room
from tests.services.turns.test_store_hiccups import VERBS, Hiccup
from tests.telling import telling

WAYS = [(is_new, is_lost) for is_new in (True, False) for is_lost in (False, True)]
CALLS = 24
"""More than a message takes."""


@pytest.fixture
def mongo(
    mongo_uri: str, mongo_client: MongoClient[dict[str, object]], engine_clock: FollowedClock
) -> Iterator[MongoDocuments]:
    name = f"test_{secrets.token_hex(4)}"
    engine = MongoDocuments(f"{mongo_uri}/{name}", clock=engine_clock)
    yield engine
    engine.close()
    mongo_client.drop_database(name)


@pytest.mark.parametrize(("is_new", "is_lost", "step"), telling([(*way, 1) for way in WAYS], lambda way: False))
def test_every_failing_call_of_mongodb_leaves_a_message_that_is_taken_when_sent_again(
    mongo: MongoDocuments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool, is_lost: bool, step: int
) -> None:
    _send_over_failing_calls(mongo, tmp_path, monkeypatch, is_new, is_lost, range(0, CALLS, step))


def test_a_failing_call_of_mongodb_leaves_a_message_that_is_taken_when_sent_again(
    mongo: MongoDocuments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _send_over_failing_calls(mongo, tmp_path, monkeypatch, False, True, range(2, 11, 4))


def _send_over_failing_calls(
    mongo: MongoDocuments,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_new: bool,
    is_lost: bool,
    calls: range,
) -> None:
    monkeypatch.setattr(submissions, "UNDER_WAY_S", 2.0)
    model = FakeModel(*[says("Hello.")] * (3 * len(calls) + 3))
    maya = Room(engine=mongo, data_dir=tmp_path, model=model, clock=FakeClock(utc_now()))
    works = {verb: getattr(mongo, verb) for verb in VERBS}
    # As MongoDB breaks a batch off: what comes before the failure is done.
    monkeypatch.setattr(mongo, "write_all", lambda writes: write_in_order(mongo, writes))
    refusals = 0
    for at in calls:
        chat, _ = maya.ask("Hi")
        sent = {"key": f"key-{at}", "conversation_id": None if is_new else chat}
        hiccup = Hiccup(mongo, at, is_lost=is_lost)  # type: ignore[arg-type]
        try:
            maya.services.submissions.submit(maya.maya, "And?", (), **sent)  # type: ignore[arg-type]
        except (StorageUnavailable, MessageUnderWay):
            refusals += 1
        hiccup.is_over()
        for verb, work in works.items():
            setattr(mongo, verb, work)

        taken = maya.services.submissions.submit(maya.maya, "And?", (), **sent)  # type: ignore[arg-type]

        maya.watch(taken.conversation_id)
        asked = [item.text for item in maya.items(taken.conversation_id) if isinstance(item, UserMessage)]
        assert asked == [*([] if is_new else ["Hi"]), "And?"], f"call {at}"
    assert refusals
