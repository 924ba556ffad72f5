"""`Ledger`: what was spent of one budget, by day and term, and what running requests have reserved of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from services.classes.budgets.budget import Limits, Period, Periods
from services.runtime.clock import moment, stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader

LEASE = timedelta(minutes=20)
"""How long a reservation outlives the process that died with it: longer than any answer takes."""
DAYS_KEPT, TERMS_KEPT = 31, 3
NOTICE_SHARE = 0.8


@dataclass(frozen=True, kw_only=True)
class LedgerKey:
    """Address of a ledger. owner: the student whose it is; "" for that of a class or of the deployment."""

    owner: str
    id: str
    class_id: str = ""


class LimitReached(Exception):
    """Signal that a budget has no room for another request. at: its place among the ledgers of the entry.

    is_spent: else what is left is reserved by requests that run.
    """

    def __init__(self, at: int, period: Period, *, is_spent: bool) -> None:
        super().__init__(period.value)
        self.at, self.period, self.is_spent = at, period, is_spent


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Ledger, in millionths of a dollar. days, terms: what was spent, by the keys of `Periods`.

    held: by process, what its running requests have reserved, and until when that counts without a further word of it.
    notified: periods of which the student has had the notice that most is used.
    """

    days: Mapping[str, int] = field(default_factory=dict)
    terms: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    notified: tuple[str, ...] = ()

    def spent(self, period: Period, periods: Periods) -> int:
        found = self.days if period is Period.DAY else self.terms
        return found.get(periods.key(period), 0)

    def reserved(self, now: datetime) -> int:
        return sum(amount for amount, until in self.held.values() if moment(until) > now)

    def full_period(self, limits: Limits, periods: Periods, now: datetime) -> Period | None:
        """The period whose limit leaves no room for another request; the term's comes first, as it lasts longer."""
        reserved = self.reserved(now)
        for period in (Period.TERM, Period.DAY):
            limit = limits.of(period)
            if limit is not None and self.spent(period, periods) + reserved >= limit:
                return period
        return None

    def unnotified_period(self, limits: Limits, periods: Periods) -> Period | None:
        """The period most of whose limit is spent, and the student has no notice of."""
        for period in (Period.TERM, Period.DAY):
            limit = limits.of(period)
            is_notified = notice_mark(period, periods) in self.notified
            if limit is not None and not is_notified and self.spent(period, periods) >= limit * NOTICE_SHARE:
                return period
        return None

    def with_reservation(self, process: str, amount: int, now: datetime) -> "Ledger":
        current, until = self.held.get(process, (0, stamp(now)))
        amount += current if moment(until) > now else 0
        alive = {name: held for name, held in self.held.items() if moment(held[1]) > now}
        return replace(self, held={**alive, process: (amount, stamp(now + LEASE))})

    def settled(self, process: str, reserved: int, cost: int, periods: Periods) -> "Ledger":
        """End a reservation with its cost. periods: those in which it was made."""
        held = dict(self.held)
        if reserved and process in held:
            left = held[process][0] - reserved
            held = {**held, process: (left, held[process][1])} if left > 0 else _without(held, process)
        if not cost:
            return replace(self, held=held)
        return replace(
            self,
            held=held,
            days=_latest({**self.days, periods.day: self.days.get(periods.day, 0) + cost}, DAYS_KEPT),
            terms=_latest({**self.terms, periods.term: self.terms.get(periods.term, 0) + cost}, TERMS_KEPT),
        )

    def without(self, before: "Ledger", after: "Ledger", process: str) -> "Ledger":
        """Take off what changed from one state to another by this process, whatever others have added since."""
        held = dict(self.held)
        if process in held:
            gone = after.held.get(process, (0, ""))[0] - before.held.get(process, (0, ""))[0]
            held[process] = (max(0, held[process][0] - gone), held[process][1])
        elif process in before.held:
            held[process] = before.held[process]
        return Ledger(
            days=_less(self.days, before.days, after.days),
            terms=_less(self.terms, before.terms, after.terms),
            held=held,
            notified=tuple(mark for mark in self.notified if mark in before.notified or mark not in after.notified),
        )

    def with_notice(self, period: Period, periods: Periods) -> "Ledger":
        return replace(self, notified=(*self.notified[-3:], notice_mark(period, periods)))


def notice_mark(period: Period, periods: Periods) -> str:
    return f"{period.value} {periods.key(period)}"


def ledger_document(ledger: Ledger) -> Document:
    """A ledger as it is stored, without its id and revision."""
    held = {name: list(held) for name, held in ledger.held.items()}
    return {"days": dict(ledger.days), "terms": dict(ledger.terms), "held": held, "told": list(ledger.notified)}


@record_reader("budget_totals")
def ledger_of(document: Document) -> Ledger:
    """The ledger that a document of either collection holds."""
    ledger = read_record(Ledger, document, notified=document["told"])
    for _, until in ledger.held.values():
        moment(until)
    return ledger


def _less(now: Mapping[str, int], before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Amounts without what was added between two states; a key that the second one had dropped is left out."""
    added = {key: amount - before.get(key, 0) for key, amount in after.items()}
    return {key: left for key, amount in now.items() if (left := amount - added.get(key, 0))}


def _latest(amounts: dict[str, int], most: int) -> dict[str, int]:
    return {key: amounts[key] for key in sorted(amounts)[-most:]}


def _without(held: dict[str, tuple[int, str]], process: str) -> dict[str, tuple[int, str]]:
    return {name: value for name, value in held.items() if name != process}
