"""On a phone's home screen Homeroom opens by itself, as Safari's notifications ask for."""

import re

from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.streamlit_page import page_routes

CLIENT = TestClient(Starlette(routes=page_routes()))


def test_every_page_names_a_manifest_that_opens_homeroom_by_itself() -> None:
    address = re.findall(r'<link rel="manifest" href="([^"]+)">', CLIENT.get("/").text)
    answer = CLIENT.get(*address)
    told = answer.json()
    (icon,) = told["icons"]

    assert answer.headers["content-type"] == "application/manifest+json"
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    assert CLIENT.get(icon["src"]).content.startswith(b"\x89PNG")
    assert f'<link rel="apple-touch-icon" href="{icon["src"]}">' in CLIENT.get("/settings").text
