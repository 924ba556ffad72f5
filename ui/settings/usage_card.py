"""Usage of today, and the limits that apply."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

import streamlit as st

from services.approvals.card_lifetime import MOST
from services.discovery.insights import REAL
from services.files import limits
from services.files.upload import format_size
from services.i18n import formats, gettext
from services.identity.api_keys import MOST_KEYS
from services.identity.students import Student
from services.navigation import INSIGHTS_PAGE
from services.safety.text import literal
from services.tools.providers.rate_limit import rate_text
from services.turns.start import LONGEST_MESSAGE
from services.turns.turn_limits import CALLS_IN_A_TURN, WRITES_IN_A_TURN
from ui import session
from ui.budget_fields import PERIODS, draw_spent
from ui.error_boundary import error_boundary
from ui.insights.insight_labels import word_count


def draw_usage(student: Student) -> None:
    st.markdown(gettext("## Usage and limits"))
    with error_boundary():
        _draw_today(student)
    with error_boundary():
        _draw_budgets(student)
    section = st.expander(gettext("The limits that apply"), icon=":material/speed:", key="limits", on_change="rerun")
    if section.open:
        with section:
            st.markdown("\n".join(f"- {limit}" for limit in _limit_lines()))


def _draw_today(student: Student) -> None:
    numbers = session.services().metrics.for_student(student.id, 1)
    sent = numbers.bill(REAL).input
    with st.container(horizontal=True, key="usage-figures"):
        st.metric(gettext("Questions today"), formats.number(numbers["turns"]), border=True)
        st.metric(gettext("Words read"), word_count(sent.whole), border=True)
        st.metric(gettext("Words written"), word_count(numbers.output), border=True)
    st.caption(
        gettext(
            "Today in your own time zone, rounded. Most of what the model reads is its instructions, descriptions of "
            "tools and the chat so far."
        )
    )
    st.page_link(INSIGHTS_PAGE.script, label=gettext("More under Insights"), icon=":material/insights:")


def _draw_budgets(student: Student) -> None:
    """Draw what is used of the student's own budgets, and when each begins anew."""
    found = session.services().classroom.budget_control.own(student)
    if not found:
        st.caption(gettext("Your answers have no budget of their own here."))
        return
    with st.container(key="own-budgets"):
        for state in found:
            name = (
                literal(state.school_class.name) if state.school_class else gettext("Your share of Homeroom's budget")
            )
            st.markdown(f"**{name}**")
            for period in PERIODS:
                if state.scope.limits.of(period) is not None:
                    draw_spent(state, period)
        st.caption(
            gettext(
                "At a limit answers pause; a new day begins on {moment}. Only you see what you use.",
                moment=formats.moment(found[0].scope.periods.day_ends_at, ZoneInfo(student.timezone)),
            )
        )


def _limit_lines() -> Iterator[str]:
    yield gettext("**A message** has at most {n} characters.", n=formats.number(LONGEST_MESSAGE))
    yield gettext(
        "**Files**: {files} of {size} MB each with one message, {all} in all your chats together.",
        files=limits.MOST_FILES,
        size=limits.LARGEST_MB,
        all=format_size(limits.MOST_KEPT),
    )
    calls, changes = CALLS_IN_A_TURN, WRITES_IN_A_TURN
    yield gettext(
        "**An answer** may look things up {calls} times and propose {changes} changes.", calls=calls, changes=changes
    )
    yield gettext(
        "**What waits for your yes** waits until the time it is for, a day at least and {n} days at most.",
        n=MOST.days,
    )
    yield gettext("**Keys for your own programs**: {n}.", n=MOST_KEYS)
    for tool in session.services().root_tools.tools():
        if tool.rate is not None:
            yield f"**{literal(gettext(tool.label))}**: {rate_text(tool.rate)}."
