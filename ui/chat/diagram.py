"""A diagram of an answer: drawn, and as text for who cannot see it or wants to take it along."""

import streamlit as st

from services.diagrams.parts import Drawn
from services.diagrams.writing import as_mermaid, as_text, names
from services.i18n import gettext
from services.safety.blocks import fence
from services.safety.text import literal, plain

MOST_NAMED = 8


def draw(drawn: Drawn) -> None:
    """Streamlit draws it in the browser, as a picture in which nothing can act (docs/decisions/0026)."""
    diagram = drawn.diagram
    if diagram.title:
        st.markdown(f"**{literal(diagram.title)}**")
    summary = gettext("Diagram: {parts}", parts=", ".join(names(diagram)[:MOST_NAMED]))
    st.markdown(fence(as_mermaid(diagram, summary=summary), "mermaid"))
    words = st.expander(gettext("Show as text"), type="step", icon=":material/notes:")
    words.text("\n".join(as_text(diagram)))
    words.code(plain(drawn.source), language=None, wrap_lines=True)
