"""Budgets for tests: one without a limit, as a web search and a model's wrapper take it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.llm.chat_model import Payer
from services.llm.metered_model import Settle


@contextmanager
def unlimited_budget(most: int) -> Iterator[Settle]:
    """`SearchBudget` that lets everything through."""
    yield lambda cost: None


class FakeMeter:
    """`Meter` without a limit; `costs` are what was settled, in order."""

    def __init__(self) -> None:
        self.payers: list[Payer] = []
        self.costs: list[int] = []

    def reserve(self, payer: Payer, most: Callable[[], int]) -> Settle:
        self.payers.append(payer)
        return self.costs.append
