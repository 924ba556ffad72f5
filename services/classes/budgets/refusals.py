"""What students read when a budget has no room for an answer, or is nearly used up."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.classes.budgets.budget import Period
from services.classes.budgets.budget_scope import BudgetScope, ScopeKind
from services.errors import BudgetUsedUp
from services.i18n import formats, gettext

RETRY = timedelta(seconds=30)
"""Until a request that is answered just now may have left something of its reservation."""


def used_up(scope: BudgetScope, period: Period, now: datetime, zone: ZoneInfo, *, is_spent: bool) -> BudgetUsedUp:
    """The refusal of a request for which there is no room. zone: of the student who reads it.

    is_spent: else what is left is reserved by requests that run.
    """
    works = gettext("Your week, your tasks, your materials and your cards work as before.")
    if not is_spent:
        return BudgetUsedUp(
            gettext("What is left of the budget is being used by answers that are written just now."),
            next_step=gettext("Your text is kept. Try again in a moment. {works}", works=works),
            resumes_at=now + RETRY,
            retry_after_s=RETRY.total_seconds(),
        )
    ends_at = scope.periods.ends_at(period)
    step = _next_step(scope.kind, ends_at, now, zone)
    return BudgetUsedUp(
        used_up_sentence(scope.kind, period),
        next_step=f"{step} {works}",
        resumes_at=ends_at,
        retry_after_s=max(1.0, (ends_at - now).total_seconds()) if ends_at else None,
    )


def used_up_sentence(kind: ScopeKind, period: Period) -> str:
    """What is used up, for the student."""
    is_day = period is Period.DAY
    match kind:
        case ScopeKind.SHARE:
            if is_day:
                return gettext("Your budget for answers is used up for today.")
            return gettext("Your budget for answers is used up for this term.")
        case ScopeKind.MEMBER:
            if is_day:
                return gettext("Your part of this class's budget is used up for today.")
            return gettext("Your part of this class's budget is used up for this term.")
        case ScopeKind.CLASS:
            if is_day:
                return gettext("The budget of this class is used up for today.")
            return gettext("The budget of this class is used up for this term.")
        case _:
            if is_day:
                return gettext("Homeroom's budget for answers is used up for today.")
            return gettext("Homeroom's budget for answers is used up for this term.")


def nearly_used_up_sentence(kind: ScopeKind, period: Period, ends_at: datetime | None, zone: ZoneInfo) -> str:
    """What the student is told once, when most of their own budget is spent."""
    is_day, is_class = period is Period.DAY, kind is ScopeKind.MEMBER
    if is_class and is_day:
        sentence = gettext("Four fifths of your part of this class's budget for today are used.")
    elif is_class:
        sentence = gettext("Four fifths of your part of this class's budget for this term are used.")
    elif is_day:
        sentence = gettext("Four fifths of your budget for today are used.")
    else:
        sentence = gettext("Four fifths of your budget for this term are used.")
    if ends_at is None:
        return sentence
    begins = gettext("A new one begins on {moment}.", moment=formats.moment(ends_at, zone))
    return f"{sentence} {begins}"


def _next_step(kind: ScopeKind, ends_at: datetime | None, now: datetime, zone: ZoneInfo) -> str:
    if ends_at is not None:
        step = gettext("Answers begin again on {moment}; your text is kept.", moment=formats.moment(ends_at, zone))
    elif kind in (ScopeKind.MEMBER, ScopeKind.CLASS):
        step = gettext("Your instructor can give it more; your text is kept.")
    else:
        step = gettext("Whoever runs Homeroom can give it more; your text is kept.")
    if kind in (ScopeKind.MEMBER, ScopeKind.CLASS):
        step += " " + gettext("Another assistant can answer meanwhile, in a new chat.")
    return step
