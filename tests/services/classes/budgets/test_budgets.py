"""Laws of budgets: who pays, what is refused, and what a crash, midnight and the end of a term do."""

from datetime import UTC, date, datetime, timedelta
from threading import Timer
from zoneinfo import ZoneInfo

import pytest

from services.classes.budgets.budget import Budget, Limits, periods_of
from services.classes.budgets.ledger import LEASE, Ledger
from services.errors import BudgetUsedUp
from services.llm.chat_model import Payer
from services.storage.documents import Documents
from tests.services.classes.budgets.desk import MAYA, TOM, Desk, day, spend, spent_today, term

pytestmark = pytest.mark.any_store

IN_CLASS = Payer(student_id="maya", class_id="bio")


@pytest.fixture
def desk(engine: Documents) -> Desk:
    return Desk(engine)


def test_without_a_limit_a_request_costs_no_write_before_it_and_is_counted_all_the_same(desk: Desk) -> None:
    budgets = desk.replica()
    asked: list[None] = []

    settle = budgets.reserve(MAYA, lambda: asked.append(None) or 5)
    before = spent_today(budgets, MAYA)
    settle(7)

    assert asked == []
    assert before == {"share": 0, "deployment": 0}
    assert spent_today(budgets, MAYA) == {"share": 7, "deployment": 7}


def test_a_budget_that_is_used_up_refuses_with_what_still_works_and_until_when(desk: Desk) -> None:
    desk.limit(share=day(100))
    budgets = desk.replica()
    spend(budgets, MAYA, 100)

    with pytest.raises(BudgetUsedUp, match="used up for today") as refused:
        budgets.reserve(MAYA, lambda: 1)

    assert refused.value.resumes_at == datetime(2026, 11, 24, tzinfo=UTC)
    assert refused.value.retry_after_s == 9 * 3600
    assert "Tue 24 Nov 2026, 12:00 AM" in refused.value.next_step
    assert "Your week, your tasks, your materials and your cards work as before." in refused.value.next_step


def test_nobody_spends_what_is_anothers(desk: Desk) -> None:
    desk.limit(share=day(100))
    budgets = desk.replica()
    spend(budgets, MAYA, 100)

    spend(budgets, TOM, 99)

    assert spent_today(budgets, TOM) == {"share": 99, "deployment": 199}


def test_a_member_has_an_equal_part_of_a_classes_budget_whatever_the_others_do(desk: Desk) -> None:
    desk.enrol("bio", "maya", "tom", "ana", "raj")
    desk.limit("bio", total=day(400), share=day(300))
    budgets, tom = desk.replica(), Payer(student_id="tom", class_id="bio")
    spend(budgets, IN_CLASS, 100)

    with pytest.raises(BudgetUsedUp, match="Your part of this class's budget"):
        budgets.reserve(IN_CLASS, lambda: 1)
    spend(budgets, tom, 99)

    assert spent_today(budgets, tom) == {"member": 99, "class": 199, "deployment": 199}


def test_the_class_whose_assistant_is_used_pays_and_the_share_of_the_student_stays(desk: Desk) -> None:
    desk.limit(share=day(100))
    desk.limit("bio", share=day(50))
    budgets, in_maths = desk.replica(), Payer(student_id="maya", class_id="maths")

    spend(budgets, IN_CLASS, 30)
    spend(budgets, in_maths, 20)

    assert spent_today(budgets, MAYA) == {"share": 20, "deployment": 50}
    assert spent_today(budgets, IN_CLASS) == {"member": 30, "class": 30, "deployment": 50}
    assert spent_today(budgets, in_maths) == {"share": 20, "class": 20, "deployment": 50}


def test_no_class_gets_more_than_the_deployment_gives_one(desk: Desk) -> None:
    desk.enrol("bio", "maya")
    desk.limit(most_of_class=day(40))
    desk.limit("bio", total=day(1000))
    budgets = desk.replica()
    spend(budgets, IN_CLASS, 40)

    with pytest.raises(BudgetUsedUp):
        budgets.reserve(IN_CLASS, lambda: 1)


def test_whoever_teaches_a_class_gives_nobody_more_than_the_operator_gives_each_student(desk: Desk) -> None:
    """A class may come from a school's system, whose teachers the operator has never seen."""
    desk.limit(total=day(1000), share=day(50))
    desk.limit("bio", total=day(1000), share=day(1000))
    budgets = desk.replica()
    spend(budgets, IN_CLASS, 50)

    with pytest.raises(BudgetUsedUp, match="Your part of this class's budget"):
        budgets.reserve(IN_CLASS, lambda: 1)
    desk.limit(total=day(1000), share=day(50), most_of_class=day(300))
    spend(budgets, IN_CLASS, 250)


def test_what_the_operator_gives_a_class_is_divided_where_its_instructor_wrote_no_total(desk: Desk) -> None:
    desk.enrol("bio", "maya", "tom")
    desk.limit(most_of_class=day(40))
    desk.limit("bio", share=day(1000))
    budgets = desk.replica()
    spend(budgets, IN_CLASS, 20)

    with pytest.raises(BudgetUsedUp, match="Your part of this class's budget"):
        budgets.reserve(IN_CLASS, lambda: 1)


