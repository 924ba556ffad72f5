"""Charts with their numbers as a table beside them, in the theme's own colours."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from services.i18n import formats, gettext

BAR_PX = 30
LABEL_PX = 150
MOST_BARS = 12
LONG_TABLE, LONG_TABLE_PX = 14, 420
TEXT_COLORS = {"dark": "#e9ece9", "light": "#22302c"}
"""The theme's own text colours: Streamlit makes axes paler, and words inside a chart black."""


def bars(lines: Sequence[tuple[str, int]], counted: str, *, label_px: int = LABEL_PX) -> Any:
    """Horizontal bars with their numbers, longest first; no more than fit on a screen."""
    frame = pd.DataFrame(lines[:MOST_BARS], columns=["Name", "Number"])
    names = alt.Y("Name:N", sort=None, title=None, axis=axis(labelLimit=label_px, ticks=False, domain=False))
    # Leaves room for the number of the longest bar.
    least, most = min(0, *(amount for _, amount in lines)), max(1, *(amount for _, amount in lines))
    base = alt.Chart(frame, height=BAR_PX * len(frame) + 10).encode(
        y=names,
        x=alt.X("Number:Q", title=None, axis=None, scale=alt.Scale(domain=[least, 1.18 * most])),
        tooltip=[alt.Tooltip("Name:N", title=gettext("Name")), alt.Tooltip("Number:Q", title=counted, format=",")],
    )
    numbers = base.mark_text(align="left", dx=4, color=text_color()).encode(text=alt.Text("Number:Q", format=".3~s"))
    return base.mark_bar(size=BAR_PX * 0.6, cornerRadiusEnd=3) + numbers


def axis(**options: Any) -> alt.Axis:
    return alt.Axis(labelColor=text_color(), **options)


def text_color() -> str:
    return TEXT_COLORS.get(st.context.theme.type or "", TEXT_COLORS["light"])


def _by_locale(chart: Any) -> Any:
    """Chart with the locale's number format; Vega's default is that of the United States."""
    point, between = formats.separators()
    if (point, between) == (".", ","):
        return chart
    number = {"decimal": point, "thousands": between, "grouping": [3], "currency": ["$", ""]}
    return chart.configure(locale={"number": number})


def draw_chart_tabs(key: str, charts: Mapping[str, Any], table: Sequence[Mapping[str, str]], *, alt: str) -> None:
    """Draw a tab for each chart, and one for the table. alt: description for screen readers. key: of the tabs."""
    *places, listed = st.tabs([*charts, gettext("Table")], key=key)
    for place, chart in zip(places, charts.values(), strict=True):
        place.altair_chart(_by_locale(chart), width="stretch", alt=alt)
    height: Any = LONG_TABLE_PX if len(table) > LONG_TABLE else "content"
    listed.table(list(table), border="horizontal", hide_index=True, height=height)
