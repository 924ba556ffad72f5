"""Charts of the Insights page, each with its numbers as a table, in the theme's own colours."""

from collections.abc import Sequence
from datetime import date, timedelta

import altair as alt
import pandas as pd
import streamlit as st

from services.discovery.insights import ContextLine, DayLine, ToolUsageLine
from services.i18n import formats, gettext, gettext_noop
from services.safety.text import literal
from ui.charts import axis, bars, draw_chart_tabs, text_color
from ui.insights.insight_labels import context_label, day_label, short_day_label, word_count, words_of
from ui.tool_names import title_by_name
from ui.toolbox.usage_table import FAILURE_LABELS

DAYS_PX = 220
READ, SAVED = gettext_noop("Read"), gettext_noop("Saved (estimate)")


def draw_days(lines: Sequence[DayLine], last: date, days: int) -> None:
    """Words sent on each day, stacked with those that all tools would have added."""
    known = {line.date: line for line in lines}
    shown = [last - timedelta(days=ago) for ago in reversed(range(days))]
    found = [(when, known.get(when)) for when in shown]
    kinds = [gettext(READ), gettext(SAVED)]
    label = day_label if days <= 7 else short_day_label
    amounts = [(label(when), *(_amounts(line) if line else (0, 0))) for when, line in found]
    frame = pd.DataFrame(
        [(day, kind, words) for day, *both in amounts for kind, words in zip(kinds, both, strict=True)],
        columns=["Day", "Kind", "Words"],
    )
    chart = (
        alt.Chart(frame, height=DAYS_PX)
        .mark_bar()
        .encode(
            x=alt.X(
                "Day:O", sort=None, title=None, axis=axis(labelAngle=0, labelOverlap="greedy", labelBound=days > 7)
            ),
            y=alt.Y("Words:Q", title=None, axis=axis(format="~s", tickCount=4)),
            color=alt.Color(
                "Kind:N",
                sort=kinds,
                legend=alt.Legend(orient="top", title=None, labelColor=text_color(), labelLimit=0),
            ),
            order=alt.Order("Kind:N"),
            tooltip=[
                alt.Tooltip("Day:N", title=gettext("Day")),
                alt.Tooltip("Kind:N", title=gettext("Kind")),
                alt.Tooltip("Words:Q", title=gettext("Words"), format=","),
            ],
        )
    )
    table = [
        {
            gettext("Day"): day_label(line.date),
            gettext("Questions"): formats.number(line.turns),
            gettext(READ): word_count(line.weighed),
            gettext("All tools (estimate)"): word_count(line.with_all),
        }
        for line in reversed(lines)
    ]
    description = gettext("Bars for each day: what was read, and what was saved.")
    draw_chart_tabs("insights-days", {gettext("Chart"): chart}, table, alt=description)
    st.caption(
        gettext(
            "In words, rounded; one that was read minutes ago counts a tenth. Saved is what all tools would have added."
        )
    )


def draw_contexts(lines: Sequence[ContextLine]) -> None:
    """Number of questions by context, and the words saved for them."""
    asked = bars([(context_label(line.name), line.turns) for line in lines], gettext("Questions"))
    most_saved = sorted(lines, key=lambda line: -line.saved)
    saved = bars([(context_label(line.name), words_of(line.saved)) for line in most_saved], gettext("Words saved"))
    table = [
        {
            gettext("About"): literal(context_label(line.name)),
            gettext("Questions"): formats.number(line.turns),
            gettext("Tools, in words"): word_count(line.tools_tokens),
            gettext("Saved"): word_count(line.saved),
        }
        for line in lines
    ]
    charts = {gettext("Questions"): asked, gettext("Saved"): saved}
    draw_chart_tabs("insights-contexts", charts, table, alt=gettext("Bars for what questions were about."))
    st.caption(
        gettext("A question may be about several things. Its words, which are estimates, are split evenly among them.")
    )


def draw_tools(lines: Sequence[ToolUsageLine]) -> None:
    """How often each tool was used, loaded and searched for."""
    used = [(title_by_name(line.name), line.called) for line in lines if line.called]
    most_read = sorted((line for line in lines if line.loaded), key=lambda line: -line.loaded)
    usable = [(title_by_name(line.name), line.loaded) for line in most_read]
    table = [
        {
            gettext("Tool"): literal(title_by_name(line.name)),
            gettext("Used"): formats.number(line.called),
            gettext("Could be used"): formats.number(line.loaded),
            gettext("Found by a search"): formats.number(line.found),
        }
        for line in lines
        if line.called or line.loaded or line.found
    ]
    if not table:
        st.caption(gettext("No tool was needed."))
        return
    drawn = {gettext("Used"): (used, gettext("Times used")), gettext("Could be used"): (usable, gettext("Questions"))}
    charts = {name: bars(*lines) for name, lines in drawn.items() if lines[0]}
    draw_chart_tabs("insights-tools", charts, table, alt=gettext("Bars for how often each tool was used."))


def draw_failures(lines: Sequence[ToolUsageLine]) -> None:
    """Failed calls by tool and reason."""
    failed = sorted((line for line in lines if line.failed), key=lambda line: -line.failed)
    table = [
        {
            gettext("Tool"): literal(title_by_name(line.name)),
            gettext("Why"): gettext(FAILURE_LABELS[kind]) if kind in FAILURE_LABELS else kind.replace("_", " "),
            gettext("Times"): formats.number(times),
        }
        for line in failed
        for kind, times in sorted(line.failures.items(), key=lambda pair: -pair[1])
    ]
    counted = [(title_by_name(line.name), line.failed) for line in failed]
    if not failed:
        st.caption(gettext("Nothing. Every tool did what it was asked."))
        return
    description = gettext("Bars for how often each tool failed.")
    draw_chart_tabs("insights-failures", {gettext("Chart"): bars(counted, gettext("Times"))}, table, alt=description)


def _amounts(line: DayLine) -> tuple[int, int]:
    return words_of(line.weighed), words_of(max(0, line.with_all - line.weighed))
