"""Charts of the Insights page, each with its numbers as a table, in the theme's own colours."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from services.discovery.insights import ContextLine, DayLine, ToolUsageLine
from services.i18n import formats, gettext, gettext_noop
from services.safety.text import literal
from ui.insights.insight_labels import context_label, day_label, short_day_label, token_count
from ui.tool_names import title_by_name
from ui.toolbox.usage_table import FAILURE_LABELS

BAR_PX = 30
LABEL_PX = 150
DAYS_PX = 220
MOST_BARS = 12
SPENT, SPARED = gettext_noop("Spent"), gettext_noop("Spared (estimate)")
LONG_TABLE, LONG_TABLE_PX = 14, 420
TEXT_COLORS = {"dark": "#e9ece9", "light": "#22302c"}
"""The theme's own text colours: Streamlit makes axes paler, and words inside a chart black."""


def draw_days(lines: Sequence[DayLine], last: date, days: int) -> None:
    """Tokens sent on each day, stacked with those that all tools would have added."""
    known = {line.date: line for line in lines}
    shown = [last - timedelta(days=ago) for ago in reversed(range(days))]
    found = [(when, known.get(when)) for when in shown]
    kinds = [gettext(SPENT), gettext(SPARED)]
    label = day_label if days <= 7 else short_day_label
    amounts = [(label(when), *(_amounts(line) if line else (0, 0))) for when, line in found]
    frame = pd.DataFrame(
        [(day, kind, tokens) for day, *both in amounts for kind, tokens in zip(kinds, both, strict=True)],
        columns=["Day", "Kind", "Tokens"],
    )
    chart = (
        alt.Chart(frame, height=DAYS_PX)
        .mark_bar()
        .encode(
            x=alt.X(
                "Day:O", sort=None, title=None, axis=_axis(labelAngle=0, labelOverlap="greedy", labelBound=days > 7)
            ),
            y=alt.Y("Tokens:Q", title=None, axis=_axis(format="~s", tickCount=4)),
            color=alt.Color(
                "Kind:N",
                sort=kinds,
                legend=alt.Legend(orient="top", title=None, labelColor=_text_color(), labelLimit=0),
            ),
            order=alt.Order("Kind:N"),
            tooltip=[
                alt.Tooltip("Day:N", title=gettext("Day")),
                alt.Tooltip("Kind:N", title=gettext("Kind")),
                alt.Tooltip("Tokens:Q", title=gettext("Tokens"), format=","),
            ],
        )
    )
    table = [
        {
            gettext("Day"): day_label(line.date),
            gettext("Questions"): formats.number(line.turns),
            gettext(SPENT): token_count(line.weighed),
            gettext("All tools (estimate)"): token_count(line.with_all),
        }
        for line in reversed(lines)
    ]
    description = gettext("Bars for each day: what was spent, and what was spared.")
    _draw_tabs("days", {gettext("Chart"): chart}, table, alt=description)
    st.caption(
        gettext(
            "In tokens, about three quarters of a word each; one that was read minutes ago counts a tenth. Spared is "
            "what all tools would have added."
        )
    )


def draw_contexts(lines: Sequence[ContextLine]) -> None:
    """Number of questions by context, and the tokens saved for them."""
    asked = _bars([(context_label(line.name), line.turns) for line in lines], gettext("Questions"))
    most_spared = sorted(lines, key=lambda line: -line.saved)
    spared = _bars([(context_label(line.name), line.saved) for line in most_spared], gettext("Tokens spared"))
    table = [
        {
            gettext("About"): literal(context_label(line.name)),
            gettext("Questions"): formats.number(line.turns),
            gettext("Tools, in tokens"): token_count(line.tools_tokens),
            gettext("Spared"): token_count(line.saved),
        }
        for line in lines
    ]
    charts = {gettext("Questions"): asked, gettext("Spared"): spared}
    _draw_tabs("contexts", charts, table, alt=gettext("Bars for what questions were about."))
    st.caption(
        gettext("A question may be about several things. Its tokens, which are estimates, are split evenly among them.")
    )


