"""The words and figures of the Insights page: what to show, what it comes to, how it is counted, and beginning anew."""

import streamlit as st

from services.discovery.counters import KEPT_DAYS
from services.discovery.insights import ALL, FILTER, REAL, Insights
from services.safety.text import literal
from services.students import Student
from ui import insights_words as words
from ui import outcome, places, session

SPANS = {"7 days": 7, "30 days": 30, "90 days": 90}
MINE, EVERYBODY = "Mine", "All students"
NOTHING = ":material/hourglass_empty:"
SPARED_HELP = (
    "An estimate: how much less the model had to read than with every tool in front of each question, weighed by what "
    "reading costs."
)
COUNTED = """
- The model reads in tokens, of about three quarters of a word. How many it read and wrote in all is counted by its own
  service: those numbers are exact.
- What it read minutes ago costs it a tenth to read again, and remembering it costs a quarter more. What is called read
  or spared on this page is weighed by that.
- How much of it was tools, and how much it would have been with other tools, are estimates.
- The numbers of a day are kept for 100 days. No question and no answer is among them.
"""


def choices(student: Student) -> tuple[int, bool]:
    """How many days, and whether only the student's own numbers: instructors may see those of all together."""
    with st.container(horizontal=True, key="insights-choices"):
        span = st.segmented_control(
            "Period", list(SPANS), default="7 days", required=True, key="insights-span", label_visibility="collapsed"
        )
        if not session.services().keys.is_instructor(student):
            return SPANS[span or "7 days"], True
        whose = st.segmented_control(
            "Whose", [MINE, EVERYBODY], default=MINE, required=True, key="insights-whose", label_visibility="collapsed"
        )
        return SPANS[span or "7 days"], whose != EVERYBODY


def nothing(student: Student, days: int, *, is_mine: bool) -> None:
    """What stands where nothing happened."""
    if not is_mine:
        st.info(f"No student has asked anything in {words.period(days)}.", icon=NOTHING)
        return
    if session.services().metrics.of(student.id, KEPT_DAYS)["turns"]:
        st.info(f"Nothing in {words.period(days)}. Choose a longer time to look further back.", icon=NOTHING)
        return
    st.info("Nothing to show yet. Ask something in the chat, and this page begins to fill.", icon=NOTHING)
    st.page_link(places.CHAT, label="Ask your first question", icon=":material/forum:")


def summary(numbers: Insights, days: int, *, is_mine: bool) -> None:
    """The one sentence to take home, three figures, and what it came to in money where that is known."""
    asked = words.counted(numbers["turns"], "question")
    who = "You asked" if is_mine else "Students asked"
    st.markdown(
        f"{who} **{asked}** in {words.period(days)}{_bare(numbers)}. For a usual one Homeroom read "
        f"**{numbers.loaded_each} of {words.counted(numbers.offered_each, 'tool')}**."
    )
    with st.container(horizontal=True, key="insights-figures"):
        st.metric("Questions", f"{numbers['turns']:,}", border=True)
        st.metric("Tools for a usual one", f"{numbers.loaded_each} of {numbers.offered_each}", border=True)
        is_more = round(numbers.spared, 2) < 0
        label = "Read beyond all tools" if is_more else "Reading spared"
        st.metric(label, f"{abs(numbers.spared):.0%}", border=True, help=SPARED_HELP)
    if said := " ".join(filter(None, (_money(numbers), _ratings(numbers)))):
        st.caption(said)


def _bare(numbers: Insights) -> str:
    """How many questions needed nothing."""
    bare = numbers["bare_turns"]
    return f", {bare:,} of which needed no tool at all" if bare else ""


def _money(numbers: Insights) -> str:
    """Only what is known: a model without a known price is named, not counted as free."""
    real, everything, changing = (numbers.bill(side).dollars for side in (REAL, ALL, FILTER))
    unknown = f" {literal(', '.join(numbers.unpriced))} is not in it: its price is unknown." if numbers.unpriced else ""
    if real is None or everything is None or changing is None:
        return "Price unknown: there is no list price for this model here."
    settings = session.services().settings
    # The campus plays the model, unless whoever runs the demo has set a key of their own.
    is_free = (settings.anthropic_base_url or "").startswith(settings.public_url)
    demo = " In the demo nothing is paid." if is_free else ""
    came_to = f"At list prices this came to {words.money(real)}."
    if len({words.money(one) for one in (real, everything, changing)}) == 1:
        came_to += " By our estimate the other ways would have come to about the same."
    elif max(real, everything, changing) >= words.CENT:
        came_to += (
            f" By our estimate it would have been {words.money(everything)} with all tools every time, and "
            f"{words.money(changing)} with other tools for each message."
        )
    return f"{came_to}{unknown}{demo}"


def _ratings(numbers: Insights) -> str:
    good, bad = numbers["thumbs_up"], numbers["thumbs_down"]
    return f"Thumbs up for {words.counted(good, 'answer')}, down for {bad:,}." if good or bad else ""


def how_it_is_counted(numbers: Insights) -> None:
    """Closed until somebody wants to know."""
    with st.expander("How this is counted", icon=":material/info:", key="insights-counted"):
        st.markdown(COUNTED)
        st.table(_in_parts(numbers), border="horizontal", hide_index=True)
        st.caption(_ways(numbers))


def _in_parts(numbers: Insights) -> list[dict[str, str]]:
    real = numbers.bill(REAL).input
    return [
        {"Tokens": "Instructions (estimate)", "Number": words.tokens(numbers["system"])},
        {"Tokens": "Tools (estimate)", "Number": words.tokens(numbers["tools"])},
        {"Tokens": "Conversations (estimate)", "Number": words.tokens(numbers["messages"])},
        {"Tokens": "Of these three: read again", "Number": f"{real.read:,}"},
        {"Tokens": "Of these three: remembered", "Number": f"{real.written:,}"},
        {"Tokens": "Answers", "Number": f"{numbers.output:,}"},
    ]


def _ways(numbers: Insights) -> str:
    ways = [f"{words.strategy(name)}: {words.counted(turns, 'question')}." for name, turns in numbers.strategies]
    models = [f"{literal(line.name)}: {words.counted(line.requests, 'request')}." for line in numbers.models]
    hits, calls = numbers["called_at_once"], numbers["called"]
    at_hand = [f"Of {words.counted(calls, 'use')} of a tool, {hits:,} found it at hand."] if calls else []
    return " ".join([*ways, *models, *at_hand])


def reset(student: Student) -> None:
    """Begin at zero, after a second click that says what goes."""
    with st.popover("Start from zero", icon=":material/restart_alt:", type="tertiary", key="insights-reset"):
        st.write(
            "Your numbers on this page go, and those that your own programs see. Your chats and connections stay. This "
            "cannot be taken back."
        )
        st.button("Forget my numbers", type="primary", key="insights-forget", on_click=_reset, args=(student,))


def _reset(student: Student) -> None:
    with outcome.told_next_run():
        session.services().metrics.reset(student.id)
        outcome.tell("Your numbers start from zero now.")
