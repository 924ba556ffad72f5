"""The whole app in a process of its own, and a person in front of it."""

from collections.abc import Iterator

import pytest

from bench.app_server import AppServer
from tests.browser import Tab, Tabs, browser, sinkhole, tab, tabs  # noqa: F401 - fixtures
from tests.flows.person import Person


@pytest.fixture(scope="session")
def running_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """One app for all flows; take `app` instead."""
    server = AppServer(tmp_path_factory.mktemp("app")).start()
    yield server
    server.stop()


@pytest.fixture
def app(running_app: AppServer) -> AppServer:
    """The app with the campus as new: no events of other tests, no failures left over."""
    running_app.campus("/faults", method="DELETE")
    running_app.campus("/reset", {})
    return running_app


@pytest.fixture
def maya(app: AppServer, tabs: Tabs) -> Person:
    """A student who signed in, with nothing connected."""
    person = Person(app, tabs.open(), "Maya Chen")
    person.sign_in()
    person.disconnect_everything()
    return person
