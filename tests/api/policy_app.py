"""An app with one of each Streamlit element that Homeroom may use, under the real headers."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from api.health import health_routes
from api.middleware.security_headers import SecurityHeaders

app = st.App(
    Path(__file__).with_name("policy_page.py"),
    routes=health_routes({}),
    middleware=[Middleware(SecurityHeaders, public_url="http://localhost")],
)
