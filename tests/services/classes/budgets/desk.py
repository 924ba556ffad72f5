"""Desk of a test about budgets: some replicas over one store, and what a request costs there."""

from datetime import date

from services.classes.budgets.budget import Budget, Limits, school_zone
from services.classes.budgets.budget_repository import DEPLOYMENT, MEMBERS, BudgetRepository
from services.classes.budgets.budgets import Budgets
from services.classes.budgets.ledger_repository import LedgerRepository
from services.llm.chat_model import Payer
from services.storage.documents import Documents
from services.storage.store import Store
from tests.fakes import FakeClock

MAYA, TOM = Payer(student_id="maya"), Payer(student_id="tom")


class NoStudents:
    def get(self, id: str) -> None:
        return None


class Desk:
    def __init__(self, engine: Documents, *, zone: str = "UTC") -> None:
        self.store, self.clock, self.zone = Store(engine), FakeClock(), zone

    def replica(self, *, patience_s: float = 0.0, store: Store | None = None) -> Budgets:
        """Budgets of one process; what it has read of the limits is never old."""
        return Budgets(
            repository=BudgetRepository(self.store, self._later),
            ledgers=LedgerRepository(store or self.store),
            students=NoStudents(),
            zone=school_zone({"HOMEROOM_TIMEZONE": self.zone}),
            clock=self.clock,
            patience_s=patience_s,
        )

    def limit(self, id: str = DEPLOYMENT, **limits: Limits | date) -> None:
        repository = BudgetRepository(self.store)
        version = repository.get(id).version
        repository.save(id, Budget(**limits, version=version))  # type: ignore[arg-type]

    def enrol(self, class_id: str, *students: str) -> None:
        for student in students:
            self.store.shared.insert(
                MEMBERS, {"id": f"{class_id}.{student}", "class_id": class_id, "student_id": student, "seat": student}
            )

    _ticks = 0.0

    def _later(self) -> float:
        self._ticks += 10.0
        return self._ticks


def spend(budgets: Budgets, payer: Payer, cost: int, *, most: int | None = None) -> None:
    """Have a request made that cost so much."""
    budgets.reserve(payer, lambda: cost if most is None else most)(cost)
    budgets.flush()


def day(limit: int) -> Limits:
    return Limits(day=limit)


def term(limit: int) -> Limits:
    return Limits(term=limit)


def spent_today(budgets: Budgets, payer: Payer) -> dict[str, int]:
    """What is spent of each budget that a payer counts in, by its kind."""
    budgets.flush()
    return {scope.kind.value: budgets.spent(scope).days.get(scope.periods.day, 0) for scope in budgets.scopes(payer)}
