"""A visitor's language: chosen by an address, kept by a cookie."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.locale import language_routes
from services.i18n import LANGUAGE_COOKIE


@pytest.mark.parametrize(("code", "kept"), [("es", "es"), ("en", "en"), ("xx", None), ("es%0d%0aset-cookie:a=b", None)])
def test_a_language_that_is_spoken_is_kept_and_any_other_leads_back_as_it_was(code: str, kept: str | None) -> None:
    browser = TestClient(Starlette(routes=language_routes()), follow_redirects=False)

    answer = browser.get(f"/language/{code}")

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.cookies.get(LANGUAGE_COOKIE) == kept


@pytest.mark.parametrize(
    ("begun", "kept"), [("cross-site", None), ("same-site", None), ("same-origin", "es"), ("none", "es")]
)
def test_another_sites_page_chooses_no_language(begun: str, kept: str | None) -> None:
    browser = TestClient(Starlette(routes=language_routes()), follow_redirects=False)

    answer = browser.get("/language/es", headers={"sec-fetch-site": begun})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.cookies.get(LANGUAGE_COOKIE) == kept
