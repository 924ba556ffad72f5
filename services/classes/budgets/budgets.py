"""`Budgets`: the meter of all requests to the model: reserves before each of them, and settles afterwards."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.classes.budgets.budget import Budget, Limits, Period, periods_of
from services.classes.budgets.budget_repository import DEPLOYMENT, BudgetRepository
from services.classes.budgets.budget_scope import BudgetScope, ScopeKind
from services.classes.budgets.ledger import Ledger, LedgerKey, LimitReached
from services.classes.budgets.ledger_repository import WAIT_S, LedgerEntry, LedgerRepository
from services.classes.budgets.refusals import nearly_used_up_sentence, used_up
from services.errors import BudgetUsedUp, StorageUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.llm.chat_model import Payer
from services.llm.metered_model import Settle
from services.runtime.clock import Clock

POLL_S = 0.25
PATIENCE_S = 8.0
"""How long a request waits for what others have reserved, and may not need."""
OWN = (ScopeKind.SHARE, ScopeKind.MEMBER)


class StudentZones(Protocol):
    """The part of `Students` that says in which time zone a student reads."""

    def get(self, id: str) -> Student | None: ...


class Budgets:
    """Meter of requests (`services.llm.metered_model.Meter`); safe to use from many threads.

    A request is begun as long as what is spent and what running requests have reserved is below every limit, and then
    reserves the most that it can cost. So a budget is never passed by more than one request may cost.
    """

    def __init__(
        self,
        *,
        repository: BudgetRepository,
        ledgers: LedgerRepository,
        students: StudentZones,
        zone: ZoneInfo,
        clock: Clock,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """zone: of the school, whose days are counted."""
        self.repository, self._ledgers, self._students = repository, ledgers, students
        self.zone, self._clock, self._patience_s = zone, clock, patience_s

    def reserve(self, payer: Payer, most: Callable[[], int]) -> Settle:
        """Reserve for a request, where a limit applies with one write to the store; raises `BudgetUsedUp`."""
        scopes = self.scopes(payer)
        if not any(scope.limits.are_set for scope in scopes):
            return partial(self._settle, scopes, 0)
        amount, until = most(), time.monotonic() + self._patience_s
        change = partial(self._reservation, scopes, amount)
        while True:
            try:
                posted = self._ledgers.post(LedgerEntry(keys=_keys(scopes), change=change))
                self._result(posted)
            except StorageUnavailable:
                # It may be written after all, and nobody would ever settle it.
                posted.add_done_callback(partial(self._give_back, scopes, amount))
                raise
            except LimitReached as full:
                if full.is_spent or time.monotonic() >= until:
                    raise self._used_up(payer, scopes, full) from None
                time.sleep(POLL_S)
            else:
                return partial(self._settle, scopes, amount)

    def require(self, payer: Payer) -> None:
        """Raise `BudgetUsedUp` when a request would be refused now: before a message is stored that asks for one.

        What is only reserved may be free again when the request comes.
        """
        if not self._may_be_limited(payer):
            return
        scopes = self.scopes(payer)
        if not any(scope.limits.are_set for scope in scopes):
            return
        if self._full(scopes, self._ledgers.remembered(_keys(scopes))) is None:
            return
        # What was seen last may be old: nobody is sent away because of it.
        if full := self._full(scopes, self._ledgers.read(_keys(scopes))):
            raise self._used_up(payer, scopes, full)

    def note(self, payer: Payer) -> str:
        """What the student is told now that most of their own budget is spent, once in each period; else ""."""
        scopes = self.scopes(payer) if self._may_be_limited(payer) else []
        scopes = [scope for scope in scopes if scope.kind in OWN and scope.limits.are_set]
        if not scopes:
            return ""
        notice = self._result(self._ledgers.post(LedgerEntry(keys=_keys(scopes), change=partial(_with_notice, scopes))))
        if not notice:
            return ""
        kind, period, ends_at = notice
        return nearly_used_up_sentence(kind, period, ends_at, self._zone_of(payer))

    def scopes(self, payer: Payer) -> list[BudgetScope]:
        """The budgets that a request of this payer counts in, the most personal first.

        A class pays for its assistants once it has a budget; until then, and for everything else, it is the student's
        share of the deployment's. What a class costs is counted in any case.
        """
        deployment, _ = self.repository.cached(DEPLOYMENT)
        now = self._clock()
        periods = periods_of(now, self.zone, deployment)
        whole = BudgetScope(
            kind=ScopeKind.DEPLOYMENT,
            key=LedgerKey(owner="", id=DEPLOYMENT),
            limits=deployment.total,
            periods=periods,
        )
        own = BudgetScope(
            kind=ScopeKind.SHARE,
            key=LedgerKey(owner=payer.student_id, id="share"),
            limits=deployment.share,
            periods=periods,
        )
        if not payer.class_id:
            return [own, whole]
        budget, members = self.repository.cached(payer.class_id)
        class_periods, total = periods_of(now, self.zone, budget), budget.total.within(deployment.most_of_class)
        of_class = BudgetScope(
            kind=ScopeKind.CLASS,
            key=LedgerKey(owner="", id=f"class.{payer.class_id}", class_id=payer.class_id),
            limits=total if budget.is_set else Limits(),
            periods=class_periods,
        )
        if not budget.is_set:
            return [own, of_class, whole]
        member = BudgetScope(
            kind=ScopeKind.MEMBER,
            key=LedgerKey(owner=payer.student_id, id=f"class.{payer.class_id}", class_id=payer.class_id),
            limits=_member_limits(budget, deployment, total.divided(members)),
            periods=class_periods,
        )
        return [member, of_class, whole]

    def _may_be_limited(self, payer: Payer) -> bool:
        """Whether any limit is set where this payer's requests count: in most deployments none is."""
        deployment, _ = self.repository.cached(DEPLOYMENT)
        if deployment.total.are_set or deployment.share.are_set:
            return True
        return bool(payer.class_id) and self.repository.cached(payer.class_id)[0].is_set

    def spent(self, scope: BudgetScope) -> Ledger:
        """The ledger of a budget as it is now."""
        return self._ledgers.read([scope.key])[0]

    def flush(self, timeout_s: float = WAIT_S) -> None:
        """Wait until what requests have cost so far is written."""
        self._ledgers.flush(timeout_s)

    def _reservation(
        self, scopes: Sequence[BudgetScope], amount: int, ledgers: Sequence[Ledger]
    ) -> tuple[Sequence[Ledger], None]:
        now = self._clock()
        for at, (scope, ledger) in enumerate(zip(scopes, ledgers, strict=True)):
            if period := ledger.full_period(scope.limits, scope.periods, now):
                raise LimitReached(at, period, is_spent=_is_spent(scope, period, ledger))
        return [ledger.with_reservation(self._ledgers.process, amount, now) for ledger in ledgers], None

    def _full(self, scopes: Sequence[BudgetScope], ledgers: Sequence[Ledger]) -> LimitReached | None:
        """The first budget of these that is spent."""
        for at, (scope, ledger) in enumerate(zip(scopes, ledgers, strict=True)):
            for period in (Period.TERM, Period.DAY):
                if _is_spent(scope, period, ledger):
                    return LimitReached(at, period, is_spent=True)
        return None

    def _used_up(self, payer: Payer, scopes: Sequence[BudgetScope], full: LimitReached) -> BudgetUsedUp:
        zone = self._zone_of(payer)
        return used_up(scopes[full.at], full.period, self._clock(), zone, is_spent=full.is_spent)

    def _settle(self, scopes: Sequence[BudgetScope], reserved: int, cost: int) -> None:
        """End a reservation. Nobody waits for it to be written: until then the reservation counts, and where nothing is
        reserved no limit applies.
        """
        if not reserved and not cost:
            return

        def settled(ledgers: Sequence[Ledger]) -> tuple[Sequence[Ledger], None]:
            pairs = zip(scopes, ledgers, strict=True)
            return [found.settled(self._ledgers.process, reserved, cost, scope.periods) for scope, found in pairs], None

        entry = LedgerEntry(keys=_keys(scopes), change=settled, survives_outage=True, may_wait=not reserved)
        self._ledgers.post(entry)

    def _give_back(self, scopes: Sequence[BudgetScope], amount: int, posted: "Future[Any]") -> None:
        """End a reservation for which nobody waits any more, where it was made."""
        if posted.exception() is None:
            self._settle(scopes, amount, 0)

    def _zone_of(self, payer: Payer) -> ZoneInfo:
        student = self._students.get(payer.student_id)
        return ZoneInfo(student.timezone) if student else self.zone

    def _result(self, written: "Future[Any]") -> Any:
        try:
            return written.result(WAIT_S)
        except TimeoutError:
            raise StorageUnavailable(gettext("The budget could not be looked up just now.")) from None


