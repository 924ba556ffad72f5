"""MongoDB out of reach: a typed error within three seconds, and work goes on by itself afterwards."""

import logging
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from pymongo import MongoClient

from services.errors import StorageUnavailable
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.store import Store
from tests.mongo_server import DURABLE, MongoServer
from tests.services.storage.shelf import COLLECTIONS

LIMIT_S = 3.2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[MongoServer]:
    """A server of this test's own, not started yet."""
    server = MongoServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def engine(server: MongoServer) -> Iterator[MongoDocuments]:
    """It looks for the server at every call."""
    engine = MongoDocuments(f"{server.uri}/homeroom", quiet_s=0.0)
    engine.ensure_collections(COLLECTIONS)
    yield engine
    engine.close()


@pytest.fixture
def guarded_server(tmp_path: Path) -> Iterator[MongoServer]:
    """A server on which only maya may work."""
    open_server = MongoServer(tmp_path)
    open_server.start()
    with MongoClient(open_server.uri) as client:
        client.admin.command("createUser", "maya", pwd="s3cret-right", roles=["root"])
    open_server.stop()
    server = MongoServer(tmp_path, options=(*DURABLE, "--auth"))
    server.start()
    yield server
    server.kill()


def seconds_until_refused(call: Callable[[], object]) -> float:
    began = time.monotonic()
    with pytest.raises(StorageUnavailable) as caught:
        call()
    assert str(caught.value)
    assert caught.value.next_step
    return time.monotonic() - began


CALLS: list[Callable[[Documents], object]] = [
    lambda d: d.get("notes", "n1"),
    lambda d: d.insert("tickets", {"id": "t1", "seat": 1}),
    lambda d: d.increment("notes", "n1", {"n": 1}, defaults={}),
    lambda d: d.ping(),
]


def all_refused(engine: MongoDocuments) -> list[float]:
    """How long each of `CALLS` took to be refused, all of them at the same time."""
    with ThreadPoolExecutor(len(CALLS)) as pool:
        return list(pool.map(lambda call: seconds_until_refused(lambda: call(engine)), CALLS))


def test_homeroom_starts_while_the_database_is_down_and_finds_it_later(
    server: MongoServer, engine: MongoDocuments
) -> None:
    store = Store(engine)
    assert max(all_refused(engine)) < LIMIT_S
    server.start()

    store.ping()
    store.for_student("s1").put("tasks", {"id": "t1", "due_at": None})
    assert store.for_student("s1").get("tasks", "t1") is not None


def test_a_server_that_swallows_everything_is_given_up_within_three_seconds(
    server: MongoServer, engine: MongoDocuments
) -> None:
    server.start()
    engine.put("notes", {"id": "n1"})
    server.freeze()
    assert max(all_refused(engine)) < LIMIT_S
    server.thaw()

    assert engine.get("notes", "n1") is not None


def test_a_server_that_crashes_and_returns_needs_no_restart_of_ours(
    server: MongoServer, engine: MongoDocuments
) -> None:
    server.start()
    engine.put("notes", {"id": "n1", "by": "before"})
    server.kill()
    assert seconds_until_refused(lambda: engine.put("notes", {"id": "n1", "by": "lost"})) < LIMIT_S
    server.start()

    assert engine.get("notes", "n1") == {"id": "n1", "by": "before"}
    engine.put("notes", {"id": "n1", "by": "after"})
    assert engine.get("notes", "n1") == {"id": "n1", "by": "after"}


@pytest.mark.parametrize("outage", [MongoServer.kill, MongoServer.freeze])
def test_after_one_call_that_waited_in_vain_all_others_are_refused_at_once(
    server: MongoServer, outage: Callable[[MongoServer], None]
) -> None:
    with closing(MongoDocuments(f"{server.uri}/homeroom", quiet_s=60.0)) as engine:
        engine.ensure_collections(COLLECTIONS)
        server.start()
        engine.put("notes", {"id": "n1"})
        outage(server)
        seconds_until_refused(lambda: engine.get("notes", "n1"))

        waits = all_refused(engine)

    assert max(waits) < 1


def test_one_call_at_a_time_finds_out_whether_the_server_is_back(server: MongoServer, engine: MongoDocuments) -> None:
    server.start()
    engine.put("notes", {"id": "n1"})
    server.freeze()
    seconds_until_refused(lambda: engine.get("notes", "n1"))

    waits = sorted(all_refused(engine))

    assert max(waits[:-1]) < 1 < waits[-1] < LIMIT_S


def test_a_wrong_password_is_said_once_without_repeating_it(
    guarded_server: MongoServer, caplog: pytest.LogCaptureFixture
) -> None:
    engine = MongoDocuments(f"mongodb://maya:s3cret-wrong@127.0.0.1:{guarded_server.port}/homeroom?authSource=admin")
    engine.ensure_collections(COLLECTIONS)
    with caplog.at_level(logging.ERROR), pytest.raises(StorageUnavailable, match="refused") as caught:
        engine.get("notes", "n1")
    assert max(all_refused(engine)) < 1

    assert "MONGODB_URI" in caught.value.remedy
    said = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + caught.value.remedy + caplog.text
    assert "s3cret" not in said
    assert [record.message for record in caplog.records] == ["mongo_sign_in_refused"]
    engine.close()


def test_the_right_password_opens_the_same_server(guarded_server: MongoServer) -> None:
    engine = MongoDocuments(f"mongodb://maya:s3cret-right@127.0.0.1:{guarded_server.port}/homeroom?authSource=admin")
    engine.ensure_collections(COLLECTIONS)
    engine.put("notes", {"id": "n1"})

    assert engine.get("notes", "n1") == {"id": "n1"}
    engine.close()
