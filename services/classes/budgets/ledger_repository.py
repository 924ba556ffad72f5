"""`LedgerRepository`: ledgers in the store, with group commit: one thread of a process writes what all requests post.

A write is a compare-and-set of every ledger it touches, so that replicas never overlook each other, and twenty requests
that begin at once cost this process one write.
"""

import logging
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from services.classes.budgets.ledger import Ledger, LedgerKey, LimitReached, ledger_document, ledger_of
from services.errors import DuplicateDocument, StorageError, StorageUnavailable, WriteConflict
from services.i18n import gettext
from services.runtime.thread_pools import DaemonPool
from services.storage.documents import Document
from services.storage.store import DocumentViews, Store

log = logging.getLogger(__name__)

SHARES, TOTALS = "budget_shares", "budget_totals"
"""Ledgers of students, and those of classes and of the deployment, which name no student."""
MOST_TRIES = 200
MOST_PROCESSES = 128
"""Whose last write a ledger names: far more than write to it at once."""
MOST_REMEMBERED = 10_000
MOST_UNWRITTEN = 10_000
WAIT_S = 15.0
GATHER_S = 0.2
"""How long costs that no limit bounds and nobody waits for are gathered before one write: answers of a class end
together, and each has the deployment's ledger to write."""
Change = Callable[[Sequence[Ledger]], tuple[Sequence[Ledger], Any]]


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """Change of some ledgers. change: gives the new ones and a result, or raises `LimitReached` and changes none.

    survives_outage: tried again when the store does not answer, as what it says has happened already. may_wait: written
    a moment later, with others.
    """

    keys: tuple[LedgerKey, ...]
    change: Change = field(repr=False)
    survives_outage: bool = False
    may_wait: bool = False
    done: "Future[Any]" = field(default_factory=Future, repr=False)


@dataclass(frozen=True, kw_only=True)
class _LedgerRecord:
    """Ledger as far as it is known. stored: as the store has it at `revision`; None for one that it does not have.
    ledger: what to begin from, the same unless the store has taken a part of the write that is tried.
    batches: by process, the number of its write that this ledger took last.
    """

    ledger: Ledger = field(default_factory=Ledger)
    stored: Ledger = field(default_factory=Ledger)
    revision: str | None = None
    batches: Mapping[str, int] = field(default_factory=dict)
    is_fresh: bool = False


_Attempts = dict[tuple[LedgerKey, int], tuple[Ledger, Ledger]]
"""What tries of one write would change, by the ledger and the number of the try: from what, to what."""


