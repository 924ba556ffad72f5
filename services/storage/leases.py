"""`Leases`: distributed locks with an expiry, kept in the store: who works on what, over all threads and replicas."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from services.errors import DuplicateDocument, StorageError
from services.runtime.clock import MOST_SKEW_S, Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader
from services.storage.store import DocumentViews, Store

log = logging.getLogger(__name__)

LEASE_S = 20.0
_POLL_S = 0.05


@dataclass(frozen=True, kw_only=True)
class Lease:
    """Lease. name: what is held. kind: of the work that recovery repeats. student, work: whose, and the id of the turn
    or approval. holder: id of one try at the work; random, so that a try that lost its lease differs from the next.
    """

    name: str
    kind: str
    student: str
    work: str
    holder: str


class Heartbeat:
    """Daemon thread that calls `beat` at an interval, once it was started."""

    def __init__(self, beat: Callable[[], None], every_s: float) -> None:
        self._beat = beat
        self._every_s = every_s
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it runs already."""
        with self._lock:
            if self._thread is None:
                self._stopped.clear()
                self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
        self._stopped.set()
        if thread is not None:
            thread.join(timeout=self._every_s * 5)

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                self._beat()
            except Exception as error:
                # A heartbeat that stopped for one failed beat would let every lease expire.
                log.error("heartbeat_skipped kind=%s", type(error).__name__)