def draw_tools(lines: Sequence[ToolUsageLine]) -> None:
    """How often each tool was used, loaded and searched for."""
    used = [(title_by_name(line.name), line.called) for line in lines if line.called]
    most_read = sorted((line for line in lines if line.loaded), key=lambda line: -line.loaded)
    at_hand = [(title_by_name(line.name), line.loaded) for line in most_read]
    table = [
        {
            gettext("Tool"): literal(title_by_name(line.name)),
            gettext("Used"): formats.number(line.called),
            gettext("At hand"): formats.number(line.loaded),
            gettext("Searched out"): formats.number(line.found),
        }
        for line in lines
        if line.called or line.loaded or line.found
    ]
    if not table:
        st.caption(gettext("No tool was needed."))
        return
    bars = {gettext("Used"): (used, gettext("Times used")), gettext("At hand"): (at_hand, gettext("Questions"))}
    charts = {name: _bars(*drawn) for name, drawn in bars.items() if drawn[0]}
    _draw_tabs("tools", charts, table, alt=gettext("Bars for how often each tool was used."))


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
    bars = [(title_by_name(line.name), line.failed) for line in failed]
    if not failed:
        st.caption(gettext("Nothing. Every tool did what it was asked."))
        return
    description = gettext("Bars for how often each tool failed.")
    _draw_tabs("failures", {gettext("Chart"): _bars(bars, gettext("Times"))}, table, alt=description)


def _amounts(line: DayLine) -> tuple[int, int]:
    return line.weighed, max(0, line.with_all - line.weighed)


def _bars(bars: Sequence[tuple[str, int]], counted: str) -> Any:
    """Horizontal bars with their numbers, longest first; no more than fit on a screen."""
    frame = pd.DataFrame(bars[:MOST_BARS], columns=["Name", "Number"])
    names = alt.Y("Name:N", sort=None, title=None, axis=_axis(labelLimit=LABEL_PX, ticks=False, domain=False))
    # Leaves room for the number of the longest bar.
    least, most = min(0, *(amount for _, amount in bars)), max(1, *(amount for _, amount in bars))
    base = alt.Chart(frame, height=BAR_PX * len(frame) + 10).encode(
        y=names,
        x=alt.X("Number:Q", title=None, axis=None, scale=alt.Scale(domain=[least, 1.18 * most])),
        tooltip=[alt.Tooltip("Name:N", title=gettext("Name")), alt.Tooltip("Number:Q", title=counted, format=",")],
    )
    numbers = base.mark_text(align="left", dx=4, color=_text_color()).encode(text=alt.Text("Number:Q", format=".3~s"))
    return base.mark_bar(size=BAR_PX * 0.6, cornerRadiusEnd=3) + numbers


def _axis(**options: Any) -> alt.Axis:
    return alt.Axis(labelColor=_text_color(), **options)


def _text_color() -> str:
    return TEXT_COLORS.get(st.context.theme.type or "", TEXT_COLORS["light"])


def _by_locale(chart: Any) -> Any:
    """Chart with the locale's number format; Vega's default is that of the United States."""
    point, between = formats.separators()
    if (point, between) == (".", ","):
        return chart
    number = {"decimal": point, "thousands": between, "grouping": [3], "currency": ["$", ""]}
    return chart.configure(locale={"number": number})


def _draw_tabs(key: str, charts: Mapping[str, Any], table: Sequence[Mapping[str, str]], *, alt: str) -> None:
    """Draw a tab for each chart, and one for the table. alt: description for screen readers."""
    *places, listed = st.tabs([*charts, gettext("Table")], key=f"insights-{key}")
    for place, chart in zip(places, charts.values(), strict=True):
        place.altair_chart(_by_locale(chart), width="stretch", alt=alt)
    height: Any = LONG_TABLE_PX if len(table) > LONG_TABLE else "content"
    listed.table(list(table), border="horizontal", hide_index=True, height=height)
