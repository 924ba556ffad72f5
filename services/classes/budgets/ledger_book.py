"""`LedgerBook`: ledgers in the store; one thread of this process writes what all its requests have to write, together.

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

from services.classes.budgets.ledger import Ledger, LedgerKey, NoRoom, ledger_document, ledger_of
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
    """Change of some ledgers. change: gives the new ones and a result, or raises `NoRoom` and changes none.

    is_kept: tried again when the store does not answer, as what it says has happened already. is_patient: written a
    moment later, with others.
    """

    keys: tuple[LedgerKey, ...]
    change: Change = field(repr=False)
    is_kept: bool = False
    is_patient: bool = False
    done: "Future[Any]" = field(default_factory=Future, repr=False)


@dataclass(frozen=True, kw_only=True)
class _Page:
    """Ledger as far as it is known. stored: as the store has it at `revision`; None for one that it does not have.
    ledger: what to begin from, the same unless the store has taken a part of the write that is tried.
    batches: by process, the number of its write that this ledger took last.
    """

    ledger: Ledger = field(default_factory=Ledger)
    stored: Ledger = field(default_factory=Ledger)
    revision: str | None = None
    batches: Mapping[str, int] = field(default_factory=dict)
    is_fresh: bool = False


_Steps = dict[tuple[LedgerKey, int], tuple[Ledger, Ledger]]
"""What tries of one write would change, by the ledger and the number of the try: from what, to what."""


class LedgerBook:
    """Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._process = secrets.token_hex(6)
        self._batch = 0
        self._pool = DaemonPool("budgets", 1)
        self._lock = threading.Condition()
        self._entries: deque[LedgerEntry] = deque()
        self._is_writing = False
        self._urging = 0
        self._known: OrderedDict[LedgerKey, _Page] = OrderedDict()
        self._doubted: _Steps = {}
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
            elif not entry.is_patient:
                self._lock.notify_all()
        return entry.done

    def settle_all(self, timeout_s: float) -> None:
        """Wait until what was posted so far is written."""
        with self._lock:
            self._urging += 1
            self._lock.notify_all()
            self._lock.wait_for(lambda: not self._is_writing, timeout_s)
            self._urging -= 1

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
                if not self._put_off(entries, error):
                    return
            except BaseException as error:
                for entry in entries:
                    entry.done.set_exception(error)
                log.error("budget_entry_crashed kind=%s", type(error).__name__)

    def _is_urgent(self) -> bool:
        """Whether somebody waits for what is queued, or nothing is."""
        return bool(self._urging) or not all(entry.is_patient for entry in self._entries) or not self._entries

    def _put_off(self, entries: Sequence[LedgerEntry], error: StorageError) -> bool:
        """What has happened is written with the next entries; who waits to spend hears that it cannot be now. Whether
        there are such entries already.
        """
        log.warning("budget_not_written kind=%s entries=%s", type(error).__name__, len(entries))
        kept = [entry for entry in entries if entry.is_kept]
        with self._lock:
            for key in {key for entry in entries for key in entry.keys}:
                self._known.pop(key, None)
            has_more = any(not entry.is_kept for entry in self._entries)
            self._entries.extendleft(reversed(kept[-MOST_UNWRITTEN:]))
            self._is_writing = has_more
            self._lock.notify_all()
        for entry in entries:
            if not entry.is_kept:
                entry.done.set_exception(error)
        return has_more

    def _write(self, entries: Sequence[LedgerEntry]) -> None:
        keys = list(dict.fromkeys(key for entry in entries for key in entry.keys))
        steps, doubted = self._doubted, {key for key, _ in self._doubted}
        pages = {
            key: self._read_without(key, steps) if key in doubted else self._known.get(key) or self._read(key)
            for key in keys
        }
        for _ in range(MOST_TRIES):
            ledgers, results, refused = self._applied(entries, pages)
            if stale := [key for key in refused if not pages[key].is_fresh]:
                # Nobody is refused by what another replica may have settled since.
                pages.update({key: self._read_without(key, steps) for key in stale})
                continue
            changed = {key: ledger for key, ledger in ledgers.items() if ledger != pages[key].stored}
            tried = {key: self._next_page(pages[key], ledger) for key, ledger in changed.items()}
            steps |= {
                (key, page.batches[self._process]): (pages[key].ledger, page.ledger) for key, page in tried.items()
            }
            if not tried or self._commit(pages, tried):
                for key, page in tried.items():
                    self._remember(key, page)
                self._doubted = {step: change for step, change in steps.items() if step[0] not in pages}
                _tell(entries, results)
                return
            pages = {key: self._read_without(key, steps) for key in keys}
        raise StorageUnavailable(gettext("The budget could not be looked up just now."))

    def _applied(
        self, entries: Sequence[LedgerEntry], pages: Mapping[LedgerKey, _Page]
    ) -> tuple[dict[LedgerKey, Ledger], list[Any], set[LedgerKey]]:
        """The ledgers after all entries, the result or refusal of each, and the ledgers of those that were refused."""
        ledgers = {key: page.ledger for key, page in pages.items()}
        results, refused = list[Any](), set[LedgerKey]()
        for entry in entries:
            try:
                new, result = entry.change([ledgers[key] for key in entry.keys])
            except NoRoom as error:
                result = error
                refused.update(entry.keys)
            else:
                ledgers.update(zip(entry.keys, new, strict=True))
            results.append(result)
        return ledgers, results, refused

    def _next_page(self, page: _Page, ledger: Ledger) -> _Page:
        """The page with a new ledger, under a revision and a number of its own."""
        self._batch += 1
        others = {process: batch for process, batch in page.batches.items() if process != self._process}
        latest = dict([*others.items(), (self._process, self._batch)][-MOST_PROCESSES:])
        return _Page(ledger=ledger, stored=ledger, revision=secrets.token_hex(8), batches=latest)

    def _commit(self, pages: Mapping[LedgerKey, _Page], tried: Mapping[LedgerKey, _Page]) -> bool:
        batch = self._store.batch()
        for key, page in tried.items():
            fields = {**ledger_document(page.ledger), "revision": page.revision, "batches": dict(page.batches)}
            documents, collection = _place(batch, key)
            if pages[key].revision is None:
                documents.insert(collection, {"id": key.id, "class_id": key.class_id, **fields})
            else:
                documents.compare_and_set(collection, key.id, {"revision": pages[key].revision}, fields)
        try:
            batch.commit()
        except (WriteConflict, DuplicateDocument):
            return False
        return True

    def _read_without(self, key: LedgerKey, steps: "_Steps") -> _Page:
        """The page as it is now, without what tries of this write have added: an engine without transactions may have
        taken this ledger's part of one, and others may have written since. So everything can be worked out anew.
        """
        page = self._read(key)
        if (step := steps.get((key, page.batches.get(self._process, 0)))) is None:
            return page
        return replace(page, ledger=page.stored.without(*step, self._process))

    def _read(self, key: LedgerKey) -> _Page:
        documents, collection = _place(self._store, key)
        document: Document | None = documents.get(collection, key.id)
        if document is None:
            return _Page(is_fresh=True)
        ledger = ledger_of(document)
        page = _Page(ledger=ledger, stored=ledger, revision=document["revision"], batches=document["batches"])
        self._remember(key, page)
        return replace(page, is_fresh=True)

    def _remember(self, key: LedgerKey, page: _Page) -> None:
        with self._lock:
            self._known[key] = page
            self._known.move_to_end(key)
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)


def _tell(entries: Sequence[LedgerEntry], results: Sequence[Any]) -> None:
    for entry, result in zip(entries, results, strict=True):
        if isinstance(result, NoRoom):
            entry.done.set_exception(result)
        else:
            entry.done.set_result(result)


def _place(views: DocumentViews, key: LedgerKey) -> tuple[Any, str]:
    return (views.for_student(key.owner), SHARES) if key.owner else (views.shared, TOTALS)
