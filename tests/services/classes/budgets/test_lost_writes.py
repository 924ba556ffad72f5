"""What a budget holds when the store does a write and nobody hears of it, or does it late (R93)."""

from collections.abc import Sequence
from threading import Event
from typing import Any, cast

import pytest

from services.classes.budgets.budget_scope import ScopeKind
from services.classes.budgets.budgets import Budgets
from services.errors import StorageUnavailable
from services.storage.documents import Documents, Write
from services.storage.store import Store
from tests.services.classes.budgets.desk import MAYA, Desk, day, spend, spent_today

pytestmark = pytest.mark.any_store


@pytest.fixture
def desk(engine: Documents) -> Desk:
    return Desk(engine)


class LostAnswers:
    """The same store, whose next writes are done without an answer, or wait."""

    def __init__(self, store: Store) -> None:
        self.number, self.goes_on = 0, Event()
        self.goes_on.set()
        self.store = store.with_engine(self._wrapped)

    def _wrapped(self, engine: Documents) -> Documents:
        outer = self

        class Wrapped:
            def __getattr__(self, name: str) -> Any:
                return getattr(engine, name)

            def write_all(self, writes: Sequence[Write]) -> None:
                outer.goes_on.wait(10)
                engine.write_all(writes)
                if outer.number:
                    outer.number -= 1
                    raise StorageUnavailable("The store does not answer.")

        return cast(Documents, Wrapped())


def test_a_write_whose_outcome_nobody_heard_counts_once(desk: Desk) -> None:
    """The store did it, and its answer was lost: what was paid is counted once, and nothing stays reserved."""
    desk.limit(share=day(100))
    lost = LostAnswers(desk.store)
    budgets = desk.replica(store=lost.store)
    settle = budgets.reserve(MAYA, lambda: 10)
    lost.number = 1
    settle(7)
    budgets.flush()
    lost.number = 1
    with pytest.raises(StorageUnavailable):
        budgets.reserve(MAYA, lambda: 80)

    spend(budgets, MAYA, 1)

    assert (spent_today(budgets, MAYA)["share"], reserved(budgets, desk)) == (8, 0)


def test_a_reservation_that_nobody_waits_for_any_more_is_given_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store was slow: whoever asked was told so, and the write came through afterwards."""
    desk.limit(share=day(100))
    slow = LostAnswers(desk.store)
    budgets = desk.replica(store=slow.store)
    spend(budgets, MAYA, 1)
    monkeypatch.setattr("services.classes.budgets.budgets.WAIT_S", 0.05)
    slow.goes_on.clear()
    with pytest.raises(StorageUnavailable):
        budgets.reserve(MAYA, lambda: 90)
    slow.goes_on.set()
    budgets.flush(10)

    assert reserved(budgets, desk) == 0


def reserved(budgets: Budgets, desk: Desk) -> int:
    """Of Maya's share."""
    share = next(scope for scope in budgets.scopes(MAYA) if scope.kind is ScopeKind.SHARE)
    return budgets.spent(share).reserved(desk.clock())
