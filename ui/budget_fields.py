"""Fields and labels of a budget's form: amounts in dollars, empty for no limit, and the days of a term."""

from collections.abc import Callable
from datetime import date

import streamlit as st

from services.classes.budgets.budget import Limits, Period
from services.classes.budgets.budget_control import BudgetState
from services.errors import HomeroomError
from services.i18n import formats, gettext
from services.llm.prices import MICRO
from services.safety.text import literal
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.optional_fields import optional_date, optional_number

CENTS = 100
PERIODS = (Period.DAY, Period.TERM)


def dollars(micros: int) -> str:
    """Amount of money: "$3.40"; what is less than a cent, and not nothing, is told as that."""
    if 0 < micros < MICRO // CENTS:
        return gettext("under 1 cent")
    return gettext("${amount}", amount=formats.number(round(micros / MICRO, 2), 2))


def limits_fields(limits: Limits, *, key: str, day_label: str, term_label: str, help: str | None = None) -> Limits:
    """Draw the fields of one limit by day and one by term; what is written there."""
    first, second = st.columns(2)
    with first:
        day = _amount(day_label, limits.day, key=f"{key}-day", help=help)
    with second:
        term = _amount(term_label, limits.term, key=f"{key}-term", help=help)
    return Limits(day=day, term=term)


def term_fields(term_from: date | None, term_until: date | None, *, key: str) -> tuple[date | None, date | None]:
    """Draw the first and the last day of the term."""
    first, second = st.columns(2)
    with first:
        begins = optional_date(gettext("First day of the term"), term_from, key=f"{key}-from")
    with second:
        ends = optional_date(gettext("Last day of the term"), term_until, key=f"{key}-until")
    return begins, ends


def save_budget(save: Callable[[], object]) -> None:
    """Save what a budget's form says, and rerun; what is refused is shown in its place."""
    try:
        save()
    except HomeroomError as error:
        show_error(error)
        return
    flash(gettext("The budget is saved, and counts at once."))
    st.rerun()


def draw_spent(state: BudgetState, period: Period) -> None:
    """Draw how much is spent in a period, with a bar where there is a limit."""
    limit, spent = state.scope.limits.of(period), dollars(state.spent(period))
    share, is_day = state.used_share(period), period is Period.DAY
    if share is None or limit is None:
        words = gettext("{spent} today", spent=spent) if is_day else gettext("{spent} this term", spent=spent)
        st.caption(literal(words))
        return
    amounts = {"spent": spent, "limit": dollars(limit)}
    words = (
        gettext("{spent} of {limit} today", **amounts) if is_day else gettext("{spent} of {limit} this term", **amounts)
    )
    st.progress(share, literal(words))


def _amount(label: str, micros: int | None, *, key: str, help: str | None) -> int | None:
    written = optional_number(
        label,
        None if micros is None else micros / MICRO,
        min_value=0.0,
        max_value=1_000_000.0,
        step=1.0,
        format="%.2f",
        placeholder=gettext("no limit"),
        icon=":material/attach_money:",
        key=key,
        help=help,
    )
    return None if written is None else round(written * MICRO)
