"""Lines on the Tools page about extensions that could not be loaded: their tools are not even in the list."""

from collections.abc import Sequence

import streamlit as st

from services.integrations.extensions import Extension
from services.language import say
from services.safety.text import literal


def draw(extensions: Sequence[Extension]) -> None:
    """Nothing for those that are well, and for those whose tools are in the list with the reason."""
    for extension in extensions:
        if extension.obstacle is not None and not extension.tools:
            reason, step = literal(say(extension.obstacle.reason)), literal(say(extension.obstacle.next_step))
            st.caption(f":material/extension_off: {reason} {step}")
