"""Step of an answer: one tool call with its arguments, duration, sources, and a drafted e-mail."""

from collections.abc import Container

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.conversations.items import ToolLine
from services.conversations.step_text import (
    MAIL_SCHEME,
    MOST_STEPS,
    argument_lines,
    duration_text,
    service_beside,
    source_list,
)
from services.i18n import gettext
from services.safety.link_urls import link_target
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal

TEXT_HEIGHT = 240


def draw_tool_step(item: ToolLine, *, known: frozenset[str], service: str = "") -> None:
    """Draw the step. A failed one shows its reason at once, and one that asks back says what in its line; the details
    of others open on demand.

    known: addresses that may be links. service: that was asked.
    """
    step = _draw_line(item, service).container(gap="xsmall")
    if item.sentence and not item.asks_back:
        step.text(gettext(item.sentence))
    if item.arguments:
        step.caption(gettext("Asked for"))
        step.text("\n".join(argument_lines(item.arguments)))
    for line in item.steps[:MOST_STEPS]:
        step.caption(f":material/subdirectory_arrow_right: {literal(line)}")
    if found := source_list(item.sources):
        step.caption(gettext("Found"))
        step.markdown(sanitise(found, allowed=known))
    _draw_mail_link(item, known=known)


def _draw_line(item: ToolLine, service: str) -> DeltaGenerator:
    label = gettext(item.label)
    named = [literal(part) for part in (label, service_beside(label, service)) if part]
    if item.success is False and item.asks_back:
        asked = [literal(gettext(item.sentence))] if item.sentence else []
        return st.expander(" · ".join([*named, *asked]), type="step", icon=":material/help:")
    label = " · ".join([*named, *_progress(item)])
    if item.success is False:
        return st.status(label, state="error", type="step", expanded=True)
    # Every `st.status` sleeps for 0.05 s, and a long chat has many steps.
    return st.expander(label, type="step", icon=":material/check_circle:" if item.success else "spinner")


def _progress(item: ToolLine) -> list[str]:
    """Progress of a running step, or the duration of a finished one."""
    if item.note:
        return [literal(item.note)]
    return [duration] if (duration := duration_text(item.seconds)) else []


def draw_thinking(slot: DeltaGenerator) -> None:
    """Draw the step of a model that has not answered yet."""
    slot.expander(gettext("Thinking …"), type="step", icon="spinner")


def _draw_mail_link(item: ToolLine, *, known: Container[str]) -> None:
    """Button that opens a drafted e-mail in the student's mail program; a text that no link holds is shown to copy."""
    for source in item.sources:
        target = link_target(source.url, known) if source.url.startswith(MAIL_SCHEME) else None
        if target is None:
            continue
        st.link_button(gettext(source.title), target, icon=":material/mail:")
        text = item.arguments.get("body")
        if "body=" not in target and isinstance(text, str):
            st.caption(gettext("The text is too long for the button. Copy it into the message:"))
            st.code(text, language=None, wrap_lines=True, height=TEXT_HEIGHT)
