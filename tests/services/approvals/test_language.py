"""An approved write does what its card says, whatever language its card is in and whoever approves it in another."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from services.approvals.approval import Approval, ApprovalStatus, approval_from_document
from services.i18n import locale_scope
from services.integrations.planner.tasks import Task, Tasks, TaskStatus
from services.runtime.clock import utc_now
from services.storage.leases import Leases, approval_lease
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import asked, decided, settled

pytestmark = pytest.mark.any_store

DONE = ("planner_complete_task", {"task": "Read chapter 7"})


@pytest.fixture
def maya(room: RoomMaker) -> Room:
    """Maya reads Spanish, and has a task."""
    maya: Room = room(calls(DONE), says("Listo."))
    _reads(maya, "es", "es-MX")
    tasks = Tasks(maya.services.store, maya.maya.id, ZoneInfo(maya.maya.timezone))
    tasks.add(Task(id="chapter", title="Read chapter 7", due_at=utc_now() + timedelta(days=2), created_at=utc_now()))
    return maya


def test_a_card_is_written_in_the_students_language_and_holds_in_another(maya: Room) -> None:
    conversation, approval = asked(maya, "Ya lo leí")
    _reads(maya, "en", "en-GB")

    with locale_scope(maya.maya.locale):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    done = decided(maya, conversation, approval)

    assert {row.label: (row.before, row.value) for row in approval.rows}["State"] == ("por hacer", "hecho")
    assert done.status is ApprovalStatus.DONE, done.outcome
    assert done.outcome.startswith("«Read chapter 7» está hecho")
    assert _task(maya).version == 2


def test_what_a_crash_left_open_is_finished_as_its_card_says(maya: Room) -> None:
    _, approval = asked(maya, "Ya lo leí")
    assert Leases(maya.services.store, utc_now).acquire(approval_lease(maya.maya.id, approval.id))
    maya.services.approvals.start_execution(maya.maya.id, approval)

    survivor = maya.replica(clock=lambda: utc_now() + timedelta(minutes=2))
    survivor.services.turns.recover()

    assert settled(survivor, approval.id).status is ApprovalStatus.DONE
    assert _task(maya).version == 2


def test_a_card_of_before_speaks_english(maya: Room) -> None:
    with locale_scope("en-US"):
        _, approval = asked(maya, "Ya lo leí")
    document = maya.services.store.for_student(maya.maya.id).get("approvals", approval.id) or {}
    del document["locale"]

    old: Approval = approval_from_document(document)

    assert (approval.locale, old.locale) == ("es-MX", "en-US")


def _reads(maya: Room, language: str, browser: str) -> None:
    maya.maya = maya.services.students.set_language(maya.maya.id, language, browser)


def _task(maya: Room) -> Task:
    found = Tasks(maya.services.store, maya.maya.id, ZoneInfo(maya.maya.timezone)).get("chapter")
    assert found is not None
    assert found.status is TaskStatus.DONE
    return found
