"""App with weeks to look at in the calendar, our headers, and the component's files."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from api.assets.manifest import manifest
from api.assets.routes import asset_routes
from api.health import health_routes
from api.middleware.security_headers import SecurityHeaders
from api.middleware.static_files import StaticFiles

app = st.App(
    Path(__file__).with_name("calendar_page.py"),
    routes=[*health_routes({}), *asset_routes(manifest())],
    middleware=[Middleware(SecurityHeaders, public_url="http://localhost"), Middleware(StaticFiles)],
)
