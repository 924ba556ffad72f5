"""ASGI app of Homeroom: pages, HTTP routes, sign-in and, in demo mode, the campus, all on one port."""

import streamlit as st

from api.app_factory import create_app_or_exit
from sandbox.app import campus_app
from ui.error_boundary import show_unforeseen_error
from ui.streamlit_compat import held_upload_bytes, stop_watching_configuration

stop_watching_configuration()
arguments = create_app_or_exit(campus=campus_app, option=st.get_option, held=held_upload_bytes)
app = st.App(
    "ui/frame.py",
    routes=arguments.routes,
    middleware=arguments.middleware,
    lifespan=arguments.lifespan,
    secrets=arguments.secrets,
    on_script_error=show_unforeseen_error,
)
