"""Budget of a class, for its instructors: how much is used, as it is told of a group, and the limits."""

import streamlit as st

from services.classes.budgets.budget import Budget, Period
from services.classes.budgets.budget_control import ClassBudget
from services.classes.budgets.ledger import NOTICE_SHARE
from services.classes.school_class import SchoolClass
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.budget_fields import PERIODS, dollars, limits_fields, save_budget, term_fields


def draw_budget(student: Student, school_class: SchoolClass) -> None:
    """Draw what is used and the form."""
    control = session.services().classroom.budget_control
    found = control.of_class(student, school_class.id)
    st.caption(
        gettext(
            "What the assistants of this class may cost. When a limit is reached, they pause until the next day or "
            "term; everything else goes on. What you set here is spent for this class alone."
        )
    )
    _draw_used(found)
    _draw_form(student, school_class, found)
    st.caption(
        gettext(
            "Money is counted at list prices. A day begins at midnight, {zone}. What one student uses, only they see.",
            zone=control.time_zone,
        )
    )


def _draw_used(found: ClassBudget) -> None:
    with st.container(border=True, key="class-budget-used"):
        if not found.budget.is_set:
            st.markdown(gettext("**No budget yet.** Students use their own share of Homeroom's budget here."))
            return
        for period in PERIODS:
            if (share := found.state.used_share(period)) is not None:
                _draw_state(found, period, share)
        if found.share.are_set:
            each = [_amount(period, limit) for period in PERIODS if (limit := found.share.of(period)) is not None]
            st.caption(
                ngettext(
                    "{n} person is in the class, and may use up to {each}.",
                    "{n} people are in the class, and each may use up to {each}: nobody can use up what is another's.",
                    found.members,
                    each=", ".join(each),
                )
            )


def _amount(period: Period, limit: int) -> str:
    amount = dollars(limit)
    is_day = period is Period.DAY
    return literal(gettext("{amount} a day", amount=amount) if is_day else gettext("{amount} a term", amount=amount))


def _draw_state(found: ClassBudget, period: Period, share: float) -> None:
    """Draw one of three states: anything finer would tell, from one look to the next, what a single question cost."""
    limit, is_day = dollars(found.state.scope.limits.of(period) or 0), period is Period.DAY
    if share >= 1:
        words = gettext("Used up: {limit} today.", limit=limit)
        words = words if is_day else gettext("Used up: {limit} this term.", limit=limit)
        later = gettext("The assistants pause. A higher limit helps at once.")
        st.warning(f"{literal(words)} {later}", icon=":material/pause:")
    elif share >= NOTICE_SHARE:
        words = gettext("More than four fifths of {limit} used today", limit=limit)
        words = words if is_day else gettext("More than four fifths of {limit} used this term", limit=limit)
        st.markdown(f":material/hourglass_empty: {literal(words)}")
    else:
        words = gettext("Less than four fifths of {limit} used today", limit=limit)
        words = words if is_day else gettext("Less than four fifths of {limit} used this term", limit=limit)
        st.markdown(f":material/check_circle: {literal(words)}")


def _draw_form(student: Student, school_class: SchoolClass, found: ClassBudget) -> None:
    budget, key = found.budget, f"class-budget-{school_class.id}-{found.budget.version}"
    with st.form(key):
        total = limits_fields(
            budget.total,
            key=f"{key}-total",
            day_label=gettext("The whole class, a day"),
            term_label=gettext("The whole class, the term"),
        )
        share = limits_fields(
            budget.share,
            key=f"{key}-share",
            day_label=gettext("Each student, a day"),
            term_label=gettext("Each student, the term"),
            help=gettext("Never more than an equal part of the class's."),
        )
        term_from, term_until = term_fields(budget.term_from, budget.term_until, key=key)
        is_sent = st.form_submit_button(gettext("Save the budget"), icon=":material/savings:", type="primary")
    if not is_sent:
        return
    changed = Budget(total=total, share=share, term_from=term_from, term_until=term_until, version=found.budget.version)
    save_budget(lambda: session.services().classroom.budget_control.set_of_class(student, school_class.id, changed))
