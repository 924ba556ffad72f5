"""The whole app in a process of its own, and a person in front of it; with FLOWS_STORE=mongo on MongoDB."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bench.load.app_server import AppServer
from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.faults import speak
from tests.flows.person import Person

Visit = Callable[..., Person]
QUICK = 400
"""Words a second: a test that looks at an answer in the making asks for fewer."""


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> dict[str, str]:
    """The settings of the store that the flows run on: SQLite, unless `make soak` asks for the other one."""
    if os.environ.get("FLOWS_STORE") != "mongo":
        return {}
    return {"MONGODB_URI": f"{request.getfixturevalue('mongo_uri')}/flows"}


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory, engine: dict[str, str]) -> Iterator[tuple[AppServer, Backstage]]:
    """One app for all flows, and the way behind it; take `app` and `backstage` instead."""
    data_dir = tmp_path_factory.mktemp("app")
    server = AppServer(data_dir, engine).start()
    backstage = Backstage(server, data_dir, engine)
    yield server, backstage
    backstage.close()
    server.stop()


@pytest.fixture(scope="session")
def passes() -> dict[str, Any]:
    """The cookies of those who signed in once, by name."""
    return {}


@pytest.fixture
def app(stage: tuple[AppServer, Backstage]) -> AppServer:
    """The app with the campus as new: no events of other tests, no failures left over."""
    server, _ = stage
    server.campus("/faults", method="DELETE")
    server.campus("/reset", {})
    speak(server, words_per_second=QUICK)
    return server


@pytest.fixture
def backstage(stage: tuple[AppServer, Backstage]) -> Backstage:
    return stage[1]


@pytest.fixture
def visit(app: AppServer, tabs: Tabs, passes: dict[str, Any], backstage: Backstage) -> Visit:
    """Somebody who is signed in and has nothing yet, in a tab of their own: `visit("Maya Chen", width=390)`."""

    def visit(name: str, *, signs_in: bool = True, **options: Any) -> Person:
        person = Person(app, tabs.open(**options, storage_state=passes.get(name)), name)
        if not signs_in:
            return person
        if name not in passes:
            person.sign_in()
            passes[name] = person.page.context.storage_state()
        backstage.forget(name)
        return person

    return visit


@pytest.fixture
def maya(visit: Visit) -> Person:
    """A student who signed in, with nothing connected."""
    return visit("Maya Chen")
