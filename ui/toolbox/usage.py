"""How tools are used and how they fail, for instructors: numbers by tool, nothing about any student."""

from collections.abc import Mapping, Sequence

import streamlit as st

from services.language import dates, say, say_count, to_say
from services.safety.text import literal
from services.students import Student
from services.tools.usage import ToolNumbers
from ui import problems, session, tool_names

SPANS = {to_say("Last 7 days"): 7, to_say("Last 30 days"): 30}
FAILURES = {
    "not_connected": to_say("account not connected"),
    "reconnect": to_say("account to reconnect"),
    "unavailable": to_say("service not available"),
    "timed_out": to_say("no answer in time"),
    "bad_arguments": to_say("arguments refused"),
    "not_found": to_say("not found"),
    "not_allowed": to_say("not allowed"),
    "changed_elsewhere": to_say("changed elsewhere"),
    "not_done": to_say("not done after all"),
    "unknown_outcome": to_say("outcome unclear"),
    "too_large": to_say("answer too large"),
    "used_too_often": to_say("used too often"),
    "internal": to_say("mistake of ours"),
}


def draw(student: Student) -> None:
    """Nothing at all for students; the numbers are read only while this is open."""
    services = session.services()
    if not services.keys.is_instructor(student):
        return
    card = st.expander(
        say("**Use and failures**, for instructors"), icon=":material/monitoring:", key="tool-usage", on_change="rerun"
    )
    if card.open:
        with card, problems.calmly():
            span = st.segmented_control(
                say("Span"),
                list(SPANS),
                default="Last 7 days",
                required=True,
                format_func=say,
                key="tool-usage-span",
                label_visibility="collapsed",
            )
            _table(services.usage.last(SPANS[span or "Last 7 days"]))


def _table(numbers: Sequence[ToolNumbers]) -> None:
    if not numbers:
        st.caption(say("No tool has run on these days."))
        return
    calls, failed = sum(one.calls for one in numbers), sum(one.failed for one in numbers)
    st.caption(
        say_count(
            "{n} call of all students together, {failed} failed. Days are counted in UTC. Half of a tool's calls are "
            "quicker than its usual time.",
            "{n} calls of all students together, {failed} failed. Days are counted in UTC. Half of a tool's calls are "
            "quicker than its usual time.",
            calls,
            failed=dates.number(failed),
        )
    )
    st.table([_line(one) for one in numbers], border="horizontal", hide_index=True)


def _line(one: ToolNumbers) -> Mapping[str, str]:
    return {
        say("Tool"): literal(tool_names.in_words(one.tool)),
        say("Calls"): dates.number(one.calls),
        say("Failed"): _failures(one),
        say("Usual time"): _usual(one),
    }


def _usual(one: ToolNumbers) -> str:
    if one.median_below_s is None:
        return say("over 30 s")
    return say("under {seconds} s", seconds=dates.number(one.median_below_s))


def _failures(one: ToolNumbers) -> str:
    if not one.failed:
        return "–"
    kinds = sorted(one.failures.items(), key=lambda kind: -kind[1])
    return f"**{dates.number(one.failed)}** · " + ", ".join(f"{_why(kind)} {dates.number(n)}" for kind, n in kinds)


def _why(kind: str) -> str:
    return say(FAILURES[kind]) if kind in FAILURES else kind
