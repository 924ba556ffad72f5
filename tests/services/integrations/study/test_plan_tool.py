"""The exam plan as a tool: every session on one card, and taken back by its undo."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from services.approvals.approval import Approval
from services.conversations.items import ApprovalItem
from services.tools.gateway import ToolGateway
from services.tools.result import ToolResult
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import settled

TEXT = "Osmosis is the net movement of water across a membrane. Diffusion is the movement of particles in a gradient."
MAKE = ("study_make_quiz", {"text": TEXT, "minutes": 10})
NOTE = ("study_note", {"words": "Mixes up hypertonic and hypotonic.", "topic": "osmosis"})


def cards(maya: Room, conversation: str) -> list[Approval]:
    items = [item for item in maya.items(conversation) if isinstance(item, ApprovalItem)]
    return [maya.services.approvals.get(maya.maya.id, item.approval_id) for item in items]


def by_program(maya: Room, name: str, **arguments: object) -> ToolResult:
    gateway: ToolGateway = maya.services.gateway
    return gateway.call(maya.maya, name, arguments, asked_by="a program")


def test_a_plan_until_an_exam_waits_on_a_card_and_is_taken_back(room: RoomMaker) -> None:
    maya = room()
    at = maya.services.clock().astimezone(ZoneInfo("America/Chicago")) + timedelta(days=12)

    asked = by_program(maya, "study_exam_plan", exam="Midterm 2", at=f"{at:%Y-%m-%dT%H:%M}", daily_minutes=60)
    card = maya.services.approvals.get(maya.maya.id, asked.approval_request_id or "")
    rows = {row.label: row.value for row in card.rows}
    maya.services.turns.decide(maya.maya, card.id, "approve")
    done = settled(maya, card.id)

    (exam,) = maya.services.study.exams.exams(maya.maya)
    sessions = [label for label in rows if label.startswith("Session ")]
    assert "No calendar could be read" in rows["Please note"]
    assert (exam.title, len(exam.sessions), {session.card for session in exam.sessions}) == (
        "Midterm 2",
        len(sessions),
        {card.id},
    )
    assert by_program(maya, "study_list", show="exams").data["exams"][0]["sessions"] == len(sessions)
    assert done.can_undo
    maya.services.turns.undo(maya.maya, card.id)
    assert maya.services.study.exams.exams(maya.maya) == []


def test_a_plan_for_an_exam_without_a_day_asks_for_it(room: RoomMaker) -> None:
    maya = room()

    asked = by_program(maya, "study_exam_plan", exam="Midterm 2")

    assert asked.said == "Say when the exam is."
