"""`BudgetControl`: budgets as operators and instructors set them, and as students see their own."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.classes.budgets.budget import Budget, Limits, Period
from services.classes.budgets.budget_repository import DEPLOYMENT
from services.classes.budgets.budget_scope import BudgetScope, ScopeKind
from services.classes.budgets.budgets import OWN, Budgets
from services.classes.budgets.ledger import Ledger
from services.classes.classes import Classes
from services.classes.school_class import SchoolClass
from services.errors import BadArguments
from services.i18n import gettext
from services.identity.roles import Roles
from services.identity.students import Student
from services.llm.chat_model import Payer

MOST = 1_000_000 * 1_000_000
"""Of a limit: a million dollars."""


@dataclass(frozen=True, kw_only=True)
class BudgetState:
    """A budget and how much of it is spent. school_class: None for that of the deployment."""

    scope: BudgetScope
    ledger: Ledger
    school_class: SchoolClass | None = None

    def spent(self, period: Period) -> int:
        return self.ledger.spent(period, self.scope.periods)

    def used_share(self, period: Period) -> float | None:
        """Spent part of the limit, at most 1; None where there is no limit."""
        limit = self.scope.limits.of(period)
        return None if limit is None else min(1.0, self.spent(period) / limit) if limit else 1.0


@dataclass(frozen=True, kw_only=True)
class ClassBudget:
    """Budget of a class. share: of each member, as it is in force. state: what is spent, with the limits in force."""

    budget: Budget
    state: BudgetState
    share: Limits
    members: int


class BudgetControl:
    """Every method takes the student who asks, and refuses what is not theirs to see or to set."""

    def __init__(self, budgets: Budgets, classes: Classes, roles: Roles) -> None:
        self._budgets, self._classes, self._roles = budgets, classes, roles
        self._repository = budgets.repository

    @property
    def time_zone(self) -> str:
        """Name of the time zone whose days are counted."""
        return self._budgets.zone.key

    def of_class(self, student: Student, class_id: str) -> ClassBudget:
        """The budget of a class, for its instructors; raises `ItemNotFound`."""
        self._classes.require_instructor(student, class_id)
        budget, members = self._repository.get(class_id), max(1, len(self._classes.members(student, class_id)))
        scopes = {scope.kind: scope for scope in self._budgets.scopes(Payer(student_id=student.id, class_id=class_id))}
        return ClassBudget(
            budget=budget,
            state=self._state(scopes[ScopeKind.CLASS]),
            share=scopes[ScopeKind.MEMBER].limits if ScopeKind.MEMBER in scopes else Limits(),
            members=members,
        )

    def set_of_class(self, student: Student, class_id: str, budget: Budget) -> Budget:
        """Set the budget of a class; raises `ItemNotFound`, `BadArguments`, `ChangedElsewhere`."""
        self._classes.require_instructor(student, class_id)
        return self._repository.save(class_id, _checked(budget))

    def of_deployment(self, student: Student) -> tuple[Budget, BudgetState]:
        """The budget of the deployment, for its operator; raises `PermissionMissing`."""
        self._roles.require_operator(student)
        *_, whole = self._budgets.scopes(Payer(student_id=student.id))
        return self._repository.get(DEPLOYMENT), self._state(whole)

    def set_of_deployment(self, student: Student, budget: Budget) -> Budget:
        """Set the budget of the deployment; raises `PermissionMissing`, `BadArguments`, `ChangedElsewhere`.

        With a total there is a share of each student, so that nobody can spend all of it.
        """
        self._roles.require_operator(student)
        checked = _checked(budget)
        if checked.total.are_set and not checked.share.are_set:
            message = gettext("Give each student a limit, too: else a single one could use all of it.")
            raise BadArguments(message, field="share", next_step="")
        return self._repository.save(DEPLOYMENT, checked)

    def own(self, student: Student) -> Sequence[BudgetState]:
        """The student's own budgets that have a limit: their share of the deployment's, and their parts in classes."""
        found: list[tuple[SchoolClass | None, BudgetScope]] = [(None, self._scope(Payer(student_id=student.id)))]
        for school_class, _ in self._classes.of_student(student.id):
            scope = self._scope(Payer(student_id=student.id, class_id=school_class.id))
            if scope.kind is ScopeKind.MEMBER and school_class.archived_at is None:
                found.append((school_class, scope))
        return [self._state(scope, school_class) for school_class, scope in found if scope.limits.are_set]

    def _scope(self, payer: Payer) -> BudgetScope:
        """What is the student's own of the budgets that a request of theirs counts in."""
        return next(scope for scope in self._budgets.scopes(payer) if scope.kind in OWN)

    def _state(self, scope: BudgetScope, school_class: SchoolClass | None = None) -> BudgetState:
        return BudgetState(scope=scope, ledger=self._budgets.spent(scope), school_class=school_class)


def _checked(budget: Budget) -> Budget:
    """The budget as it can be stored; raises `BadArguments` that names the field."""
    for name in ("total", "share", "most_of_class"):
        limits: Limits = getattr(budget, name)
        for limit in (limits.day, limits.term):
            if limit is not None and not 0 <= limit <= MOST:
                raise BadArguments(gettext("A limit is an amount from 0 up."), field=name, next_step="")
        if limits.day is not None and limits.term is not None and limits.day > limits.term:
            message = gettext("The limit of a day is larger than that of the whole term.")
            raise BadArguments(message, field=name, next_step="")
    if budget.term_from and budget.term_until and budget.term_until < budget.term_from:
        message = gettext("The term ends before it begins.")
        raise BadArguments(message, field="term_until", next_step="")
    return budget
