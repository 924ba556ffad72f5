"""Text and figures of the Insights page: filters, summary, cost, method, and reset."""

import streamlit as st

from services.discovery.daily_counters import KEPT_DAYS
from services.discovery.insights import ALL, FILTER, REAL, Insights
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.empty_state import draw_empty_state
from ui.flash_message import flash
from ui.insights.insight_labels import (
    CENT,
    money_label,
    period_label,
    question_count,
    strategy_label,
    tool_count,
    word_count,
)
from ui.privacy_notice import is_model_simulated
from ui.session_guard import guarded_callback

SPANS = {gettext_noop("7 days"): 7, gettext_noop("30 days"): 30, gettext_noop("90 days"): 90}
MINE, EVERYBODY = gettext_noop("Mine"), gettext_noop("All students")
NOTHING = ":material/hourglass_empty:"
SPARED_HELP = gettext_noop(
    "An estimate: how much less the model had to read than with every tool described to it each time, weighed by what "
    "reading costs."
)
MORE_HELP = gettext_noop(
    "An estimate: how much more the model had to read than with every tool described to it each time, weighed by what "
    "reading costs. With few questions that can be: what it reads anew costs more than what it read minutes ago."
)
COUNTED = gettext_noop("""
- How much the model read and wrote in all is counted by its own service, in pieces of words; here it stands in words,
  rounded.
- What it read minutes ago costs it a tenth to read again, and remembering it costs a quarter more. What is called read
  or saved in the charts is weighed by that; here below and in Settings every word counts whole.
- How much of it was tools, and how much it would have been with other tools, are estimates.
- What the model reads and writes to search the web, to sum something up or to ask another assistant is in it. What
  another search engine takes for its searches is not.
- The numbers of a day are kept for 100 days. No question and no answer is among them.
""")
ASKED = {
    (True, False): gettext_noop("You asked **{asked}** in {period}."),
    (True, True): gettext_noop("You asked **{asked}** in {period}, {bare} of which needed no tool at all."),
    (False, False): gettext_noop("Students asked **{asked}** in {period}."),
    (False, True): gettext_noop("Students asked **{asked}** in {period}, {bare} of which needed no tool at all."),
}
"""By whether the numbers are the student's own, and whether some questions needed nothing."""


def draw_period_filter(student: Student) -> tuple[int, bool]:
    """Draw the filters: number of days, and whether only the student's own numbers, which operators may widen."""
    with st.container(horizontal=True, key="insights-choices"):
        span = st.segmented_control(
            gettext("Period"),
            list(SPANS),
            default="7 days",
            required=True,
            format_func=gettext,
            key="insights-span",
            label_visibility="collapsed",
        )
        if not session.services().keys.is_operator(student):
            return SPANS[span or "7 days"], True
        whose = st.segmented_control(
            gettext("Whose"),
            [MINE, EVERYBODY],
            default=MINE,
            required=True,
            format_func=gettext,
            key="insights-whose",
            label_visibility="collapsed",
        )
        return SPANS[span or "7 days"], whose != EVERYBODY


def draw_nothing(student: Student, days: int, *, is_mine: bool) -> None:
    """Draw what stands where no question was asked."""
    if not is_mine:
        st.info(gettext("No student has asked anything in {period}.", period=period_label(days)), icon=NOTHING)
        return
    if session.services().metrics.for_student(student.id, KEPT_DAYS)["turns"]:
        period = period_label(days)
        st.info(gettext("Nothing in {period}. Choose a longer time to look further back.", period=period), icon=NOTHING)
        return
    draw_empty_state(gettext("Ask something in the chat, and this page begins to fill."), key="insights-empty")


def draw_summary(numbers: Insights, days: int, *, is_mine: bool) -> None:
    """Draw the summary: one sentence, three figures, and the cost where prices are known."""
    asked, bare = question_count(numbers["turns"]), numbers["bare_turns"]
    sentence = ASKED[is_mine, bool(bare)]
    st.markdown(
        gettext(sentence, asked=asked, period=period_label(days), bare=formats.number(bare))
        + " "
        + gettext(
            "For a typical question the model was given **{loaded} of {offered}**.",
            loaded=numbers.tools_loaded,
            offered=tool_count(numbers.tools_offered),
        )
    )
    with st.container(horizontal=True, key="insights-figures"):
        st.metric(gettext("Questions"), formats.number(numbers["turns"]), border=True)
        loaded = gettext("{part} of {whole}", part=numbers.tools_loaded, whole=numbers.tools_offered)
        st.metric(gettext("Tools per question"), loaded, border=True)
        is_more = round(numbers.saved_share, 2) < 0
        label, help = (gettext("More to read"), MORE_HELP) if is_more else (gettext("Less to read"), SPARED_HELP)
        st.metric(label, formats.percent(abs(numbers.saved_share)), border=True, help=gettext(help))
    if caption := " ".join(filter(None, (_money(numbers), _ratings(numbers)))):
        st.caption(caption)


