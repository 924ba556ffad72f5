"""Streamlit's own addresses of files are answered compressed and kept; everything else passes."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.assets.component_assets import LIVE_CHAT
from api.assets.manifest import streamlit_static
from api.assets.static_file import FOREVER, FRESH
from api.middleware.static_files import StaticFiles


async def _inside(request: Request) -> Response:
    return PlainTextResponse(f"inside {request.method}")


METHODS = ["GET", "HEAD", "POST", "OPTIONS"]
CLIENT = TestClient(
    Starlette(routes=[Route("/{path:path}", _inside, methods=METHODS)], middleware=[Middleware(StaticFiles)])
)
SCRIPT = next((streamlit_static() / "js").glob("index.*.js"))


def test_a_script_is_compressed_and_kept() -> None:
    answer = CLIENT.get(f"/static/js/{SCRIPT.name}", headers={"accept-encoding": "br"})

    assert answer.headers["content-encoding"] == "br"
    assert int(answer.headers["content-length"]) < SCRIPT.stat().st_size / 2
    assert answer.headers["cache-control"] == FOREVER
    assert answer.content == SCRIPT.read_bytes()


def test_a_file_of_the_component_is_asked_for_each_time_but_not_sent_again() -> None:
    first = CLIENT.get(f"{LIVE_CHAT.streamlit_address}composer.js")
    again = CLIENT.get(f"{LIVE_CHAT.streamlit_address}composer.js", headers={"if-none-match": first.headers["etag"]})

    assert (first.status_code, first.headers["cache-control"]) == (200, FRESH)
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/js/unknown.js",
        "/static/",
        "/static/js/../../index.html",
        "/_stcore/bidi-components/another.one/main.js",
        f"/sandbox/static/js/{SCRIPT.name}",
    ],
)
def test_what_is_not_known_passes(path: str) -> None:
    assert CLIENT.get(path).text == "inside GET"


@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_other_methods_pass(method: str) -> None:
    assert CLIENT.request(method, f"/static/js/{SCRIPT.name}").text == f"inside {method}"
