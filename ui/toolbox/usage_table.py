"""Usage and failures of tools, for instructors: numbers by tool, nothing about any student."""

from collections.abc import Mapping, Sequence

import streamlit as st

from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal
from services.tools.providers.metrics import ToolUsageTotals
from ui import session
from ui.error_boundary import error_boundary
from ui.tool_names import title_by_name

SPANS = {gettext_noop("Last 7 days"): 7, gettext_noop("Last 30 days"): 30}
FAILURE_LABELS = {
    "not_connected": gettext_noop("account not connected"),
    "reconnect": gettext_noop("account to reconnect"),
    "unavailable": gettext_noop("service not available"),
    "timed_out": gettext_noop("no answer in time"),
    "bad_arguments": gettext_noop("fields not accepted"),
    "not_found": gettext_noop("not found"),
    "not_allowed": gettext_noop("not allowed"),
    "changed_elsewhere": gettext_noop("changed elsewhere"),
    "not_done": gettext_noop("not done after all"),
    "unknown_outcome": gettext_noop("outcome unclear"),
    "too_large": gettext_noop("answer too large"),
    "used_too_often": gettext_noop("used too often"),
    "internal": gettext_noop("mistake of ours"),
}


def draw_tool_usage(student: Student) -> None:
    """Draw the table; nothing for students. The numbers are read only while it is open."""
    services = session.services()
    if not services.keys.is_operator(student):
        return
    card = st.expander(
        gettext("**Use and failures**, for instructors"),
        icon=":material/monitoring:",
        key="tool-usage",
        on_change="rerun",
    )
    if card.open:
        with card, error_boundary():
            span = st.segmented_control(
                gettext("Span"),
                list(SPANS),
                default="Last 7 days",
                required=True,
                format_func=gettext,
                key="tool-usage-span",
                label_visibility="collapsed",
            )
            _draw_table(services.usage.of_last_days(SPANS[span or "Last 7 days"]))


def _draw_table(numbers: Sequence[ToolUsageTotals]) -> None:
    if not numbers:
        st.caption(gettext("No tool has run on these days."))
        return
    calls, failed = sum(row.calls for row in numbers), sum(row.failed for row in numbers)
    st.caption(
        ngettext(
            "{n} call of all students together, {failed} failed. Days are counted in UTC. Half of a tool's calls are "
            "quicker than its usual time.",
            "{n} calls of all students together, {failed} failed. Days are counted in UTC. Half of a tool's calls are "
            "quicker than its usual time.",
            calls,
            failed=formats.number(failed),
        )
    )
    st.table([_table_row(row) for row in numbers], border="horizontal", hide_index=True)


def _table_row(row: ToolUsageTotals) -> Mapping[str, str]:
    return {
        gettext("Tool"): literal(title_by_name(row.tool)),
        gettext("Calls"): formats.number(row.calls),
        gettext("Failed"): _failures(row),
        gettext("Usual time"): _usual_time(row),
    }


def _usual_time(row: ToolUsageTotals) -> str:
    if row.median_below_s is None:
        return gettext("over 30 s")
    return gettext("under {seconds} s", seconds=formats.number(row.median_below_s))


def _failures(row: ToolUsageTotals) -> str:
    if not row.failed:
        return "–"
    kinds = sorted(row.failures.items(), key=lambda kind: -kind[1])
    return f"**{formats.number(row.failed)}** · " + ", ".join(
        f"{_failure_label(kind)} {formats.number(n)}" for kind, n in kinds
    )


def _failure_label(kind: str) -> str:
    return gettext(FAILURE_LABELS[kind]) if kind in FAILURE_LABELS else kind
