"""The words of a finished answer: sanitised Markdown, with its diagrams drawn between."""

import streamlit as st

from services.diagrams.parser import Drawn, split
from services.diagrams.renderer import as_mermaid, as_text, names
from services.i18n import gettext
from services.safety.blocks import fence
from services.safety.markdown import sanitise
from services.safety.text import literal, plain


def draw_answer_text(text: str, *, known: frozenset[str]) -> None:
    """known: the addresses that may be links."""
    for piece in split(text):
        if isinstance(piece, Drawn):
            draw_diagram(piece)
        else:
            st.markdown(sanitise(piece, allowed=known))


def has_diagrams(text: str) -> bool:
    return any(isinstance(piece, Drawn) for piece in split(text))


MOST_NAMED = 8


def draw_diagram(drawn: Drawn) -> None:
    """Streamlit draws it in the browser, as a picture in which nothing can act (docs/decisions/0026)."""
    diagram = drawn.diagram
    if diagram.title:
        st.markdown(f"**{literal(diagram.title)}**")
    summary = gettext("Diagram: {parts}", parts=", ".join(names(diagram)[:MOST_NAMED]))
    st.markdown(fence(as_mermaid(diagram, summary=summary), "mermaid"))
    words = st.expander(gettext("Show as text"), type="step", icon=":material/notes:")
    words.text("\n".join(as_text(diagram)))
    words.code(plain(drawn.source), language=None, wrap_lines=True)
