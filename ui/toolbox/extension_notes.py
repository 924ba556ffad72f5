"""Lines on the Tools page about extensions that offer nothing: none of their tools is even in the list."""

from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext
from services.integrations.extensions import Extension
from services.safety.text import literal


def draw(extensions: Sequence[Extension], *, is_instructor: bool) -> None:
    """Nothing for those that are well, and for those whose tools are in the list with the reason."""
    for extension in extensions:
        if (obstacle := extension.obstacle) is not None and not extension.tools:
            step = gettext(obstacle.setup) if is_instructor and obstacle.setup else obstacle.step
            st.caption(f":material/extension_off: {literal(obstacle.sentence)} {literal(step)}")