def _member_limits(budget: Budget, deployment: Budget, part: Limits) -> Limits:
    """What one member may spend of a class's budget. part: an equal one of its total.

    Who teaches a class sets its budget, and is not who pays: where the operator bounds no class, nobody gets more in
    one than the deployment gives each student.
    """
    limits = budget.share.within(part)
    return limits if deployment.most_of_class.are_set else limits.within(deployment.share)


def _keys(scopes: Sequence[BudgetScope]) -> tuple[LedgerKey, ...]:
    return tuple(scope.key for scope in scopes)


def _is_spent(scope: BudgetScope, period: Period, ledger: Ledger) -> bool:
    limit = scope.limits.of(period)
    return limit is not None and ledger.spent(period, scope.periods) >= limit


def _with_notice(
    scopes: Sequence[BudgetScope], ledgers: Sequence[Ledger]
) -> tuple[Sequence[Ledger], tuple[ScopeKind, Period, datetime | None] | None]:
    """The ledgers with the notice that is due now, and what it is about."""
    for at, (scope, ledger) in enumerate(zip(scopes, ledgers, strict=True)):
        if period := ledger.unnotified_period(scope.limits, scope.periods):
            noted = [*ledgers[:at], ledger.with_notice(period, scope.periods), *ledgers[at + 1 :]]
            return noted, (scope.kind, period, scope.periods.ends_at(period))
    return ledgers, None