class Leases:
    """Repository of leases. A worker that cannot renew its lease has lost the work and must stop it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._documents = store, store.shared
        self._clock = clock
        self._held: dict[tuple[str, str], Lease] = {}
        self._given_up: dict[tuple[str, str], Lease] = {}
        self.on_held: Callable[[], None] = lambda: None
        """Called for each lease that is held from now on; whoever sets it calls `renew_all` in time."""
        self._lock = threading.Lock()

    def acquire(self, lease: Lease) -> bool:
        """Acquire a lease, unless it is held; an expired one is left to recovery, which cleans up first."""
        try:
            self._documents.insert("leases", self._document(lease))
        except DuplicateDocument:
            return False
        except StorageError:
            # It may be stored all the same.
            self.expire(lease)
            raise
        self.hold(lease)
        return True

    def acquire_within(self, lease: Lease, within_s: float, *, takes_over: bool = False) -> bool:
        """Acquire a lease, waiting so long for its holder to release it; False when that takes longer.

        takes_over: an expired one too, as there is nothing to clean up.
        """
        ends = time.monotonic() + within_s
        while not (self.acquire_or_take_over(lease) if takes_over else self.acquire(lease)):
            if time.monotonic() > ends:
                return False
            time.sleep(_POLL_S)
        return True

    def acquire_or_take_over(self, lease: Lease) -> bool:
        """Acquire a lease that is free, or whose holder is gone, where there is nothing to clean up.

        A lease that cannot be read is one without a holder: nobody could renew it, release it or recover its work.
        """
        self._expire_given_up()
        if self.acquire(lease):
            return True
        stored = self._documents.get("leases", lease.name)
        if stored is None or not self._is_abandoned(stored):
            return False
        self._store.guard.run(lease.kind, "leases", lease.name, lambda: _lease(stored))
        same = {name: stored.get(name) for name in ("kind", "holder", "until")}
        expected = {
            name: value for name, value in same.items() if value is None or isinstance(value, str | int | float)
        }
        changes = self._document(lease, with_id=False)
        if self._documents.compare_and_set("leases", lease.name, expected, changes) is None:
            return False
        self.hold(lease)
        return True

    def insert(self, lease: Lease, *, within: DocumentViews) -> None:
        """Store a new lease, in a batch of writes; `hold` it once that is done."""
        within.shared.insert("leases", self._document(lease))

    def hold(self, lease: Lease) -> None:
        """Renew a stored lease from now on."""
        with self._lock:
            self._held[(lease.name, lease.holder)] = lease
        self.on_held()

    def take_over(self, expired: Lease, holder: str) -> Lease | None:
        """Take over an expired lease; None when another replica was first."""
        mine = replace(expired, holder=holder)
        changes = self._document(mine, with_id=False)
        for is_over in self._is_over():
            still_expired = {"holder": expired.holder, "until": is_over}
            if self._documents.compare_and_set("leases", expired.name, still_expired, changes) is not None:
                self.hold(mine)
                return mine
        return None

    def release(self, lease: Lease) -> None:
        """Release a lease; does nothing when it was lost meanwhile."""
        self._stop_renewing(lease)
        self._documents.delete("leases", {"id": lease.name, "holder": lease.holder})

    def delete(self, lease: Lease, *, within: DocumentViews) -> None:
        """Release a lease in a batch of writes; `abandon` it once that is done."""
        within.shared.delete("leases", {"id": lease.name, "holder": lease.holder})

    def abandon(self, lease: Lease) -> None:
        """Let a lease expire, so that recovery finishes the work."""
        self._stop_renewing(lease)

    def expire(self, lease: Lease) -> None:
        """Expire a lease at once, so that recovery need not wait; while the store does not answer, as soon as it does.

        Only for work that has ended in this process: another holder may begin in the same moment.
        """
        self._stop_renewing(lease)
        with self._lock:
            self._given_up[(lease.name, lease.holder)] = lease
        with suppress(StorageError):
            self._expire_given_up()

    @contextmanager
    def until_handed_over(self, lease: Lease, *, at_once: bool = False) -> Iterator[None]:
        """Abandon the lease when this block fails: else it would be renewed for ever, and the work never recovered.

        at_once: expire it, as nothing of the work goes on after the block.
        """
        is_whole = False
        try:
            yield
            is_whole = True
        finally:
            if not is_whole:
                (self.expire if at_once else self.abandon)(lease)

    def expired(self, kind: str, *, name: str | None = None) -> list[Lease]:
        """List leases of a kind whose holders are gone; only the one called `name` when it is given.

        Never one that this process holds: after a clock was set forward it is over, and its holder alive.
        """
        self._expire_given_up()
        where = {"kind": kind, **({"id": name} if name else {})}
        found = [self._documents.find("leases", {**where, "until": is_over}) for is_over in self._is_over()]
        documents = [document for some in found for document in some]
        leases = self._store.guard.read(kind, "leases", documents, _lease)
        with self._lock:
            return [lease for lease in leases if (lease.name, lease.holder) not in self._held]

    def students_at_work(self, kind: str) -> set[str]:
        """Students for whom some work of a kind is under way, in whichever process."""
        owners = (document.get("student") for document in self._documents.find("leases", {"kind": kind}))
        return {owner for owner in owners if isinstance(owner, str)}

    def is_held(self, lease: Lease) -> bool:
        """Whether somebody works on just this, in whichever run of it."""
        return bool(self._documents.find("leases", {"id": lease.name, "work": lease.work}, limit=1))

    def holds(self, lease: Lease) -> bool:
        """Whether nobody else has taken the lease over."""
        return bool(self._documents.find("leases", {"id": lease.name, "holder": lease.holder}, limit=1))

    def renew_all(self) -> list[Lease]:
        """Renew all leases of this process; those that were lost."""
        with suppress(StorageError):
            self._expire_given_up()
        with self._lock:
            held = list(self._held.values())
        if self._are_renewed(held):
            return []
        lost = [lease for lease in held if not self._renewed_or_unknown(lease)]
        for lease in lost:
            self._stop_renewing(lease)
        return lost

    def _are_renewed(self, leases: Sequence[Lease]) -> bool:
        """Whether all are renewed, in one write; else one of them was lost, or the store does not answer."""
        batch = self._store.batch()
        for lease in leases:
            batch.shared.compare_and_set("leases", lease.name, {"holder": lease.holder}, {"until": self._until()})
        try:
            batch.commit()
        except StorageError:
            return False
        return True

    def renew(self, lease: Lease) -> bool:
        """Extend a lease; False when another holder has it by now."""
        changes = {"until": self._until()}
        return self._documents.compare_and_set("leases", lease.name, {"holder": lease.holder}, changes) is not None

    def _renewed_or_unknown(self, lease: Lease) -> bool:
        """Whether a lease is renewed; a store that does not answer loses none, as the next beat tries again."""
        try:
            return self.renew(lease)
        except StorageError:
            return True

    def _document(self, lease: Lease, *, with_id: bool = True) -> Document:
        document = {
            "kind": lease.kind,
            "student": lease.student,
            "work": lease.work,
            "holder": lease.holder,
            "until": self._until(),
        }
        return {"id": lease.name, **document} if with_id else document

    def _expire_given_up(self) -> None:
        with self._lock:
            leases = list(self._given_up.values())
        for lease in leases:
            over = {"until": stamp(self._clock() - timedelta(seconds=1))}
            self._documents.compare_and_set("leases", lease.name, {"holder": lease.holder}, over)
            with self._lock:
                self._given_up.pop((lease.name, lease.holder), None)

    def _until(self) -> str:
        return stamp(self._clock() + timedelta(seconds=LEASE_S))

    def _is_over(self) -> tuple[dict[str, str], ...]:
        """Conditions on the end of a lease whose holder is gone: it is over, or later than any clock can give it, as
        before this machine's was set back.
        """
        now = self._clock()
        return {"$lt": stamp(now)}, {"$gt": stamp(now + timedelta(seconds=LEASE_S + MOST_SKEW_S))}

    def _is_abandoned(self, stored: Document) -> bool:
        """Whether the holder of a stored lease is gone, or nobody can read who that is or until when."""
        holder, until = stored.get("holder"), stored.get("until")
        if not isinstance(holder, str) or not isinstance(until, str):
            return True
        with self._lock:
            is_ours = (stored["id"], holder) in self._held
        now = self._clock()
        return not is_ours and not stamp(now) <= until <= stamp(now + timedelta(seconds=LEASE_S + MOST_SKEW_S))

    def _stop_renewing(self, lease: Lease) -> None:
        with self._lock:
            self._held.pop((lease.name, lease.holder), None)


def approval_lease(student_id: str, approval_id: str) -> Lease:
    """Build the lease of an approval: its holder alone decides on it."""
    return Lease(
        name=f"approval/{student_id}/{approval_id}",
        kind="approval",
        student=student_id,
        work=approval_id,
        holder=secrets.token_hex(8),
    )


@record_reader("leases")
def _lease(document: Document) -> Lease:
    return read_record(Lease, document, name=document["id"])
