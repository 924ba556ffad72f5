"""Citations of an answer on a page: the sources under it, a few in a line, many in an expander."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.conversations.citation_marks import CitationMarks
from services.safety.markdown.sanitiser import sanitise


class Citations(CitationMarks):
    def draw(self, place: DeltaGenerator | None = None, *, known: frozenset[str]) -> None:
        """Draw the sources, in `place` or here."""
        markdown, label = self.sources_markdown()
        known |= self.addresses
        slot = place or st.container()
        if label:
            slot.expander(label, type="step", icon=":material/link:").caption(sanitise(markdown, allowed=known))
        elif markdown:
            slot.caption(sanitise(markdown, allowed=known))
