"""Step of an answer: one tool call with its arguments, duration, sources, and a drafted e-mail."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.conversations.items import ToolLine
from services.i18n import formats, gettext
from services.safety.link_urls import link_target
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal
from services.tools.result import Source
from ui.arguments.argument_labels import inline_label

MOST_SOURCES = 8
MOST_STEPS = 12
SHORTEST_S = 0.05
"""Shorter durations are not shown: "0.0 s" says nothing."""
MAIL_SCHEME = "mailto:"
TEXT_HEIGHT = 240


def draw_tool_step(item: ToolLine, *, known: frozenset[str], service: str = "") -> None:
    """Draw the step. A failed one shows its reason at once; the details of others open on demand.

    known: addresses that may be links. service: that was asked.
    """
    step = _draw_line(item, service).container(gap="xsmall")
    if item.sentence:
        step.text(gettext(item.sentence))
    if item.arguments:
        step.caption(gettext("Asked for"))
        step.text(_arguments_text(item.arguments))
    for line in item.steps[:MOST_STEPS]:
        step.caption(f":material/subdirectory_arrow_right: {literal(line)}")
    if found := [source for source in item.sources if not source.url.startswith(MAIL_SCHEME)]:
        step.caption(gettext("Found"))
        step.markdown(sanitise(_source_list(found), allowed=known))
    _draw_mail_link(item, known=known)


def _draw_line(item: ToolLine, service: str) -> DeltaGenerator:
    label = " · ".join([literal(gettext(item.label)), *([literal(service)] if service else []), *_progress(item)])
    if item.success is False:
        return st.status(label, state="error", type="step", expanded=True)
    # Every `st.status` sleeps for 0.05 s, and a long chat has many steps.
    return st.expander(label, type="step", icon=":material/check_circle:" if item.success else "spinner")


def _progress(item: ToolLine) -> list[str]:
    """Progress of a running step, or the duration of a finished one."""
    if item.note:
        return [literal(item.note)]
    return [f"{formats.number(item.seconds, 1)} s"] if item.seconds >= SHORTEST_S else []


def draw_thinking(slot: DeltaGenerator) -> None:
    """Draw the step of a model that has not answered yet."""
    slot.expander(gettext("Thinking …"), type="step", icon="spinner")


def _arguments_text(arguments: Mapping[str, Any]) -> str:
    """One line for each argument, as literal text."""
    return "\n".join(f"{inline_label(name)}: {_value(value)}" for name, value in arguments.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _source_list(sources: Sequence[Source]) -> str:
    shown = [f"- [{literal(source.title)}](<{source.url}>)" for source in sources[:MOST_SOURCES]]
    more = ["- " + gettext("and {n} more", n=len(sources) - MOST_SOURCES)] if len(sources) > MOST_SOURCES else []
    return "\n".join(shown + more)


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