class LedgerRepository:
    """Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._process = secrets.token_hex(6)
        self._batch = 0
        self._pool = DaemonPool("budgets", 1)
        self._lock = threading.Condition()
        self._entries: deque[LedgerEntry] = deque()
        self._is_writing = False
        self._flushing = 0
        self._known: OrderedDict[LedgerKey, _LedgerRecord] = OrderedDict()
        self._unconfirmed: _Attempts = {}
        """Tries whose outcome nobody heard, as the store did not answer: they may have been done all the same."""

    @property
    def process(self) -> str:
        """Under which name this process holds its reservations."""
        return self._process

    def post(self, entry: LedgerEntry) -> "Future[Any]":
        """Queue an entry; its result, once it is stored. Entries of one process are written in their order."""
        with self._lock:
            self._entries.append(entry)
            if not self._is_writing:
                self._is_writing = True
                self._pool.submit(self._write_all)
            elif not entry.may_wait:
                self._lock.notify_all()
        return entry.done

    def flush(self, timeout_s: float) -> None:
        """Wait until what was posted so far is written."""
        with self._lock:
            self._flushing += 1
            self._lock.notify_all()
            self._lock.wait_for(lambda: not self._is_writing, timeout_s)
            self._flushing -= 1

    def remembered(self, keys: Sequence[LedgerKey]) -> list[Ledger]:
        """The ledgers as this process has seen them last; read now where it has not."""
        return [(self._known.get(key) or self._read(key)).stored for key in keys]

    def read(self, keys: Sequence[LedgerKey]) -> list[Ledger]:
        """The ledgers as they are stored now."""
        return [self._read(key).stored for key in keys]

    def _write_all(self) -> None:
        while True:
            with self._lock:
                self._lock.wait_for(self._is_urgent, GATHER_S)
                entries = [*self._entries]
                self._entries.clear()
                if not entries:
                    self._is_writing = False
                    self._lock.notify_all()
                    return
            try:
                self._write(entries)
            except StorageError as error:
                if not self._retry_later(entries, error):
                    return
            except BaseException as error:
                for entry in entries:
                    entry.done.set_exception(error)
                log.error("budget_entry_crashed kind=%s", type(error).__name__)

    def _is_urgent(self) -> bool:
        """Whether somebody waits for what is queued, or nothing is."""
        return bool(self._flushing) or not all(entry.may_wait for entry in self._entries) or not self._entries

    def _retry_later(self, entries: Sequence[LedgerEntry], error: StorageError) -> bool:
        """What has happened is written with the next entries; who waits to spend hears that it cannot be now. Whether
        there are such entries already.
        """
        log.warning("budget_not_written kind=%s entries=%s", type(error).__name__, len(entries))
        kept = [entry for entry in entries if entry.survives_outage]
        with self._lock:
            for key in {key for entry in entries for key in entry.keys}:
                self._known.pop(key, None)
            has_more = any(not entry.survives_outage for entry in self._entries)
            self._entries.extendleft(reversed(kept[-MOST_UNWRITTEN:]))
            self._is_writing = has_more
            self._lock.notify_all()
        for entry in entries:
            if not entry.survives_outage:
                entry.done.set_exception(error)
        return has_more

    def _write(self, entries: Sequence[LedgerEntry]) -> None:
        keys = list(dict.fromkeys(key for entry in entries for key in entry.keys))
        attempts, unconfirmed = self._unconfirmed, {key for key, _ in self._unconfirmed}
        records = {
            key: self._read_without(key, attempts) if key in unconfirmed else self._known.get(key) or self._read(key)
            for key in keys
        }
        for _ in range(MOST_TRIES):
            ledgers, results, refused = self._applied(entries, records)
            if stale := [key for key in refused if not records[key].is_fresh]:
                # Nobody is refused by what another replica may have settled since.
                records.update({key: self._read_without(key, attempts) for key in stale})
                continue
            changed = {key: ledger for key, ledger in ledgers.items() if ledger != records[key].stored}
            tried = {key: self._next_record(records[key], ledger) for key, ledger in changed.items()}
            attempts |= {
                (key, record.batches[self._process]): (records[key].ledger, record.ledger)
                for key, record in tried.items()
            }
            if not tried or self._commit(records, tried):
                for key, record in tried.items():
                    self._remember(key, record)
                self._unconfirmed = {
                    attempt: change for attempt, change in attempts.items() if attempt[0] not in records
                }
                _resolve(entries, results)
                return
            records = {key: self._read_without(key, attempts) for key in keys}
        raise StorageUnavailable(gettext("The budget could not be looked up just now."))

    def _applied(
        self, entries: Sequence[LedgerEntry], records: Mapping[LedgerKey, _LedgerRecord]
    ) -> tuple[dict[LedgerKey, Ledger], list[Any], set[LedgerKey]]:
        """The ledgers after all entries, the result or refusal of each, and the ledgers of those that were refused."""
        ledgers = {key: record.ledger for key, record in records.items()}
        results, refused = list[Any](), set[LedgerKey]()
        for entry in entries:
            try:
                new, result = entry.change([ledgers[key] for key in entry.keys])
            except LimitReached as error:
                result = error
                refused.update(entry.keys)
            else:
                ledgers.update(zip(entry.keys, new, strict=True))
            results.append(result)
        return ledgers, results, refused

    def _next_record(self, record: _LedgerRecord, ledger: Ledger) -> _LedgerRecord:
        """The record with a new ledger, under a revision and a number of its own."""
        self._batch += 1
        others = {process: batch for process, batch in record.batches.items() if process != self._process}
        latest = dict([*others.items(), (self._process, self._batch)][-MOST_PROCESSES:])
        return _LedgerRecord(ledger=ledger, stored=ledger, revision=secrets.token_hex(8), batches=latest)

    def _commit(self, records: Mapping[LedgerKey, _LedgerRecord], tried: Mapping[LedgerKey, _LedgerRecord]) -> bool:
        batch = self._store.batch()
        for key, record in tried.items():
            fields = {**ledger_document(record.ledger), "revision": record.revision, "batches": dict(record.batches)}
            documents, collection = _place(batch, key)
            if records[key].revision is None:
                documents.insert(collection, {"id": key.id, "class_id": key.class_id, **fields})
            else:
                documents.compare_and_set(collection, key.id, {"revision": records[key].revision}, fields)
        try:
            batch.commit()
        except (WriteConflict, DuplicateDocument):
            return False
        return True

    def _read_without(self, key: LedgerKey, attempts: "_Attempts") -> _LedgerRecord:
        """The record as it is now, without what tries of this write have added: an engine without transactions may have
        taken this ledger's part of one, and others may have written since. So everything can be worked out anew.
        """
        record = self._read(key)
        if (attempt := attempts.get((key, record.batches.get(self._process, 0)))) is None:
            return record
        return replace(record, ledger=record.stored.without(*attempt, self._process))

    def _read(self, key: LedgerKey) -> _LedgerRecord:
        documents, collection = _place(self._store, key)
        document: Document | None = documents.get(collection, key.id)
        if document is None:
            return _LedgerRecord(is_fresh=True)
        ledger = ledger_of(document)
        record = _LedgerRecord(ledger=ledger, stored=ledger, revision=document["revision"], batches=document["batches"])
        self._remember(key, record)
        return replace(record, is_fresh=True)

    def _remember(self, key: LedgerKey, record: _LedgerRecord) -> None:
        with self._lock:
            self._known[key] = record
            self._known.move_to_end(key)
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)


def _resolve(entries: Sequence[LedgerEntry], results: Sequence[Any]) -> None:
    for entry, result in zip(entries, results, strict=True):
        if isinstance(result, LimitReached):
            entry.done.set_exception(result)
        else:
            entry.done.set_result(result)


def _place(views: DocumentViews, key: LedgerKey) -> tuple[Any, str]:
    return (views.for_student(key.owner), SHARES) if key.owner else (views.shared, TOTALS)
