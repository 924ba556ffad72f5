"""The words of a finished answer: sanitised Markdown, with its diagrams drawn between."""

import streamlit as st

from services.diagrams.parts import Drawn, split
from services.safety.markdown import sanitise
from ui.chat import diagram


def draw(text: str, *, known: frozenset[str]) -> None:
    """known: the addresses that may be links."""
    for piece in split(text):
        if isinstance(piece, Drawn):
            diagram.draw(piece)
        else:
            st.markdown(sanitise(piece, allowed=known))


def has_diagrams(text: str) -> bool:
    return any(isinstance(piece, Drawn) for piece in split(text))
