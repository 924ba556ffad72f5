"""One killed write after another, and killed undos: what the services count at the end is what the cards say."""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError, HomeroomError
from services.tools.result import ToolResult
from services.wiring.jobs_loop import EVERY_S
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.forked_children import Children
from tests.services.approvals.every_write import WRITES, Write, put_event

LONGEST_DELAY_S = 60.0
KILLED_WITHIN_S = 70.0
LYING_S = 20.0
"""In real time, where a case takes minutes, each request lies at its service for longer than its process lives."""
LONGEST_HALT_S = 200.0
SLOWEST_START_S = 1.0
"""What a process needs here until it writes, which no scale makes shorter."""
MOST_CHANGES = 9
GIVEN_UP_S = 12 * 60.0
"""By then recovery has finished a write or called it unclear."""
TRACKERS = "*/databases*"
PLACES = {"google": "*/events*", "notion": "*/v1/pages*", "planner": ""}
UNDO_REQUESTS = {"calendar_create_study_sessions": 3}
UNDO_METHODS = {"google": (None,), "notion": ("PATCH",), "planner": (None,)}
ALL_WRITES = (
    *WRITES,
    *(
        Write(tool=f"planner_{what}_task", service="planner", arguments=arguments, needs_event=what != "create")
        for what, arguments in (
            ("create", lambda mark: {"title": mark, "due_date": "2031-05-06"}),
            ("complete", lambda mark: {"task": mark}),
            ("edit", lambda mark: {"task": mark, "notes": f"New {mark}"}),
            ("delete", lambda mark: {"task": mark}),
        )
    ),
)


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """fault: what the service does meanwhile, with its fields; none for "". seconds, changes: when the process dies.

    halted_s: it is halted for so long instead, as by a machine that swaps or sleeps, and goes on.
    is_rival: a process that lives on approves at the same moment.
    """

    fault: dict[str, Any]
    seconds: float | None
    changes: int | None
    halted_s: float | None
    is_rival: bool


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a case ended. wrong: "lost", "doubled" or "untrue", else empty."""

    tool: str
    is_undo: bool
    status: str
    requests: int
    wrong: str
    took_s: float
    outcome: str = ""


class WriteKills:
    """Homerooms over one store: one that asks, one that recovers all the time, and processes that die."""

    def __init__(self, campus: CampusServer, data_dir: Path, *, times: float, seed: int, mongo: str = "") -> None:
        more = {"MONGODB_URI": mongo} if mongo else {}
        self._campus, self._times, self._chance = campus, times, random.Random(seed)
        self._here, self._later = (CampusRoom(campus, data_dir, **more) for _ in range(2))
        self._here.connect("google_calendar", "notion")
        self._writes = WRITES if times == 1 else ALL_WRITES
        self._maya = self._here.maya
        self._children = Children(data_dir, self._here.settings.public_url, times=times, mongo=mongo)
        self._number = self._chance.randrange(len(ALL_WRITES))

    def close(self) -> None:
        self._children.close()
        for room in (self._here, self._later):
            room.close()

    def endings(self, kills: int) -> Iterator[Ending]:
        """Kill so often; each case as it ends."""
        with self._recovering():
            while kills > 0:
                for ending in self._case():
                    kills -= 1
                    yield ending

    def _case(self) -> Iterator[Ending]:
        """A write, and where it can be undone every other time its undo."""
        self._number += 1
        write, mark = self._writes[self._number % len(self._writes)], f"soak{self._number:05d}"
        asked = self._asked(write, mark)
        if asked is None:
            return
        since, began = self._campus.log()[-1]["id"], time.monotonic()
        trouble = self._trouble(write.service, (write.method,), "*/databases" if "tracker" in write.tool else None)
        self._approve(asked, trouble)
        ended = self._ended(asked)
        requests = self._requests(write, mark, since)
        yield self._judged(write, ended, requests, began)
        if ended.can_undo and self._chance.random() < 0.5:
            yield self._undone(write, mark, ended)

    def _undone(self, write: Write, mark: str, approval: Approval) -> Ending:
        since, began = self._campus.log()[-1]["id"], time.monotonic()
        place = TRACKERS if "tracker" in write.tool else None
        trouble = self._trouble(write.service, UNDO_METHODS[write.service], place)
        self._kill(approval.id, trouble, is_undo=True)
        ended = self._ended(approval.id, is_undo=True)
        self._wait_for_landing(write.service, since)
        ended = self._pressed_again(ended)
        requests = self._requests(write, mark, since, is_undo=True)
        expected = UNDO_REQUESTS.get(write.tool, 1)
        # What goes to the trash twice lies there once.
        is_doubled = requests > expected and write.service == "notion" and write.method == "PATCH"
        wrong = "doubled" if is_doubled or (requests > expected and write.service == "google") else ""
        if ended.status is ApprovalStatus.UNDONE and requests < expected:
            wrong = "lost"
        # What could not be undone in time may still be pressed again, and nothing has happened.
        if ended.status is not ApprovalStatus.UNDONE and (requests or not ended.can_undo):
            wrong = wrong or "untrue"
        return self._ending(write, ended, requests, began, wrong, is_undo=True)

    def _pressed_again(self, approval: Approval) -> Approval:
        """The approval once its undo was pressed again until it was done, or refused."""
        until = time.monotonic() + GIVEN_UP_S / self._times
        while approval.can_undo and time.monotonic() < until:
            with suppress(ApprovalError):
                self._here.services.turns.undo(self._maya, approval.id)
            time.sleep(1 / self._times)
            approval = self._ended(approval.id, is_undo=True)
        return approval

    def _asked(self, write: Write, mark: str) -> str | None:
        """Id of a new card; None where the service was too slow to be looked at."""
        if write.needs_event and write.service == "planner":
            created = self._call("planner_create_task", {"title": mark, "due_date": "2031-05-06"})
            self._here.services.turns.decide(self._maya, created.approval_request_id or "", "approve")
            self._ended(created.approval_request_id or "")
        elif write.needs_event:
            put_event(self._campus, mark)
        for _ in range(5):
            asked = self._call(write.tool, write.arguments(mark))
            if asked.approval_request_id:
                return asked.approval_request_id
            time.sleep(1 / self._times)
        return None

    def _call(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        return self._here.services.gateway.call(self._maya, tool, arguments, asked_by="Laptop")

    def _lying(self, service: str, methods: tuple[str | None, ...], place: str | None) -> Trouble:
        match = {"service": service, "method": self._chance.choice(methods), "path": place or PLACES[service]}
        seconds = self._chance.uniform(LYING_S, LONGEST_DELAY_S)
        killed_s = SLOWEST_START_S + self._chance.uniform(0, LYING_S / 2)
        fault = {**match, "fault": "delay", "seconds": seconds}
        return Trouble(fault=fault, seconds=killed_s, changes=None, halted_s=None, is_rival=False)

    def _trouble(self, service: str, methods: tuple[str | None, ...], place: str | None) -> Trouble:
        if self._times == 1:
            return self._lying(service, methods, place)
        kind = self._chance.choice(["", "delay", "delay", "delay", "lose_response", "hang", "status", "truncate"])
        match = {"service": service, "method": self._chance.choice(methods), "path": place or PLACES[service]}
        times, skip = self._chance.choice([1, 1, 2]), self._chance.choice([0, 0, 1])
        fault = {**match, "fault": kind, "times": times, "skip": skip}
        if kind == "delay":
            fault["seconds"] = self._chance.uniform(0, LONGEST_DELAY_S) / self._times
        if kind == "status":
            fault["status"] = self._chance.choice([500, 503, 409 if service == "notion" else 500])
        by_changes, is_halted = self._chance.random() < 0.3, self._chance.random() < 0.2
        start_s = self._chance.uniform(0, SLOWEST_START_S)
        return Trouble(
            fault=fault if kind and service != "planner" else {},
            seconds=None if by_changes else start_s + self._chance.uniform(0, KILLED_WITHIN_S) / self._times,
            changes=self._chance.randrange(MOST_CHANGES) if by_changes else None,
            halted_s=None if by_changes or not is_halted else self._chance.uniform(0, LONGEST_HALT_S) / self._times,
            is_rival=self._chance.random() < 0.2,
        )

    def _approve(self, id: str, trouble: Trouble) -> None:
        with ThreadPoolExecutor(1) as pool:
            rival = pool.submit(self._click, id) if trouble.is_rival else None
            self._kill(id, trouble)
            if rival is not None:
                rival.result()

    def _kill(self, id: str, trouble: Trouble, *, is_undo: bool = False) -> None:
        if trouble.fault:
            self._campus.fault(**trouble.fault)
        death: dict[str, Any] = {} if trouble.changes is None else {"changes": trouble.changes}
        death |= {"seconds": trouble.seconds, "halted_s": trouble.halted_s}
        self._children.approve(self._maya.id, id, is_undo=is_undo, **death)

    def _click(self, id: str) -> None:
        with suppress(HomeroomError):
            self._here.services.turns.decide(self._maya, id, "approve")

    def _ended(self, id: str, *, is_undo: bool = False) -> Approval:
        """The approval once nobody works on it."""
        until = time.monotonic() + GIVEN_UP_S / self._times + 60
        while True:
            approval = self._here.services.approvals.get(self._maya.id, id)
            if approval.status is ApprovalStatus.PENDING:
                # Who died before it was noted has done nothing, and the card is still there.
                self._click(id)
            elif approval.status.is_decided and approval.status is not ApprovalStatus.UNDOING:
                return approval
            if time.monotonic() > until:
                return approval
            time.sleep(0.05)

    def _requests(self, write: Write, mark: str, since: int, *, is_undo: bool = False) -> int:
        """How many requests have changed something at the service; of the planner, how often the task was changed."""
        if write.service == "planner":
            tasks = self._here.services.store.for_student(self._maya.id).find("tasks", {"title": mark})
            if write.tool in ("planner_create_task", "planner_delete_task"):
                is_create = write.tool == "planner_create_task"
                return len(tasks) if is_create is not is_undo else int(not tasks)
            return sum(task["version"] for task in tasks) - (2 if is_undo else 1)
        self._wait_for_landing(write.service, since)
        return len(self._campus.log(service=write.service, writes=1, since=since))

    def _wait_for_landing(self, service: str, since: int) -> None:
        """Wait until the service has done all that was asked of it; what it let fall stays open in its log."""
        self._campus.clear_faults()
        until = time.monotonic() + LONGEST_DELAY_S / self._times + 1
        while time.monotonic() < until:
            if all(entry["status"] is not None for entry in self._campus.log(service=service, since=since)):
                return
            time.sleep(0.05)

    def _judged(self, write: Write, approval: Approval, requests: int, began: float) -> Ending:
        wrong = "doubled" if requests > write.requests else ""
        # Of several entries the card says how many there are.
        is_told = f" of {write.requests - 1} entries" in approval.outcome
        if approval.status is ApprovalStatus.DONE and requests < write.requests and not is_told:
            wrong = "lost"
        if approval.status is ApprovalStatus.FAILED and requests == write.requests:
            wrong = "untrue"
        if approval.status not in (ApprovalStatus.DONE, ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN):
            wrong = wrong or "untrue"
        return self._ending(write, approval, requests, began, wrong)

    def _ending(
        self, write: Write, approval: Approval, requests: int, began: float, wrong: str, *, is_undo: bool = False
    ) -> Ending:
        return Ending(
            tool=write.tool,
            is_undo=is_undo,
            status=approval.status.value,
            requests=requests,
            wrong=wrong,
            took_s=round(time.monotonic() - began, 1),
            outcome=approval.outcome,
        )

    @contextmanager
    def _recovering(self) -> Iterator[None]:
        """Recover as often as the jobs of a process do."""
        over = threading.Event()

        def recover() -> None:
            while not over.wait(EVERY_S / self._times):
                with suppress(HomeroomError):
                    self._later.services.turns.recover()

        thread = threading.Thread(target=recover, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
