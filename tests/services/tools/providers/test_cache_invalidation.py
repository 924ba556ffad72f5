"""What a student changes through Homeroom shows in the very next answer, in every replica, kept answers or not."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.tools.tool import Tool
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.approvals.asking import settled
from tests.services.approvals.every_write import LAB, TRACKER, WRITES, Write, put_event, soon

EVENTS = ("calendar_list_events", {"start": "2031-05-05", "end": "2031-06-06"})
FREE = ("calendar_find_free_time", {"start": "2031-06-03", "end": "2031-06-04", "minutes": 60})
SOON = ("calendar_list_events", {"start": str(soon(8)), "end": str(soon(10))})
SEARCH = ("notion_search", {"query": "soak"})
ROWS = ("notion_query_database", {"database": TRACKER, "limit": 50})
LOOKS: dict[str, tuple[str, dict[str, Any]]] = {
    "calendar_create_event": EVENTS,
    "calendar_create_study_sessions": FREE,
    "calendar_add_due_date": EVENTS,
    "calendar_update_event": EVENTS,
    "calendar_delete_event": EVENTS,
    "reminders_create": SOON,
    "study_exam_plan": SOON,
    "notion_create_page": ("notion_list_pages", {"under": LAB}),
    "notion_append_to_page": ("notion_read_page", {"page": LAB}),
    "notion_replace_content": ("documents_summarise", {"document": LAB}),
    "notion_create_study_notes": SEARCH,
    "notion_create_study_plan": SEARCH,
    "notion_create_tracker": SEARCH,
    "notion_add_entries": ROWS,
    "notion_update_entry": ROWS,
    "documents_create": SEARCH,
    "documents_edit": ("documents_get", {"document": LAB}),
}
"""Where each write shows, by its tool."""


EDITED = re.compile("last edited [^—]*—")


def mark_of(write: Write) -> str:
    return f"soak{WRITES.index(write):05d}"


@pytest.fixture(scope="module")
def rooms(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[CampusRoom]]:
    """Two replicas over one store."""
    running_campus.reset()
    data_dir: Path = tmp_path_factory.mktemp("replicas")
    both = [CampusRoom(running_campus, data_dir) for _ in range(2)]
    both[0].connect("google_calendar", "notion")
    for write in WRITES:
        if write.needs_event:
            put_event(running_campus, mark_of(write))
    yield both
    for room in both:
        room.close()


def shown(room: CampusRoom, write: Write) -> list[str]:
    """The lines under the heading, without the time of the last change."""
    name, arguments = LOOKS[write.tool]
    result = room.services.gateway.call(room.maya, name, arguments, asked_by="Laptop")
    assert result.success, result.error
    return EDITED.sub("", result.output).split("\n")[1:]


@pytest.mark.parametrize("write", WRITES, ids=[write.tool for write in WRITES])
def test_an_own_write_and_its_undo_show_in_the_very_next_answer_everywhere(
    rooms: list[CampusRoom], write: Write
) -> None:
    here, there = rooms
    before = [shown(room, write) for room in rooms]
    since = here.server.log()[-1]["id"]
    again = [shown(room, write) for room in rooms]
    asked = [request for request in here.server.log(since=since) if request["service"] == write.service]

    card = here.services.gateway.call(here.maya, write.tool, write.arguments(mark_of(write)), asked_by="Laptop")
    here.services.turns.decide(here.maya, card.approval_request_id or "", "approve")
    done = settled(here, card.approval_request_id or "")  # type: ignore[arg-type]
    after = [shown(room, write) for room in rooms]
    undone = there.services.turns.undo(there.maya, done.id)
    finally_shown = [shown(room, write) for room in rooms]

    assert (again, asked) == (before, [])
    assert (done.status, undone.status) == (ApprovalStatus.DONE, ApprovalStatus.UNDONE)
    assert after[0] == after[1] != before[0]
    assert finally_shown == before


def test_every_answer_about_a_students_accounts_is_kept_for_a_moment(rooms: list[CampusRoom]) -> None:
    services = rooms[0].services
    accounts = {id for id, integration in services.integrations.items() if integration.needs_account}

    def is_of_an_account(tool: Tool) -> bool:
        return not tool.effect.needs_approval and (tool.integration in accounts or "calendar_read" in tool.capabilities)

    offers = services.gateway.list_tools(rooms[0].maya.id)
    reads = [offer.tool for offer in offers if is_of_an_account(offer.tool)]

    assert [tool.name for tool in reads if not 0 < tool.fresh_for_s <= 60] == []
    assert {write.tool for write in WRITES} == set(LOOKS)
