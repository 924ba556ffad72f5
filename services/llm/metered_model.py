"""`MeteredModel`: the one way to the model: every request is paid for by somebody's budget, before it is sent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from services.errors import ModelInterrupted
from services.llm.chat_model import AnswerUnwanted, ChatModel, ModelReply, ModelRequest, OnText, Payer, Usage
from services.llm.prices import micro_dollars, most_micro_dollars

Settle = Callable[[int], None]
"""Takes what a request cost in the end, in millionths of a dollar, once; 0 for one that cost nothing."""


class Meter(Protocol):
    """Budgets, as the model sees them."""

    def reserve(self, payer: Payer, most: Callable[[], int]) -> Settle:
        """Reserve what a request may cost at most; raises `BudgetUsedUp`. most: asked only where a limit applies."""


class MeteredModel:
    """Model that asks for the budget first and settles afterwards by the usage that the API has counted."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self._model, self._meter = model, meter

    def stream(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """As `ChatModel.stream`; raises `BudgetUsedUp`, with nothing sent, and `ValueError` without a payer."""
        if request.payer is None:
            raise ValueError("A request to the model needs a payer.")
        with metered(self._meter, request.payer, lambda: most_micro_dollars(request)) as charge:
            try:
                reply = self._model.stream(request, on_text)
            except (AnswerUnwanted, ModelInterrupted) as ended:
                charge(micro_dollars(request.model, ended.usage or Usage()))
                raise
            charge(micro_dollars(request.model, reply.usage))
            return reply


@contextmanager
def metered(meter: Meter, payer: Payer, most: Callable[[], int]) -> Iterator[Settle]:
    """Reservation for one request: what it yields is told the cost; without a word of it, it cost nothing."""
    settle, costs = meter.reserve(payer, most), list[int]()
    try:
        yield costs.append
    finally:
        settle(sum(costs))
