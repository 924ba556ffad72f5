"""How tools are used and how they fail, for instructors: numbers by tool, nothing about any student."""

from collections.abc import Mapping, Sequence

import streamlit as st

from services.safety.text import literal
from services.students import Student
from services.tools.usage import ToolNumbers
from ui import problems, session

SPANS = {"Last 7 days": 7, "Last 30 days": 30}
FAILURES = {
    "reconnect": "account to reconnect",
    "unavailable": "service not available",
    "timed_out": "no answer in time",
    "bad_arguments": "arguments refused",
    "not_found": "not found",
    "not_allowed": "not allowed",
    "changed_elsewhere": "changed elsewhere",
    "unknown_outcome": "outcome unclear",
    "too_large": "answer too large",
    "internal": "mistake of ours",
}


def draw(student: Student) -> None:
    """Nothing at all for students; the numbers are read only while this is open."""
    services = session.services()
    if not services.keys.is_instructor(student):
        return
    card = st.expander(
        "**Use and failures**, for instructors", icon=":material/monitoring:", key="tool-usage", on_change="rerun"
    )
    if card.open:
        with card, problems.calmly():
            span = st.segmented_control(
                "Span", list(SPANS), default="Last 7 days", required=True, label_visibility="collapsed"
            )
            _table(services.usage.last(SPANS[span or "Last 7 days"]))


def _table(numbers: Sequence[ToolNumbers]) -> None:
    if not numbers:
        st.caption("No tool has run on these days.")
        return
    calls, failed = sum(one.calls for one in numbers), sum(one.failed for one in numbers)
    st.caption(
        f"{calls:,} {'call' if calls == 1 else 'calls'} of all students together, {failed:,} failed. Days are counted "
        "in UTC. Half of a tool's calls are quicker than its usual time."
    )
    st.table([_line(one) for one in numbers], border="horizontal", hide_index=True)


def _line(one: ToolNumbers) -> Mapping[str, str]:
    return {
        "Tool": literal(one.tool),
        "Calls": f"{one.calls:,}",
        "Failed": _failures(one),
        "Usual time": "over 30 s" if one.median_below_s is None else f"under {one.median_below_s:g} s",
    }


def _failures(one: ToolNumbers) -> str:
    if not one.failed:
        return "–"
    kinds = sorted(one.failures.items(), key=lambda kind: -kind[1])
    return f"**{one.failed:,}** · " + ", ".join(f"{FAILURES.get(kind, kind)} {n:,}" for kind, n in kinds)