def test_what_is_reserved_is_told_apart_from_what_is_spent(desk: Desk) -> None:
    desk.limit(share=day(100))
    budgets = desk.replica()
    settle = budgets.reserve(MAYA, lambda: 100)

    with pytest.raises(BudgetUsedUp, match="being used by answers") as refused:
        budgets.reserve(MAYA, lambda: 1)
    budgets.require(MAYA)
    settle(3)

    assert refused.value.retry_after_s == 30
    spend(budgets, MAYA, 1)


def test_a_request_waits_for_what_another_one_may_not_need(desk: Desk) -> None:
    desk.limit(share=day(100))
    budgets = desk.replica(patience_s=30)
    settle = budgets.reserve(MAYA, lambda: 100)
    Timer(0.2, settle, [1]).start()
    budgets.reserve(MAYA, lambda: 5)(2)

    assert spent_today(budgets, MAYA)["share"] == 3


def test_a_crash_gives_the_reservation_back_after_its_lease(desk: Desk) -> None:
    desk.limit(share=day(100))
    desk.replica().reserve(MAYA, lambda: 100)
    other = desk.replica()

    with pytest.raises(BudgetUsedUp):
        other.reserve(MAYA, lambda: 1)
    desk.clock.advance(seconds=LEASE.total_seconds() + 1)

    spend(other, MAYA, 1)


def test_another_replicas_cost_is_never_overlooked(desk: Desk) -> None:
    desk.limit(total=day(100))
    here, there = desk.replica(), desk.replica()
    spend(here, MAYA, 50)
    spend(there, TOM, 50)

    for budgets in (here, there):
        with pytest.raises(BudgetUsedUp, match="Homeroom's budget"):
            budgets.reserve(MAYA, lambda: 1)
        with pytest.raises(BudgetUsedUp, match="Homeroom's budget"):
            budgets.require(TOM)


def test_more_budget_counts_at_once(desk: Desk) -> None:
    desk.limit(share=day(10))
    budgets = desk.replica()
    spend(budgets, MAYA, 10)

    desk.limit(share=day(20))

    spend(budgets, MAYA, 5)


def test_a_day_begins_at_the_schools_midnight(engine: Documents) -> None:
    desk = Desk(engine, zone="America/Chicago")
    desk.limit(share=day(10))
    budgets = desk.replica()
    spend(budgets, MAYA, 10)
    desk.clock.at = datetime(2026, 11, 24, 5, 59, tzinfo=UTC)

    with pytest.raises(BudgetUsedUp):
        budgets.reserve(MAYA, lambda: 1)
    desk.clock.advance(minutes=1)

    spend(budgets, MAYA, 1)


def test_what_began_before_midnight_is_spent_of_the_day_it_began_on(desk: Desk) -> None:
    desk.limit(share=day(10))
    budgets = desk.replica()
    settle = budgets.reserve(MAYA, lambda: 5)
    desk.clock.advance(hours=12)

    settle(4)

    assert spent_today(budgets, MAYA)["share"] == 0
    assert budgets.spent(budgets.scopes(MAYA)[0]).days == {"2026-11-23": 4}


def test_a_term_outlasts_its_days_and_what_comes_after_it_is_counted_anew(desk: Desk) -> None:
    desk.limit(share=term(10), term_from=date(2026, 8, 24), term_until=date(2026, 12, 18))
    budgets = desk.replica()
    spend(budgets, MAYA, 10)
    desk.clock.advance(days=3)

    with pytest.raises(BudgetUsedUp, match="for this term") as refused:
        budgets.reserve(MAYA, lambda: 1)
    desk.clock.advance(days=25)

    assert refused.value.resumes_at == datetime(2026, 12, 19, tzinfo=UTC)
    spend(budgets, MAYA, 1)


def test_four_fifths_are_told_once_over_all_replicas(desk: Desk) -> None:
    desk.limit(share=day(100))
    here, there = desk.replica(), desk.replica()
    spend(here, MAYA, 79)
    early = here.note(MAYA)
    spend(there, MAYA, 1)

    told = [there.note(MAYA), here.note(MAYA), there.note(MAYA)]
    desk.clock.advance(days=1)
    spend(here, MAYA, 80)

    assert early == ""
    assert told[0].startswith("Four fifths of your budget for today are used. A new one begins on Tue 24 Nov 2026")
    assert told[1:] == ["", ""]
    assert here.note(MAYA)


def test_a_ledger_forgets_old_days() -> None:
    ledger = Ledger()
    for number in range(60):
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)
        ledger = ledger.settled("p", 0, 1, periods_of(now, ZoneInfo("UTC"), Budget()))

    assert len(ledger.days) == 31
    assert ledger.terms == {"always": 60}


def test_a_limit_of_nothing_is_a_limit() -> None:
    assert Ledger().full_period(
        Limits(day=0), periods_of(datetime.now(UTC), ZoneInfo("UTC"), Budget()), datetime.now(UTC)
    )
