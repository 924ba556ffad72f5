"""`BudgetScope`: one of the budgets that a request must have room in, with its ledger, limits and periods."""

from dataclasses import dataclass
from enum import StrEnum

from services.classes.budgets.budget import Limits, Periods
from services.classes.budgets.ledger import LedgerKey


class ScopeKind(StrEnum):
    """SHARE: a student's of the deployment. MEMBER: a student's of a class."""

    SHARE = "share"
    MEMBER = "member"
    CLASS = "class"
    DEPLOYMENT = "deployment"


@dataclass(frozen=True, kw_only=True)
class BudgetScope:
    kind: ScopeKind
    key: LedgerKey
    limits: Limits
    periods: Periods
