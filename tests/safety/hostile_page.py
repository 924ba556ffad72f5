"""Shows the corpus on every kind of surface: `?sanitiser=on` or `off`."""

from collections.abc import Callable

import streamlit as st

from services.safety.markdown.sanitiser import StreamSanitiser, sanitise
from services.safety.text import literal
from tests.safety.hostile_markdown import ALLOWED, attacks

is_sanitised = st.query_params.get("sanitiser") == "on"


def shown(text: str) -> str:
    """The attack as the app would show it."""
    return sanitise(text, allowed=ALLOWED) if is_sanitised else text


def halfway(text: str) -> str:
    """The attack while two thirds of it have arrived."""
    part = text[: len(text) * 2 // 3]
    return StreamSanitiser(allowed=ALLOWED).render(part) if is_sanitised else part


def drawn(number: int) -> Callable[[str], object]:
    """Every attack as Markdown; some on other surfaces as well."""
    surfaces = (
        st.caption,
        st.error,
        st.info,
        lambda text: st.checkbox(literal(text) if is_sanitised else text, key=f"checkbox-{number}"),
        lambda text: st.button(literal(text) if is_sanitised else text, key=f"button-{number}"),
        lambda text: st.expander(literal(text) if is_sanitised else text).write("inside"),
    )
    return surfaces[number % len(surfaces)]


for number, (name, text) in enumerate(attacks().items()):
    if name.startswith("flood") and not is_sanitised:
        continue  # these freeze the renderer, which is what the sanitiser is for
    with st.chat_message("assistant"):
        st.markdown(shown(text))
        st.markdown(halfway(text))
        drawn(number)(shown(text))
st.text("everything is drawn")
