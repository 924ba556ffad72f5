"""The laws of `Documents` on many at once, and on what expires."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest

from services.errors import DuplicateDocument
from services.runtime.clock import stamp
from services.storage.documents import Documents
from tests.fakes import FakeClock
from tests.services.storage.shelf import book, ids


class RacesContract:
    """A subclass brings the fixture `documents`."""

    def test_of_many_swaps_at_once_exactly_one_wins(self, documents: Documents) -> None:
        for round in range(10):
            documents.put("notes", {"id": "n1", "status": "pending"})
            changes = [{"status": "executing", "by": f"{round}-{n}"} for n in range(4)]
            won = _at_once(
                [lambda c=c: documents.compare_and_set("notes", "n1", {"status": "pending"}, c) for c in changes]
            )

            winners = [document for document in won if document is not None]
            assert len(winners) == 1
            assert documents.get("notes", "n1") == winners[0]

    def test_of_many_inserts_at_once_exactly_one_wins(self, documents: Documents) -> None:
        for place in range(10):
            outcomes = _at_once([lambda n=n, p=place: self._inserted(documents, f"{p}-{n}", p) for n in range(4)])

            assert sorted(outcomes) == [False, False, False, True]

    def test_increments_at_once_all_count(self, documents: Documents) -> None:
        def add_ten() -> None:
            for _ in range(10):
                documents.increment("notes", "d1", {"calls": 1}, defaults={"calls": 0})

        _at_once([add_ten] * 4)

        assert documents.get("notes", "d1") == {"id": "d1", "calls": 40}

    def test_puts_at_once_leave_one_whole_document(self, documents: Documents) -> None:
        for round in range(10):
            put = [{"id": f"n{round}", "by": n, "again": n} for n in range(4)]
            _at_once([lambda d=d: documents.put("notes", d) for d in put])

            assert documents.get("notes", f"n{round}") in put

    def _inserted(self, documents: Documents, id: str, place: int) -> bool:
        try:
            documents.insert("books", book(id, place=place))
        except DuplicateDocument:
            return False
        return True


class ExpiryContract:
    """A subclass brings the fixtures `documents` and `clock`."""

    def test_what_has_expired_is_gone_for_everybody(self, documents: Documents, clock: FakeClock) -> None:
        documents.insert("tickets", self._ticket("t1", clock))
        documents.insert("tickets", {"id": "t2", "seat": 2})
        clock.advance(minutes=10)

        assert documents.get("tickets", "t1") is None
        assert ids(documents.find("tickets", {})) == ["t2"]
        assert documents.count("tickets", {}) == 1
        assert documents.compare_and_set("tickets", "t1", {}, {"used": True}) is None
        assert documents.delete("tickets", {"seat": 1}) == 0

    def test_until_it_expires_it_is_there(self, documents: Documents, clock: FakeClock) -> None:
        documents.insert("tickets", self._ticket("t1", clock))
        clock.advance(minutes=9, seconds=59)

        assert documents.get("tickets", "t1") is not None

    @pytest.mark.parametrize("verb", ["insert", "put", "increment"])
    def test_what_has_expired_makes_room(self, documents: Documents, clock: FakeClock, verb: str) -> None:
        documents.insert("tickets", self._ticket("t1", clock))
        clock.advance(minutes=10)
        again = {**self._ticket("t1", clock), "uses": 1}
        if verb == "increment":
            documents.increment("tickets", "t1", {"uses": 1}, defaults=self._ticket("t1", clock))
        else:
            getattr(documents, verb)("tickets", again)

        assert documents.get("tickets", "t1") == again

    def test_an_expiry_can_be_moved(self, documents: Documents, clock: FakeClock) -> None:
        documents.insert("tickets", self._ticket("t1", clock))
        documents.compare_and_set("tickets", "t1", {}, {"expires_at": stamp(clock() + timedelta(hours=1))})
        clock.advance(minutes=30)

        assert documents.get("tickets", "t1") is not None
        documents.compare_and_set("tickets", "t1", {}, {"expires_at": stamp(clock())})
        assert documents.get("tickets", "t1") is None

    def _ticket(self, id: str, clock: FakeClock) -> dict[str, Any]:
        return {"id": id, "seat": 1, "expires_at": stamp(clock() + timedelta(minutes=10))}


def _at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What each call gave back, all having started at the same moment."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
