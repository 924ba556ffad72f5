"""App with the sample answer, our headers, and the files of the live component under /assets."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from api.health import health_routes
from api.middleware.security_headers import SecurityHeaders

ASSETS = Path(__file__).parents[3] / "components" / "homeroom_live" / "homeroom_live" / "assets"

app = st.App(
    Path(__file__).with_name("answer_page.py"),
    routes=[*health_routes({}), Mount("/assets", StaticFiles(directory=ASSETS))],
    middleware=[Middleware(SecurityHeaders, public_url="http://localhost")],
)
