"""A method that an address of ours does not know is refused as JSON, with the header that names those that it knows."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.testclient import TestClient

from api.live.routes import live_routes
from api.locale import language_routes
from api.lti.routes import lti_routes
from api.reminders import reminder_routes
from api.routes import endpoints, join_routes, routes
from api.streamlit_page import page_routes
from services import bootstrap
from services.settings import read
from services.wiring.container import ServiceContainer

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FOR_A_PERSON = {("GET", "/lti/launch"), ("HEAD", "/lti/launch")}
"""Whoever reloads a launch reads a page about it."""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> ServiceContainer:
    folder: Path = tmp_path_factory.mktemp("methods")
    return bootstrap.build(
        read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(folder), "HOMEROOM_METRICS_KEY": "k" * 30})
    )


def client_of(made: list[BaseRoute]) -> TestClient:
    app = Starlette(routes=made)
    app.router.redirect_slashes = False
    return TestClient(app, base_url="http://localhost:8501", raise_server_exceptions=False, follow_redirects=False)


def test_every_route_refuses_other_methods_as_json_and_names_its_own(services: ServiceContainer) -> None:
    made = [*routes(services), *page_routes(["notion"]), *language_routes()]
    paths = {path for route in made if (path := getattr(route, "path", "")) not in ("", "/api", "/mcp")}
    client, wrong = client_of(made), []
    refused_by = {}
    for path in sorted({*paths, *(endpoint.path for endpoint in endpoints())}):
        address = re.sub(r"\{[^}]*\}", "x", path)
        for method in METHODS:
            answer = client.request(method, address)
            if answer.status_code != 405 or (method, path) in FOR_A_PERSON:
                continue
            refused_by.setdefault(path, set()).add(method)
            allowed = set(answer.headers.get("allow", "").split(", "))
            is_json = method == "HEAD" or answer.headers["content-type"] == "application/json"
            if not is_json or not allowed <= set(METHODS) or method in allowed:
                wrong.append((method, path, answer.headers.get("content-type"), allowed))

    assert wrong == []
    silent = {path for path in paths if path not in refused_by and not path.startswith("/.well-known/")}
    assert silent <= {"/tools"}


@pytest.mark.parametrize("make", [live_routes, reminder_routes, lti_routes])
def test_a_get_on_what_only_takes_posts_is_refused_also_where_another_address_would_fit(
    services: ServiceContainer, make: type
) -> None:
    client = client_of(make(services))
    for path in (
        "/live/messages",
        "/live/x/messages",
        "/live/study/quiz/answer",
        "/push/subscriptions",
        "/lti/deep-link",
    ):
        answer = client.get(path)
        if answer.status_code != 404:
            assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
            assert "POST" in answer.headers["allow"]


def test_a_person_in_a_browser_reads_a_page_about_a_launch_that_was_not_posted(services: ServiceContainer) -> None:
    answer = client_of(lti_routes(services)).get("/lti/launch", headers={"accept": "text/html"})

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert "data-lti-refused" in answer.text


def test_a_link_to_a_class_takes_no_posts(services: ServiceContainer) -> None:
    answer = client_of(join_routes()).post("/join/ABCDEFGH")

    assert answer.json()["error"]["code"] == "method_not_allowed"
    assert answer.headers["allow"] == "GET, HEAD"
