"""Explanation of why an answer had its tools: a popover under it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.discovery.explanation import LoadingExplanation
from services.discovery.tool_search import FIND
from services.i18n import gettext, gettext_noop
from services.safety.text import literal
from ui.insights.insight_labels import context_label, tool_count, word_count
from ui.tool_names import title_by_name

MOST_NAMES = 12
SURENESS = ((0.9, gettext_noop("very sure")), (0.7, gettext_noop("fairly sure")), (0.0, gettext_noop("a guess")))
STRATEGIES = {
    "frozen": gettext_noop("All of your tools are described to the model with every message, as there are few."),
    "append": gettext_noop(
        "A chat begins without tools. What a message needs is added, and stays for the rest of the chat."
    ),
    "per_message": gettext_noop("The tools are chosen anew for every message."),
}


def draw_tool_explanation(
    explanation: LoadingExplanation | None, key: str, place: DeltaGenerator | None = None
) -> None:
    """Draw the popover, filled only while it is open: most runs would draw it for nobody. key: unique to the answer."""
    if explanation is None:
        return
    label = gettext("Why these tools")
    note = (place or st).popover(f":small[:gray[{label}]]", type="tertiary", key=f"why-{key}", on_change="rerun")
    if note.open:
        note.caption(explain_tools(explanation))


def explain_tools(explanation: LoadingExplanation) -> str:
    """Explanation as Markdown, one line for each fact."""
    lines = [
        _about(explanation),
        _loaded(explanation),
        _listed(gettext("Used for this answer"), _used(explanation)),
        _listed(gettext("New with this message"), _added(explanation)),
        _listed(gettext("Found on the way"), explanation.found),
        gettext(STRATEGIES.get(explanation.strategy, "")),
        _words(explanation),
    ]
    return "  \n".join(line for line in lines if line)


def _added(explanation: LoadingExplanation) -> list[str]:
    """Tools that this message added to those loaded before; nothing when all of them are new."""
    new = [name for name in explanation.added if name in explanation.loaded]
    return new if len(new) < len(explanation.loaded) else []


def _used(explanation: LoadingExplanation) -> list[str]:
    """Tools that were called; the search for tools is told by what it found."""
    return [name for name in explanation.used if name != FIND]


def _about(explanation: LoadingExplanation) -> str:
    if not explanation.contexts:
        return "" if explanation.used else gettext("Nothing in your message called for a tool.")
    found = [
        f"**{literal(context_label(name))}** ({_sureness(confidence)})" for name, confidence in explanation.contexts
    ]
    return gettext("Your message seemed to be about {subjects}.", subjects=_joined(found))


def _sureness(confidence: float) -> str:
    return gettext(next(label for least, label in SURENESS if confidence >= least))


def _loaded(explanation: LoadingExplanation) -> str:
    if not explanation.loaded and explanation.used:
        return ""
    if not explanation.loaded:
        return gettext("None of your {tools} was needed.", tools=tool_count(explanation.offered))
    return _listed(
        gettext("{n} of {tools} could be used", n=len(explanation.loaded), tools=tool_count(explanation.offered)),
        explanation.loaded,
    )


def _listed(title: str, names: "list[str] | tuple[str, ...]") -> str:
    if not names:
        return ""
    listed = ", ".join(literal(title_by_name(name)) for name in names[:MOST_NAMES])
    more = gettext("and {n} more", n=len(names) - MOST_NAMES) if len(names) > MOST_NAMES else ""
    return f"{title}: {listed} {more}".rstrip() + "."


def _words(explanation: LoadingExplanation) -> str:
    if not explanation.read:
        return ""
    read, cached, written = (
        word_count(explanation.read),
        word_count(explanation.cached),
        word_count(explanation.written),
    )
    if not explanation.cached:
        return gettext("About {read} words read and {written} written.", read=read, written=written)
    sentence = gettext_noop("About {read} words read, {cached} of them not for the first time, and {written} written.")
    return gettext(sentence, read=read, cached=cached, written=written)


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else gettext("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])
