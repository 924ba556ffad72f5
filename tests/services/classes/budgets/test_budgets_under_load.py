"""Budgets under load: two replicas, many answers at once, kills; on each engine (R93)."""

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as some

from services.classes.budgets.budgets import Budgets
from services.errors import BudgetUsedUp
from services.llm.chat_model import Payer
from services.storage.documents import Documents, Write
from tests.fakes import FakeDocuments
from tests.services.classes.budgets.desk import MAYA, Desk, day, spent_today


def ask(budgets: Budgets, payer: Payer, most: int, cost: int) -> int:
    try:
        settle = budgets.reserve(payer, lambda: most)
    except BudgetUsedUp:
        return 0
    settle(cost)
    return cost


def test_twenty_answers_at_once_on_two_replicas_pass_no_limit_by_more_than_one_may_cost(engine: Documents) -> None:
    desk = Desk(engine)
    desk.enrol("bio", *(f"s{number}" for number in range(4)))
    desk.limit(total=day(2_000))
    desk.limit("bio", total=day(1_200))
    replicas = [desk.replica(), desk.replica()]
    random_costs = random.Random(7)
    requests = [
        (replicas[n % 2], Payer(student_id=f"s{n % 4}", class_id="bio"), 50, random_costs.randint(1, 50))
        for n in range(100)
    ]

    with ThreadPoolExecutor(20) as pool:
        costs = list(pool.map(lambda request: ask(*request), requests))
    for budgets in replicas:
        budgets.flush()

    whole = spent_today(desk.replica(), Payer(student_id="s0", class_id="bio"))
    members = [spent_today(desk.replica(), Payer(student_id=f"s{n}", class_id="bio"))["member"] for n in range(4)]
    assert whole["class"] == whole["deployment"] == sum(members) == sum(costs)
    assert 250 <= whole["class"] < 1_200 + 50
    assert max(members) < 300 + 50


def test_no_more_than_fits_begins_at_once(engine: Documents) -> None:
    desk = Desk(engine)
    desk.limit(share=day(100))
    replicas, begun = [desk.replica(), desk.replica()], list[object]()
    barrier = threading.Barrier(20)

    def begin(number: int) -> None:
        barrier.wait()
        try:
            begun.append(replicas[number % 2].reserve(MAYA, lambda: 30))
        except BudgetUsedUp:
            return

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(begin, range(20)))

    assert len(begun) == 4


@settings(max_examples=20)
@given(some.lists(some.tuples(some.integers(0, 1), some.integers(0, 2), some.integers(0, 60), some.booleans())))
def test_a_sum_never_passes_its_limit_by_more_than_one_request(steps: list[tuple[int, int, int, bool]]) -> None:
    """Requests of three students on two replicas, some of which die before they settle."""
    desk = Desk(FakeDocuments())
    desk.limit(total=day(200), share=day(120))
    replicas, real = [desk.replica(), desk.replica()], 0
    for at, student, cost, dies in steps:
        try:
            settle = replicas[at].reserve(Payer(student_id=f"s{student}"), lambda: 60)
        except BudgetUsedUp:
            continue
        if not dies:
            settle(cost)
            real += cost
    shares = [spent_today(replica, Payer(student_id=f"s{n}"))["share"] for replica in replicas for n in range(3)]

    assert spent_today(replicas[0], MAYA)["deployment"] == real < 200 + 60
    assert all(share < 120 + 60 for share in shares)


class CountingDocuments(FakeDocuments):
    """`commits`: writes that reach the engine, of one document or of several together."""

    def __init__(self) -> None:
        super().__init__()
        self.commits = 0

    def write_all(self, writes: Sequence[Write]) -> None:
        self.commits += 1
        super().write_all(writes)


def test_a_request_with_limits_costs_one_write_before_it_and_one_after() -> None:
    documents = CountingDocuments()
    desk = Desk(documents)
    desk.enrol("bio", "maya")
    desk.limit(total=day(10**9), share=day(10**9))
    desk.limit("bio", total=day(10**9))
    budgets, payer = desk.replica(), Payer(student_id="maya", class_id="bio")

    settle = budgets.reserve(payer, lambda: 1)
    before = documents.commits
    settle(1)
    budgets.flush()

    assert (before, documents.commits) == (1, 2)


def test_answers_that_end_together_where_no_limit_is_set_cost_one_write_and_are_all_counted() -> None:
    documents = CountingDocuments()
    budgets = Desk(documents).replica()
    ending = [budgets.reserve(Payer(student_id=f"s{n}"), lambda: 1) for n in range(50)]

    for settle in ending:
        settle(7)
    budgets.flush()

    assert documents.commits == 1
    assert spent_today(budgets, Payer(student_id="s0")) == {"share": 7, "deployment": 350}