def _money(numbers: Insights) -> str:
    """Cost sentence; a model without a known price is named, not counted as free."""
    real, everything, changing = (numbers.bill(side).dollars for side in (REAL, ALL, FILTER))
    if real is None or everything is None or changing is None:
        return gettext("Price unknown: there is no list price for this model here.")
    sentences = [gettext("At list prices this came to {money}.", money=money_label(real))]
    if len({money_label(dollars) for dollars in (real, everything, changing)}) == 1:
        sentences.append(gettext("By our estimate the other ways would have come to about the same."))
    elif max(real, everything, changing) >= CENT:
        sentences.append(
            gettext(
                "By our estimate it would have been {all} with all tools every time, and {changing} with other tools "
                "for each message.",
                all=money_label(everything),
                changing=money_label(changing),
            )
        )
    sentences += _searches(numbers)
    if numbers.unpriced:
        models = literal(", ".join(numbers.unpriced))
        sentences.append(gettext("{models} is not in it: its price is unknown.", models=models))
    if is_model_simulated():
        sentences.append(gettext("In the demo nothing is paid."))
    return " ".join(sentences)


def _searches(numbers: Insights) -> list[str]:
    """Sentences on the fees of web searches, which the model service bills apart."""
    unpriced = numbers.unpriced_searches
    priced = numbers.web_searches - unpriced
    fees = ngettext("The fee of {n} web search is in it.", "The fees of {n} web searches are in it.", priced)
    missing = ngettext(
        "The fee of {n} web search is not in it.", "The fees of {n} web searches are not in it.", unpriced
    )
    return [*([fees] if priced else []), *([missing] if unpriced else [])]


def _ratings(numbers: Insights) -> str:
    good, bad = numbers["thumbs_up"], numbers["thumbs_down"]
    return (
        ngettext(
            "Thumbs up for {n} answer, down for {bad}.",
            "Thumbs up for {n} answers, down for {bad}.",
            good,
            bad=formats.number(bad),
        )
        if good or bad
        else ""
    )


def draw_method(numbers: Insights) -> None:
    """Draw how the numbers are counted, in a closed expander."""
    with st.expander(gettext("How this is counted"), icon=":material/info:", key="insights-counted"):
        st.markdown(gettext(COUNTED))
        st.table(_in_parts(numbers), border="horizontal", hide_index=True)
        st.caption(_ways(numbers))


def _in_parts(numbers: Insights) -> list[dict[str, str]]:
    real = numbers.bill(REAL).input
    aside = real.whole - sum(numbers[part] for part in ("system", "tools", "messages"))
    parts = {
        gettext("Instructions (estimate)"): word_count(numbers["system"]),
        gettext("Tools (estimate)"): word_count(numbers["tools"]),
        gettext("Conversations (estimate)"): word_count(numbers["messages"]),
        **({gettext("Outside the conversations"): word_count(aside)} if aside > 0 else {}),
        gettext("All that was read"): word_count(real.whole),
        gettext("Part of it, read once more"): word_count(real.read),
        gettext("Part of it, stored to be read once more"): word_count(real.written),
        gettext("Written in answers"): word_count(numbers.output),
    }
    return [{gettext("Words"): part, gettext("Number"): number} for part, number in parts.items()]


def _ways(numbers: Insights) -> str:
    ways = [f"{strategy_label(name)}: {question_count(turns)}." for name, turns in numbers.strategies]
    models = [f"{literal(line.name)}: {_requests(line.requests)}." for line in numbers.models]
    return " ".join([*ways, *models, *_ready_at_once(numbers["called"], numbers["called_at_once"])])


def _requests(number: int) -> str:
    return ngettext("{n} request", "{n} requests", number)


def _ready_at_once(calls: int, hits: int) -> list[str]:
    if not calls:
        return []
    return [
        ngettext(
            "Of {n} use of a tool, {hits} had it ready at once.",
            "Of {n} uses of a tool, {hits} had it ready at once.",
            calls,
            hits=formats.number(hits),
        )
    ]


def draw_reset(student: Student) -> None:
    """Draw the reset of the numbers, behind a confirmation."""
    with st.popover(gettext("Start from zero"), icon=":material/restart_alt:", type="tertiary", key="insights-reset"):
        st.write(
            gettext(
                "Your numbers on this page go, and those that your own programs see. Your chats and connections stay. "
                "This cannot be taken back."
            )
        )
        st.button(gettext("Forget my numbers"), type="primary", key="insights-forget", on_click=_reset, args=(student,))


@guarded_callback
def _reset(student: Student) -> None:
    session.services().metrics.reset(student.id)
    flash(gettext("Your numbers start from zero now."))
