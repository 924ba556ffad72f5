"""A deployment with MongoDB, which is down at first and again later, and with several Canvas hosts to choose from."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Tabs
from tests.campus_server import CampusServer, press_settings
from tests.flows.faults import speak
from tests.flows.person import Person
from tests.mongo_server import MongoServer

pytestmark = pytest.mark.browser

BACK_MS = 15_000
SHORTLY_MS = 5_000


@pytest.fixture
def mongo(tmp_path: Path) -> Iterator[MongoServer]:
    """A server that does not run yet."""
    (tmp_path / "mongo").mkdir()
    server = MongoServer(tmp_path / "mongo")
    yield server
    server.kill()


@pytest.fixture
def deployment(tmp_path: Path, mongo: MongoServer, campus: CampusServer) -> Iterator[AppServer]:
    (tmp_path / "app").mkdir()
    canvas = f"{campus.url}/canvas {campus.url}/notion http://127.0.0.1:9"
    server = AppServer(tmp_path / "app", {"MONGODB_URI": f"{mongo.uri}/homeroom", "CANVAS_BASE_URL": canvas}).start()
    yield server
    server.stop()


@pytest.mark.soak
def test_the_main_job_on_mongodb_through_two_outages(
    deployment: AppServer, mongo: MongoServer, campus: CampusServer, tabs: Tabs
) -> None:
    maya = Person(deployment, tabs.open(), "Maya Chen")
    assert _ready(deployment) == (503, ["store"])
    maya.open("/")
    maya.sees("Your data cannot be reached right now.")
    mongo.start()
    _press_until(maya, "Try again", lambda: expect(maya.button("Sign in")).to_be_visible(timeout=SHORTLY_MS))
    assert _ready(deployment) == (200, [])
    maya.sign_in()

    speak(deployment, words_per_second=400)
    _connect_canvas(maya, campus)
    maya.ask_anew("What is due this week?")
    maya.waits_for_the_end()
    expect(maya.answers.last).to_contain_text("Canvas, as of")
    maya.ask("Add a task: read chapter 4, due tomorrow")
    maya.press("Approve")
    maya.sees(re.compile("Added the task"))
    maya.waits_for_the_end()

    mongo.kill()
    maya.write("/say Are you there?")
    maya.sees("The database does not answer.")
    expect(maya.field).to_have_value("/say Are you there?")
    mongo.start()
    answered = partial(expect(maya.answers.last).to_contain_text, "Are you there?", timeout=SHORTLY_MS)
    _press_until(maya, "Retry", answered)
    maya.waits_for_the_end()
    expect(maya.answers.last).to_contain_text("Are you there?")


def _press_until(maya: Person, name: str, seen: Callable[[], None]) -> None:
    """Press as a student would: after an outage the database is left alone for a second, so once may be too early."""
    for _ in range(BACK_MS // SHORTLY_MS):
        maya.press(name)
        with suppress(AssertionError):
            seen()
            return
    seen()


def _connect_canvas(maya: Person, campus: CampusServer) -> None:
    """First at hosts that are no Canvas: each is told, and the right one works."""
    maya.agree_to("Canvas")
    dialog = maya.page.get_by_role("dialog")
    dialog.get_by_text("Use an access token instead").click()
    dialog.get_by_label("Access token", exact=True).fill(press_settings(campus.url, "maya"))
    dialog.get_by_label("Access token", exact=True).press("Tab")
    maya.waits_for_rest()
    for host, told in (("notion", "There is no Canvas at"), ("127.0.0.1:9", "127.0.0.1:9 cannot be reached")):
        _choose(maya, host)
        maya.press("Check and connect")
        expect(dialog.get_by_role("alert").get_by_text(told)).to_be_visible(timeout=BACK_MS)
    _choose(maya, "canvas")
    maya.press("Check and connect")
    expect(maya.page.get_by_text("Canvas is connected")).to_be_visible()
    expect(maya.card("Canvas").get_by_text(re.compile("at 127.0.0.1"))).to_be_visible()


def _choose(maya: Person, host: str) -> None:
    maya.waits_for_rest()
    option = maya.page.get_by_role("option", name=re.compile(f"{re.escape(host)}$"))
    for _ in range(2):  # A run that begins after all, for what was typed before, closes the list once.
        maya.page.get_by_role("dialog").get_by_label("Your school's address").click()
        with suppress(AssertionError):
            expect(option).to_be_visible(timeout=SHORTLY_MS)
            break
    option.click()


def _ready(app: AppServer) -> tuple[int, list[str]]:
    try:
        with urllib.request.urlopen(f"{app.url}/ready", timeout=10) as answer:
            return answer.status, json.load(answer)["down"]
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["down"]
