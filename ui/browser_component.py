"""Renderer of the Streamlit component `components/homeroom_live`, for every page that mounts a part of it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st


@cache
def live_component() -> Callable[..., Any]:
    """The renderer, made by the first page: Streamlit looks for the component when its server starts."""
    return st.components.v2.component("homeroom-live.chat", js="main.js", isolate_styles=False)
