"""Approved writes of every tool under lost answers, repeated clicks, kill -9 and two replicas, at random: each once."""

import random
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError
from tests.agent_fakes import WAIT_S
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.forked_children import NEVER, Children
from tests.services.approvals.every_write import WRITES, Write, put_event
from tests.services.approvals.test_kill_in_flight import minutes_later

SOAK_S = 240
CASES = 12
MOST_CHANGES = 8
SLOWEST_KILL_S = 0.25
"""By then a child has done what it was told, even here."""


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """lost: answers of the write's requests that get lost, after how many that do not. clicks: on each replica.

    changes, seconds: when a third process, that approves too, is killed; None when there is none.
    is_child_first: it does so before anybody else, or at the same time.
    """

    lost: int = 0
    skip: int = 0
    clicks: tuple[int, int] = (1, 0)
    changes: int | None = None
    seconds: float | None = None
    is_child_first: bool = True


class Campaign:
    """Two replicas, a third one whose clock is past every lease and request, and processes to kill."""

    def __init__(self, campus: CampusServer, data_dir: Path) -> None:
        self.campus = campus
        self.replicas = [CampusRoom(campus, data_dir) for _ in range(2)]
        self.here = self.replicas[0]
        self.here.connect("google_calendar", "notion")
        self.later = CampusRoom(campus, data_dir, clock=minutes_later)
        self.children = Children(data_dir, self.here.settings.public_url)
        self._cases = 0

    def close(self) -> None:
        self.children.close()
        for room in (*self.replicas, self.later):
            room.close()

    def run(self, write: Write, trouble: Trouble) -> tuple[Approval, int]:
        """Ask, approve under trouble, recover: the approval at its end, and how many requests changed something."""
        self._cases += 1
        mark = f"soak{self._cases:05d}"
        if write.needs_event:
            put_event(self.campus, mark)
        asked = self.here.services.gateway.call(self.here.maya, write.tool, write.arguments(mark), asked_by="Laptop")
        assert asked.approval_request_id, (write.tool, asked.error)
        since = self.campus.log()[-1]["id"]
        if trouble.lost:
            how = {"fault": "lose_response", "method": write.method, "times": trouble.lost, "skip": trouble.skip}
            self.campus.fault(service=write.service, **how)
        is_alive = self._approve(asked.approval_request_id, trouble)
        approval = self._ended(asked.approval_request_id, is_alive=is_alive)
        self.campus.clear_faults()
        exams = self.here.services.study.exams
        for exam in exams.exams(self.here.maya):
            exams.remove(self.here.maya, exam.id)
        return approval, len(self.campus.log(service=write.service, writes=1, since=since))

    def _approve(self, id: str, trouble: Trouble) -> bool:
        """Everybody at once; whether it was a replica that lives on whose click counted."""
        rooms = [room for room, clicks in zip(self.replicas, trouble.clicks, strict=True) for _ in range(clicks)]
        together = threading.Barrier(len(rooms))

        def click(room: CampusRoom) -> bool:
            together.wait(WAIT_S)
            return clicked(room, id)

        with ThreadPoolExecutor(len(rooms) + 1) as pool:
            child = pool.submit(self._kill_child, id, trouble)
            if trouble.is_child_first:
                child.result()
            counted = list(pool.map(click, rooms))
            child.result()
        assert sum(counted) <= 1
        return any(counted)

    def _kill_child(self, id: str, trouble: Trouble) -> None:
        if trouble.changes is not None or trouble.seconds is not None:
            changes = NEVER if trouble.changes is None else trouble.changes
            self.children.approve(self.here.maya.id, id, changes=changes, seconds=trouble.seconds)

    def _ended(self, id: str, *, is_alive: bool) -> Approval:
        """The approval once it is decided: by whoever is alive, or by recovery after the lease of a dead process."""
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            approval = self.here.services.approvals.get(self.here.maya.id, id)
            if approval.status.is_decided:
                return approval
            if not is_alive:
                self.later.services.turns.recover()
                # Who died before it was noted has done nothing, and the card is still there.
                is_alive = approval.status is ApprovalStatus.PENDING and clicked(self.here, id)
            time.sleep(0.01)
        raise AssertionError("the write never came to an end")


def clicked(room: CampusRoom, id: str) -> bool:
    """Press Approve; whether this click was the one that counts."""
    try:
        room.services.turns.decide(room.maya, id, "approve")
    except ApprovalError:
        return False
    return True


@pytest.fixture(scope="module")
def campaign(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    running_campus.reset()
    campaign = Campaign(running_campus, tmp_path_factory.mktemp("campaign"))
    yield campaign
    campaign.close()


def judge(campaign: Campaign, write: Write, trouble: Trouble) -> None:
    approval, requests = campaign.run(write, trouble)

    facts = (write.tool, trouble, approval.status, approval.outcome, requests)
    assert requests <= write.requests, facts
    if write.is_surely_once or approval.status is ApprovalStatus.DONE:
        assert (approval.status, requests) == (ApprovalStatus.DONE, write.requests), facts
    else:
        assert approval.status is ApprovalStatus.UNKNOWN or requests < write.requests, facts


def troubled(chance: random.Random) -> Trouble:
    """Some of everything, any of it alone too."""
    kill = chance.choice(["", "", "changes", "seconds"])
    return Trouble(
        lost=chance.choice([0, 1, 2]),
        skip=chance.choice([0, 0, 1]),
        clicks=(chance.randint(1, 3), chance.randint(0, 2)),
        changes=chance.randrange(MOST_CHANGES) if kill == "changes" else None,
        seconds=chance.uniform(0, SLOWEST_KILL_S) if kill == "seconds" else None,
        is_child_first=chance.random() < 0.7,
    )


def test_in_peace_every_write_happens_once(campaign: Campaign) -> None:
    for write in WRITES:
        judge(campaign, write, Trouble())


def test_every_tool_that_writes_outside_is_in_the_table(campaign: Campaign) -> None:
    offered = campaign.here.services.gateway.list_tools(campaign.here.maya.id)

    writes = [offer.tool for offer in offered if offer.tool.effect.needs_approval]
    writing = {tool.name for tool in writes if tool.category != "planner" or tool.also_changes}
    assert {write.tool for write in WRITES} == writing


@pytest.mark.soak
@pytest.mark.soak
def test_a_dozen_random_troubles_never_write_twice(campaign: Campaign) -> None:
    soak(campaign, seed=secrets.randbits(32), cases=CASES)


@pytest.mark.soak
def test_minutes_of_random_troubles_never_write_twice(campaign: Campaign) -> None:
    seed, ends = secrets.randbits(32), time.monotonic() + SOAK_S
    rounds = 0
    while time.monotonic() < ends:
        soak(campaign, seed=seed + rounds, cases=4 * len(WRITES))
        rounds += 1

    assert rounds


def soak(campaign: Campaign, *, seed: int, cases: int) -> None:
    """Each write by turns, each under a trouble drawn by chance; the seed is printed when one of them fails."""
    sys.stdout.write(f"soak seed {seed}\n")
    chance = random.Random(seed)
    for number in range(cases):
        judge(campaign, WRITES[(seed + number) % len(WRITES)], troubled(chance))
