"""Lines on the Tools page about extensions that could not be loaded: their tools are not even in the list."""

from collections.abc import Sequence

import streamlit as st

from services.integrations.extensions import Extension
from services.safety.text import literal


def draw(extensions: Sequence[Extension]) -> None:
    """Nothing for those that are well, and for those whose tools are in the list with the reason."""
    for extension in extensions:
        if extension.obstacle is not None and not extension.tools:
            reason, step = literal(extension.obstacle.sentence), literal(extension.obstacle.step)
            st.caption(f":material/extension_off: {reason} {step}")
