"""Settings: what the student used today, and the limits that bind."""

from collections.abc import Iterator

import streamlit as st

from services.agent.calls import CALLS_IN_A_TURN, WRITES_IN_A_TURN
from services.agent.turns import LONGEST_MESSAGE
from services.approvals.approvals import LIFETIME
from services.discovery.insights import REAL
from services.files import limits as files
from services.keys import MOST_KEYS
from services.safety.text import literal
from services.students import Student
from services.tools.rating import in_words
from ui import places, problems, session


def draw(student: Student) -> None:
    st.markdown("## Usage and limits")
    with problems.calmly():
        _today(student)
    section = st.expander("The limits that bind", icon=":material/speed:", key="limits", on_change="rerun")
    if section.open:
        with section:
            st.markdown("\n".join(f"- {limit}" for limit in _limits()))


def _today(student: Student) -> None:
    numbers = session.services().metrics.of(student.id, 1)
    sent = numbers.bill(REAL).input
    with st.container(horizontal=True, key="usage-figures"):
        st.metric("Questions today", f"{numbers['turns']:,}", border=True)
        st.metric("Tokens read", f"{sent.fresh + sent.read + sent.written:,}", border=True)
        st.metric("Tokens written", f"{numbers.output:,}", border=True)
    st.caption(
        "Today by your own time zone. A token is about three quarters of a word; most of what is read are tools, rules "
        "and the chat so far. There is no daily budget here."
    )
    st.page_link(places.INSIGHTS, label="More under Insights", icon=":material/insights:")


def _limits() -> Iterator[str]:
    yield f"**A message** has at most {LONGEST_MESSAGE:,} characters."
    yield (
        f"**Files**: {files.MOST_FILES} of {files.LARGEST_MB} MB each with one message, "
        f"{files.in_words(files.MOST_KEPT)} in all your chats together."
    )
    yield f"**An answer** may look things up {CALLS_IN_A_TURN} times and propose {WRITES_IN_A_TURN} changes."
    yield f"**What waits for your yes** waits for {LIFETIME.total_seconds() / 60:.0f} minutes."
    yield f"**Keys for your own programs**: {MOST_KEYS}."
    for tool in session.services().root_tools.tools():
        if tool.rate is not None:
            yield f"**{literal(tool.label)}**: {in_words(tool.rate)}."
