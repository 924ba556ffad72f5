"""Where an answer's facts are from: small numbers in its words, and the numbered notes under it."""

from collections.abc import Container

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.agent.view import AssistantText
from services.language import say_count
from services.safety.addresses import canonical
from services.safety.markdown import sanitise
from services.safety.text import literal
from services.tools.base import Source

_SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_IN_A_LINE = 5


class Notes:
    """The sources of one answer, numbered in the order in which its words cite them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._cited: list[Source] = []

    def marked(self, item: AssistantText) -> str:
        """The words with a number after each piece that cites; the same item always gets the same numbers."""
        # What is no address would end the link early, and what comes behind would be drawn as words of Homeroom's.
        sound = [citation for citation in item.citations if canonical(citation.source.url)]
        places = [(citation.at, self._mark(citation.source)) for citation in sound]
        text = item.text
        for at, mark in reversed(places):
            text = f"{text[:at]}\u00a0{mark}{text[at:]}"
        return text

    def draw(self, place: DeltaGenerator | None = None, *, known: Container[str]) -> None:
        """The notes, in `place` or here: a few stand there, many open on demand; nothing when nothing was cited."""
        links = [f"[{literal(one.title)}](<{one.url}>)" for one in self._cited]
        here = place or st.container()
        if len(links) > MOST_IN_A_LINE:
            listed = "\n".join(f"{number}. {link}" for number, link in enumerate(links, 1))
            folded = here.expander(
                say_count("{n} source", "{n} sources", len(links)), type="step", icon=":material/link:"
            )
            folded.caption(sanitise(listed, allowed=known))
        elif links:
            line = " · ".join(f"{_small(number)} {link}" for number, link in enumerate(links, 1))
            here.caption(sanitise(line, allowed=known))

    def _mark(self, source: Source) -> str:
        if source.url not in self._numbers:
            self._cited.append(source)
            self._numbers[source.url] = len(self._cited)
        return f"[{_small(self._numbers[source.url])}](<{source.url}>)"


def _small(number: int) -> str:
    return str(number).translate(_SMALL)
