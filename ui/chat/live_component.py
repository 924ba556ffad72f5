"""Live component: our own field for messages and the answer as it comes, drawn in the browser by `components/homeroom_live`."""

from typing import Any

import streamlit as st

from services.i18n import gettext

_component = st.components.v2.component("homeroom-live.chat", js="main.js", isolate_styles=False)
