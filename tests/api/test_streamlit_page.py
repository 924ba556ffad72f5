"""A deep link opens as the first page does: Streamlit is told where its server is, instead of looking for it."""

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.middleware.security_headers import script_hashes, streamlit_page
from api.streamlit_page import SCRIPT, page, page_routes
from services.navigation import PAGE_PATHS

CLIENT = TestClient(Starlette(routes=page_routes()))


@pytest.mark.parametrize("path", sorted(PAGE_PATHS))
def test_a_page_is_streamlits_with_one_script_before_all_others(path: str) -> None:
    answer = CLIENT.get(f"{path}?code=1&state=2")

    first, *others = re.findall(r"<script[^>]*>", answer.text)
    assert first == f'<script src="{SCRIPT}">'
    assert others == re.findall(r"<script[^>]*>", streamlit_page())
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_the_script_is_a_file_so_that_the_policy_stays_as_it_is() -> None:
    answer = CLIENT.get(SCRIPT)

    assert answer.headers["content-type"].startswith("text/javascript")
    assert "BACKEND_BASE_URL" in answer.text
    assert "BACKEND_BASE_URL" not in page()
    assert 'getElementsByClassName("spoken")' in answer.text
    assert len(script_hashes()) == len(re.findall(r"<script>", streamlit_page()))
