"""A student takes everything along, then deletes it: nothing is left here, and the services know of it."""

import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def maya(visit: Visit, passes: dict[str, Any], backstage: Backstage) -> Iterator[Person]:
    """Maya in a session of her own: it ends with her account, and the other flows begin a new one."""
    maya = visit("Maya Chen", signs_in=False)
    maya.page.context.clear_cookies()
    maya.sign_in()
    backstage.forget("Maya Chen")
    yield maya
    passes.pop("Maya Chen", None)


def test_everything_is_taken_along_and_then_deleted_for_good(
    maya: Person, tabs: Tabs, app: AppServer, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Google Calendar")
    phone = Person(app, tabs.open(width=390, beside=maya.tab), maya.name)
    phone.open("/connections")
    phone.sees("Connections")
    maya.ask_anew("What do I have in my calendar tomorrow?")
    maya.waits_for_the_end()

    maya.go("Settings")
    with maya.page.expect_download() as download:
        maya.press("Download everything")
    with zipfile.ZipFile(download.value.path()) as archive:
        names = archive.namelist()
    assert {"README.txt", "data/messages.json", "data/connections.json"} <= set(names)
    assert len([name for name in names if name.startswith("conversations/")]) == 1

    student = backstage.student(maya.name)
    maya.press("Delete everything")
    word = maya.page.get_by_label("Type the word")
    word.fill("no")
    maya.press("Delete everything for good")
    expect(maya.page.get_by_text("Nothing is deleted.")).to_be_visible()
    word.fill("delete")
    maya.press("Delete everything for good")
    maya.sees("Everything is deleted, and your connections are ended.")

    assert not backstage.knows(student)
    assert any(entry["path"].endswith("/revoke") for entry in app.campus("/log?service=google")["entries"])
    phone.press("Test")
    phone.sees("You are signed out.")
    phone.press("Sign in")
    phone.press(phone.name)
    phone.open("/settings")
    phone.sees("Your data")
    assert backstage.student(maya.name).id != student.id
