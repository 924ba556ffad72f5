"""kill -9 while the request of a write, or of its undo, lies at Notion: recovery waits until it cannot take effect any
more (R34).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.approvals.execution import KEEP_TRYING
from services.integrations.kit.writes import IN_FLIGHT_S, LONGEST_CALL_S
from services.runtime.clock import utc_now
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.forked_children import Children
from tests.rooms import eventually
from tests.services.approvals.every_write import WRITES, Write

HELD_S = 2.0
"""How long the request lies there, also once we are dead; the survivor's clock makes minutes of it."""
LEASE_OVER = timedelta(seconds=30)
SETTLED = timedelta(seconds=LONGEST_CALL_S + IN_FLIGHT_S + 5)
NOTION = [write for write in WRITES if write.service == "notion"]
TRACKER = next(write for write in NOTION if write.tool == "notion_create_tracker")
HELD: list[tuple[Write, str]] = [
    *((write, "*/databases" if write is TRACKER else "*/v1/pages*") for write in NOTION),
    # The first entry of a tracker whose database is there already.
    (TRACKER, "*/v1/pages"),
]


def minutes_later() -> datetime:
    """The time of a process that comes after, when no request of a dead one can take effect any more."""
    return utc_now() + SETTLED


class Clock:
    """The time of the processes that come after, which a test moves on."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


@dataclass(frozen=True, kw_only=True)
class Crashes:
    """A Homeroom that asks, processes that die while they write, and the one that comes after."""

    campus: CampusServer
    here: CampusRoom
    children: Children
    later: CampusRoom
    clock: Clock

    def killed(self, write: Write, mark: str, path: str, **fault: Any) -> tuple[str, int]:
        """The approval of a write that was killed while its request lay there; the log's last entry before it."""
        asked = self.here.services.gateway.call(self.here.maya, write.tool, write.arguments(mark), asked_by="Laptop")
        assert asked.approval_request_id, (write.tool, asked.error)
        since = self.campus.log()[-1]["id"]
        self.campus.fault(service="notion", method=write.method, path=path, **fault)
        self.children.approve(self.here.maya.id, asked.approval_request_id, is_time=self._is_held)
        return asked.approval_request_id, since

    def killed_undo(self, write: Write, mark: str, **fault: Any) -> tuple[str, int]:
        """As `killed`, of a write that was done in peace: its undo is what lies there."""
        asked = self.here.services.gateway.call(self.here.maya, write.tool, write.arguments(mark), asked_by="Laptop")
        assert asked.approval_request_id, (write.tool, asked.error)
        id = asked.approval_request_id
        self.here.services.turns.decide(self.here.maya, id, "approve")
        eventually(lambda: self.here.services.approvals.get(self.here.maya.id, id).can_undo)
        since = self.campus.log()[-1]["id"]
        path = "*/databases/*" if write is TRACKER else "*/v1/pages/*"
        self.campus.fault(service="notion", method="PATCH", path=path, **fault)
        self.children.approve(self.here.maya.id, id, is_undo=True, is_time=self._is_held)
        return id, since

    def recovered(self, id: str, *, at: timedelta) -> Approval:
        """The approval once recovery at this time after the crash has done what it can."""
        self.clock.ahead = at
        calls = self._calls()
        self.later.services.turns.recover()
        eventually(lambda: self._calls() > calls and not self._is_working(id))
        return self.later.services.approvals.get(self.here.maya.id, id)

    def written(self, since: int) -> int:
        return len(self.campus.log(service="notion", writes=1, since=since))

    def wait_for_landing(self, since: int) -> None:
        """Wait until Notion has done what the dead process asked for."""
        eventually(lambda: self._is_held() and not self._is_lying(since))

    def _is_held(self) -> bool:
        faults = self.campus.http.get(f"{self.campus.url}/faults").json()["faults"]
        return any(fault["used"] for fault in faults if fault["service"] == "notion")

    def _is_lying(self, since: int) -> bool:
        return any(entry["status"] is None for entry in self.campus.log(service="notion", since=since))

    def _calls(self) -> int:
        return len(self.campus.log(service="notion"))

    def _is_working(self, id: str) -> bool:
        """Whether the survivor still holds the lease: it renews those that it holds, and abandons what must wait."""
        return any(lease.work == id for lease in self.later.services.turns._leases._held.values())


