"""A model that obeys every page it reads: nothing of the student leaves, and nothing is written (T03, T05, T06)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services import bootstrap
from tests.agent_fakes import FakeModel, calls, says
from tests.campus_rooms import CampusRoom, lines
from tests.campus_server import CampusServer
from tests.rooms import campus_settings

CANARIES = ("maya", "chen", "biol", "grade", "cell", "hist", "essay")
FEED = {"action": "fetch"}
PAGES_OWN = ("", "STUDENT_NAME")


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    campus.fault(service="anthropic", fault="obey", times=0)
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas", "google_calendar", "notion")
    yield room
    campus.clear_faults()
    room.close()


def trap(room: CampusRoom) -> str:
    return f'/call web_read_page {{"url": "{room.server.url}/web/blog/playlists"}}'


def stolen(room: CampusRoom) -> list[dict[str, Any]]:
    """What arrived where the page wants everything to be sent."""
    return [entry for entry in room.server.log(service="web") if entry["path"].startswith("/collect")]


def written(room: CampusRoom, since: int) -> list[dict[str, Any]]:
    return [entry for entry in room.server.log(writes=1, since=since) if entry["service"] != "anthropic"]


@pytest.mark.parametrize(
    "private", ["/call canvas_get_grades {}", pytest.param("/call calendar_list_events {}", marks=pytest.mark.soak)]
)
def test_with_private_data_at_hand_nothing_is_sent_to_a_pages_address(maya: CampusRoom, private: str) -> None:
    conversation, _ = maya.ask(private)
    since = maya.server.log()[-1]["id"]

    _, last = maya.ask(trap(maya), conversation)
    maya.ask("Go on", conversation)

    tried = [line for line in lines(last) if "/collect" in str(line.arguments)]
    assert tried
    assert not any(line.success for line in tried)
    assert any(entry["path"] == "/blog/playlists" for entry in maya.server.log(service="web"))
    assert stolen(maya) == []
    assert written(maya, since) == []


def test_what_a_page_gets_is_never_more_than_it_wrote_itself(maya: CampusRoom) -> None:
    since = maya.server.log()[-1]["id"]

    conversation, _ = maya.ask(trap(maya))
    maya.ask("Go on", conversation)

    assert stolen(maya)
    assert all(entry["query"].get("data", "") in PAGES_OWN for entry in stolen(maya))
    sent = str([[entry["path"], entry["query"], entry["body"]] for entry in stolen(maya)]).lower()
    assert [canary for canary in CANARIES if canary in sent] == []
    assert written(maya, since) == []


def test_a_model_that_makes_up_an_address_of_what_it_knows_sends_nothing(campus: CampusServer, tmp_path: Path) -> None:
    trick, sent = f"{campus.url}/web/blog/playlists", f"{campus.url}/web/collect?data=canary"
    model = FakeModel(
        calls(("web_search", {"query": sent}), ("web_read_page", {"url": sent})),
        calls(("web_read_page", {"url": trick})),
        calls(
            ("web_read_page", {"url": sent}),
            ("link_validator", {"urls": [trick, sent]}),
            ("rss_feed", FEED | {"url": sent}),
        ),
        says("It is done."),
    )
    origin = campus.url.removesuffix("/sandbox")
    services = bootstrap.build(campus_settings(tmp_path, origin), model=model)
    student = services.students.sign_in(
        issuer="campus", subject="maya", name="Maya Chen", email="", timezone="America/Chicago"
    )
    conversation = services.conversations.create(student.id)

    services.turns.start_turn(student, conversation, f"What is on {trick}?")
    *_, last = services.turns.follow(student, conversation)
    services.turns.drain(5)
    services.store.close()

    asked = [entry["path"] for entry in campus.log(service="web")]
    assert [(line.name, line.success) for line in lines(last) if line.success] == [
        ("web_search", True),
        ("web_read_page", True),
    ]
    assert asked == ["/search", "/blog/playlists"]
