"""What the operator of a deployment sees of it: its budget with the limits, and the record for the privacy officer."""

import streamlit as st

from services.classes.budgets.budget import Budget
from services.i18n import gettext
from services.identity.students import Student
from services.privacy.privacy_record import record_for, record_page, section_table
from ui import session
from ui.budget_fields import PERIODS, draw_spent, limits_fields, save_budget, term_fields
from ui.error_boundary import error_boundary

FILE_NAME = "homeroom-privacy.html"


def draw_deployment_budget(student: Student) -> None:
    """Draw what is spent, and the limits of all, of a student and of a class."""
    control = session.services().classroom.budget_control
    label = gettext("Budget of this Homeroom")
    with st.expander(label, icon=":material/savings:", key="deployment-budget"), error_boundary():
        budget, state = control.of_deployment(student)
        st.caption(
            gettext(
                "What all answers together may cost, at list prices. At a limit answers pause, and go on with the next "
                "day or term. A day begins at midnight, {zone} (HOMEROOM_TIMEZONE).",
                zone=control.time_zone,
            )
        )
        for period in PERIODS:
            draw_spent(state, period)
        _draw_form(student, budget)


def _draw_form(student: Student, budget: Budget) -> None:
    key = f"deployment-budget-{budget.version}"
    with st.form(key, border=False):
        total = limits_fields(
            budget.total,
            key=f"{key}-total",
            day_label=gettext("Everybody together, a day"),
            term_label=gettext("Everybody together, the term"),
        )
        share = limits_fields(
            budget.share,
            key=f"{key}-share",
            day_label=gettext("Each student, a day"),
            term_label=gettext("Each student, the term"),
            help=gettext("For what no class pays for."),
        )
        most = limits_fields(
            budget.most_of_class,
            key=f"{key}-class",
            day_label=gettext("Any class at most, a day"),
            term_label=gettext("Any class at most, the term"),
            help=gettext(
                "An instructor may set less, never more. Each class counts by itself, and one that is made anew begins "
                "at nothing: what holds for all of them is the limit for everybody together."
            ),
        )
        term_from, term_until = term_fields(budget.term_from, budget.term_until, key=key)
        is_sent = st.form_submit_button(gettext("Save the budget"), icon=":material/savings:", type="primary")
    if not is_sent:
        return
    changed = Budget(
        total=total,
        share=share,
        most_of_class=most,
        term_from=term_from,
        term_until=term_until,
        version=budget.version,
    )
    save_budget(lambda: session.services().classroom.budget_control.set_of_deployment(student, changed))


def draw_privacy(student: Student) -> None:
    """Draw one part of the record, and a file of it to print."""
    services = session.services()
    sections = record_for(student, services.classroom.roles, services.settings, services.consents.terms)
    with st.expander(gettext("For the privacy officer"), icon=":material/policy:", key="privacy-record"):
        st.caption(
            gettext(
                "What this Homeroom keeps, why, where, for how long, and who receives it: made from the same list that "
                "the export of a student uses."
            )
        )
        st.download_button(
            gettext("Save to print"),
            data=lambda: record_page(sections),
            file_name=FILE_NAME,
            mime="text/html",
            icon=":material/print:",
            key="privacy-print",
            on_click="ignore",
        )
        chosen = st.selectbox(
            gettext("Part of the record"),
            range(len(sections)),
            format_func=lambda number: sections[number].title,
            index=None,
            placeholder=gettext("Choose what to read"),
            key="privacy-part",
        )
        if chosen is not None:
            st.write(sections[chosen].words)
            st.markdown(section_table(sections[chosen]))
