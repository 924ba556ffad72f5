"""The student's activity: every read outside is in it, and what was noted long ago reads as it did."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from services.i18n import locale_scope
from services.runtime.clock import stamp
from services.tools.activity import ActivityKind
from tests.agent_fakes import calls, says
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    yield room
    room.close()


def test_whatever_is_read_on_the_web_is_noted_with_whom_it_was_read_from(maya: CampusRoom) -> None:
    page = f"{maya.settings.public_url}/sandbox/web/library"
    wanted = {
        "web_search": {"query": "library"},
        "web_read_page": {"url": page},
        "link_validator": {"urls": [page]},
        "rss_feed": {"action": "get_configured"},
        "bibliography_entry": {"url": page, "style": "apa"},
        "github_api": {"action": "get_readme", "owner": "campus", "repo": "none"},
    }
    for name, arguments in wanted.items():
        maya.services.gateway.call(maya.maya, name, arguments, asked_by="Laptop")

    noted = {entry.tool: entry.services for entry in maya.services.activity.latest_entries(maya.maya.id, 20)}

    labels = {tool.label: tool.service for tool in maya.services.root_tools.tools() if tool.name in wanted}
    assert noted == {label: (service,) for label, service in labels.items()}
    assert set(labels.values()) == {"The web", "GitHub"}


def test_what_a_card_was_read_from_is_noted_too(maya: CampusRoom) -> None:
    maya.connect("google_calendar")

    maya.ask('/call calendar_create_event {"title": "Study", "start": "2030-05-06T15:00"}')

    (entry,) = maya.services.activity.latest_entries(maya.maya.id, 5)
    assert (entry.services, entry.kind, entry.is_change) == (("Google Calendar",), ActivityKind.PREVIEW, False)
    with locale_scope("es-MX"):
        assert entry.title == "Preparando: Añadir a tu calendario"


def test_a_service_whose_name_has_an_and_stays_one(room: RoomMaker) -> None:
    home = room()
    home.services.activity.record(
        home.maya.id, services=["Files and folders"], tool="Undo: the movie", effect="read", sentence="done"
    )

    (entry,) = home.services.activity.latest_entries(home.maya.id, 5, service="Files and folders")

    assert (entry.services, entry.title, entry.is_undo) == (("Files and folders",), "Undo: the movie", False)


def test_entries_of_old_are_read_as_they_were_meant(room: RoomMaker) -> None:
    home = room()
    old = {
        "id": "1",
        "at": stamp(home.services.clock()),
        "service": "Google Calendar and Canvas",
        "tool": "Undo: Pin a note",
        "effect": "write",
        "sentence": "done",
        "approval_id": "a",
    }
    home.services.store.for_student(home.maya.id).insert("activity", old)

    (entry,) = home.services.activity.latest_entries(home.maya.id, 5)

    assert (entry.services, entry.is_undo) == (("Google Calendar", "Canvas"), True)
    assert entry.title == "Undo: Pin a note"


def test_what_belongs_to_no_chat_is_kept_for_90_days(room: RoomMaker) -> None:
    """The others go with their chat; that the time ends is the store's own law."""
    clock = FakeClock()
    home = room(calls(("board_pin", {"text": "Buy bread"})), says("Waiting."), clock=clock)
    home.connect()
    home.services.gateway.call(home.maya, "board_pin", {"text": "Buy milk"}, asked_by="Laptop")
    home.ask("Pin it")

    kept = {
        approval["asked_by"]: approval.get("kept_until")
        for approval in home.services.store.for_student(home.maya.id).find("approvals", {})
    }

    assert kept == {"Laptop": stamp(clock() + timedelta(days=90)), "": None}
