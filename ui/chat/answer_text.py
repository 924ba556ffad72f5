"""Text of an answer: sanitised Markdown with its diagrams in between, and the sources that it cites under it."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.conversations.answer_rows import Tones, has_rows, split_rows
from services.conversations.citation_marks import CitationMarks
from services.diagrams.parser import DiagramBlock, split_diagrams
from services.diagrams.renderer import summary_of, to_mermaid, to_text_lines
from services.i18n import gettext
from services.safety.markdown.block_writer import fence
from services.safety.markdown.sanitiser import sanitise
from services.safety.text import literal, plain


def draw_answer_text(text: str, *, known: frozenset[str], tones: Callable[[], Tones] = dict) -> None:
    """Draw the text. known: addresses that may be links. tones: of the student's courses, for rows."""
    for piece in split_diagrams(text):
        if isinstance(piece, DiagramBlock):
            draw_diagram(piece)
        else:
            _draw_markdown(sanitise(piece, allowed=known), tones)


def _draw_markdown(written: str, tones: Callable[[], Tones]) -> None:
    if not has_rows(written):
        st.markdown(written)
        return
    for part in split_rows(written, tones()):
        if part.rows:
            st.html(part.rows)
        else:
            st.markdown(part.markdown)


def is_in_pieces(text: str) -> bool:
    """Whether the text is drawn in several elements: it has diagrams, or rows."""
    return any(isinstance(piece, DiagramBlock) or has_rows(piece) for piece in split_diagrams(text))


def draw_diagram(block: DiagramBlock) -> None:
    """Draw a diagram in the browser, as a picture in which nothing can act (docs/decisions/0026), and as text."""
    diagram = block.diagram
    if diagram.title:
        st.markdown(f"**{literal(diagram.title)}**")
    st.markdown(fence(to_mermaid(diagram, summary=summary_of(diagram)), "mermaid"))
    expander = st.expander(gettext("Show as text"), type="step", icon=":material/notes:")
    expander.text("\n".join(to_text_lines(diagram)))
    expander.code(plain(block.source), language=None, wrap_lines=True)


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