@pytest.fixture(scope="module")
def room(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crashes]:
    running_campus.reset()
    data_dir, clock = tmp_path_factory.mktemp("in_flight"), Clock()
    here = CampusRoom(running_campus, data_dir)
    here.connect("notion")
    later = CampusRoom(running_campus, data_dir, clock=clock)
    children = Children(data_dir, here.settings.public_url)
    yield Crashes(campus=running_campus, here=here, children=children, later=later, clock=clock)
    children.close()
    for each in (here, later):
        each.close()


@pytest.fixture
def crashes(room: Crashes) -> Iterator[Crashes]:
    yield room
    room.campus.clear_faults()


def _parameters(cases: Sequence[Any], often: Collection[str]) -> list[Any]:
    """Of these tools in every run, of all in the soak. cases: writes, or tuples that begin with one."""
    found = []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        found.append(pytest.param(*values, marks=() if values[0].tool in often else pytest.mark.soak))
    return found


@pytest.mark.parametrize(
    ("write", "path"),
    _parameters(HELD, ("notion_create_page",)),
    ids=lambda value: getattr(value, "tool", value),
)
def test_a_request_that_lies_at_notion_while_we_die_is_not_sent_again(
    crashes: Crashes, write: Write, path: str
) -> None:
    id, since = crashes.killed(write, f"lands{HELD.index((write, path))}", path, fault="delay", seconds=HELD_S)

    crashes.recovered(id, at=LEASE_OVER)
    crashes.wait_for_landing(since)
    # What is there is found at once; what else there is to send waits.
    late = crashes.recovered(id, at=2 * LEASE_OVER if write.requests == 1 else SETTLED)

    assert (late.status, crashes.written(since)) == (ApprovalStatus.DONE, write.requests), late.outcome


@pytest.mark.parametrize("write", _parameters(NOTION, ("notion_append_to_page",)), ids=lambda write: write.tool)
def test_a_request_that_got_lost_is_sent_again_once_it_cannot_take_effect_any_more(
    crashes: Crashes, write: Write
) -> None:
    path = "*/databases" if write is TRACKER else "*/v1/pages*"
    id, since = crashes.killed(write, f"lost{NOTION.index(write)}9", path, fault="hang")

    early = crashes.recovered(id, at=LEASE_OVER)
    written_early = crashes.written(since)
    late = crashes.recovered(id, at=SETTLED)

    assert (early.status, written_early) == (ApprovalStatus.EXECUTING, 0)
    assert (late.status, crashes.written(since)) == (ApprovalStatus.DONE, write.requests), late.outcome


UNDONE_OFTEN = ("notion_replace_content",)


@pytest.mark.parametrize("write", _parameters(NOTION, UNDONE_OFTEN), ids=lambda write: write.tool)
def test_an_undo_that_lies_at_notion_while_we_die_is_not_sent_again(crashes: Crashes, write: Write) -> None:
    id, since = crashes.killed_undo(write, f"undone{NOTION.index(write)}", fault="delay", seconds=HELD_S)

    early = crashes.recovered(id, at=LEASE_OVER)
    written_early = crashes.written(since)
    crashes.wait_for_landing(since)
    late = crashes.recovered(id, at=2 * LEASE_OVER)

    assert (early.status, written_early) == (ApprovalStatus.UNDOING, 0)
    assert (late.status, crashes.written(since)) == (ApprovalStatus.UNDONE, 1), late.outcome


@pytest.mark.parametrize("write", _parameters(NOTION, ("notion_append_to_page",)), ids=lambda write: write.tool)
def test_an_undo_that_got_lost_is_sent_again_once_it_cannot_take_effect_any_more(
    crashes: Crashes, write: Write
) -> None:
    id, since = crashes.killed_undo(write, f"again{NOTION.index(write)}8", fault="hang")

    early = crashes.recovered(id, at=LEASE_OVER)
    late = crashes.recovered(id, at=SETTLED)

    assert early.status is ApprovalStatus.UNDOING
    assert (late.status, crashes.written(since)) == (ApprovalStatus.UNDONE, 1), late.outcome


def test_recovery_keeps_trying_for_longer_than_it_has_to_wait() -> None:
    assert KEEP_TRYING > SETTLED + 2 * LEASE_OVER
