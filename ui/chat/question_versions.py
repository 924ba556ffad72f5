"""Arrows under a question that was edited or asked again: they leaf through its versions and what followed each."""

import streamlit as st

from services.conversations.versions import QuestionVersions
from services.i18n import gettext


def draw_question_versions(seq: int, versions: QuestionVersions) -> None:
    """Draw "‹ 2 of 3 ›". seq: of the question."""
    at, count = versions.current, len(versions.ids)
    with st.container(key=f"versions-{seq}", horizontal=True, vertical_alignment="center", gap="xsmall"):
        _draw_arrow(f"version-before-{seq}", gettext("Version before"), ":material/chevron_left:", versions, at - 1)
        st.caption(gettext("{n} of {count}", n=at + 1, count=count), width="content")
        _draw_arrow(f"version-after-{seq}", gettext("Version after"), ":material/chevron_right:", versions, at + 1)


def _draw_arrow(key: str, label: str, icon: str, versions: QuestionVersions, to: int) -> None:
    is_there = 0 <= to < len(versions.ids)
    st.button(
        label,
        key=key,
        icon=icon,
        type="tertiary",
        disabled=not is_there,
        on_click=_open,
        args=(versions.ids[to] if is_there else "",),
    )


def _open(id: str) -> None:
    st.query_params["c"] = id
