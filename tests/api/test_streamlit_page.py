"""A deep link opens as the first page does, and every page loads Streamlit's modules in one file, with cut fonts."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api import streamlit_page
from api.assets.component_assets import COMPONENTS, ComponentAssets
from api.assets.manifest import manifest
from api.middleware.security_headers import script_hashes
from api.streamlit_page import UnknownPage, page, page_routes, script, script_address
from services.navigation import PAGE_PATHS

CLIENT = TestClient(Starlette(routes=page_routes()))


@pytest.mark.parametrize("path", sorted(PAGE_PATHS))
def test_a_page_has_our_script_before_all_others(path: str) -> None:
    answer = CLIENT.get(f"{path}?code=1&state=2")

    first, inline, module = re.findall(r"<script[^>]*>", answer.text)
    assert first == f'<script src="{script_address()}">'
    assert inline == "<script>"
    assert 'type="module"' in module
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_the_script_is_a_file_so_that_the_policy_stays_as_it_is() -> None:
    answer = CLIENT.get(script_address())

    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert "BACKEND_BASE_URL" in answer.text
    assert "BACKEND_BASE_URL" not in page()
    assert 'getElementsByClassName("spoken")' in answer.text
    assert len(script_hashes()) == len(re.findall(r"<script>", page()))


def test_an_older_address_of_the_script_is_answered_but_not_kept() -> None:
    answer = CLIENT.get("/where.0123456789abcdef.js")

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", sorted(PAGE_PATHS))
def test_everything_that_a_page_asks_for_is_there_and_kept_for_ever(path: str) -> None:
    text = CLIENT.get(path).text
    asked = [address for address in re.findall(r'(?:src|href)="(/[^"]+)"', text) if not address.startswith("/_stcore")]
    asked += re.findall(r"url\((/[^)]+)\)", text)

    assert len(asked) >= 7
    for address in asked:
        answer = CLIENT.get(address)
        assert (address, answer.status_code) == (address, 200)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)
def test_only_the_page_of_a_component_asks_for_it_beforehand(component: ComponentAssets) -> None:
    asking = {path for path in PAGE_PATHS if component.address in page(path)}

    assert asking == {component.page}


def test_built_files_of_another_streamlit_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(manifest(), page_sha256="0" * 64)
    monkeypatch.setattr(streamlit_page, "manifest", lambda: other)

    text = streamlit_page.page.__wrapped__("/")

    assert other.version not in text
    assert "./static/js/index." in text
    assert text.count("modulepreload") > 50


def test_the_dialog_whose_words_are_replaced_is_still_streamlits() -> None:
    """Another version may call it otherwise, and students would read of terminals again (R68)."""
    main = next(Path(streamlit.__file__).parent.glob("static/static/js/index.*.js")).read_text(encoding="utf-8")

    assert "`Connection error`" in main
    assert "/^\\s*Connection error/" in script()


@pytest.mark.parametrize("path", ["/nowhere", "/nowhere/at-all", "/week/17", "/ñ%20"])
def test_an_unknown_address_gets_our_shell_and_says_404(path: str) -> None:
    client = TestClient(Starlette(routes=[*page_routes(), UnknownPage()]))

    answer = client.get(path, headers={"accept": "text/html,*/*"})

    assert answer.status_code == 404
    assert script_address() in answer.text


@pytest.mark.parametrize("path", ["/_stcore/health", "/static/js/x.js", "/auth/login", "/favicon.ico", "/media/abc"])
def test_what_streamlit_answers_is_left_to_it(path: str) -> None:
    left = [Route("/{path:path}", lambda _: Response("Streamlit"))]
    client = TestClient(Starlette(routes=[*page_routes(), UnknownPage(), *left]))

    assert client.get(path, headers={"accept": "text/html"}).text == "Streamlit"
    assert client.get("/nowhere", headers={"accept": "application/json"}).text == "Streamlit"
