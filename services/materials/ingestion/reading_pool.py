"""`ReadingPool`: reads in what a question asks for, some materials side by side, as far as its time allows."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures import TimeoutError as WaitTimeout
from dataclasses import dataclass, field

from services.errors import ItemNotFound, PermissionMissing, ServiceUnavailable
from services.files.upload import FileRefused
from services.i18n import gettext
from services.materials.ingestion.ingester import Ingester
from services.materials.limits import LibraryFull
from services.materials.store.records import MaterialRecord
from services.runtime.deadline import Deadline
from services.runtime.thread_pools import DaemonPool

Progress = Callable[[str], None]
"""Told in a few words how far a reading is, in the student's language."""
THREADS = 8
"""Materials that are read at once for questions in this process."""
SIDE_BY_SIDE = 3
"""Of one question, so that it leaves room for others."""


@dataclass(kw_only=True)
class ReadingOutcome:
    """What became of a reading. read: how many. left: those that time did not allow. notes: why others were not."""

    read: int = 0
    left: list[MaterialRecord] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class ReadingPool:
    def __init__(self, reader: Ingester) -> None:
        self._reader = reader
        self._pool = DaemonPool("material-questions", THREADS)

    def read(self, student_id: str, record: MaterialRecord, within_s: float) -> None:
        """Read one material; raises what `Ingester.read` does, and `ServiceUnavailable` when it takes longer:
        it goes on behind then.
        """
        try:
            self._pool.submit_for(student_id, self._reader.read, student_id, record).result(timeout=within_s)
        except WaitTimeout:
            raise ServiceUnavailable(
                "Homeroom",
                gettext("This material is still being read."),
                next_step=gettext("Ask again in a moment."),
            ) from None

    def read_some(
        self, student_id: str, records: Sequence[MaterialRecord], within_s: float, progress: Progress
    ) -> ReadingOutcome:
        """Read materials in this order until the time is over; those that are under way then go on behind.

        Raises `ReconnectRequired` and `StorageError`; what keeps single ones from being read is noted.
        """
        outcome, deadline = ReadingOutcome(left=list(records)), Deadline(within_s)
        queue: Iterator[MaterialRecord] = iter(records)
        running: dict[Future[None], MaterialRecord] = {}
        stopped: set[str] = set()
        while True:
            while len(running) < SIDE_BY_SIDE and deadline.remaining_s() and (record := next(queue, None)):
                if record.source not in stopped:
                    running[self._pool.submit_for(student_id, self._reader.read, student_id, record)] = record
            if not running:
                return outcome
            done, _ = wait(running, timeout=deadline.remaining_s(), return_when=FIRST_COMPLETED)
            if not done:
                return outcome
            for future in done:
                self._note(outcome, running.pop(future), future.exception(), stopped)
                progress(gettext("{done} of {all} materials read", done=outcome.read, all=len(records)))

    def _note(
        self, outcome: ReadingOutcome, record: MaterialRecord, error: BaseException | None, stopped: set[str]
    ) -> None:
        """Count what a reading came to. A source that is away is not asked for others; a full library ends it all."""
        if isinstance(error, ServiceUnavailable | LibraryFull):
            stopped.update(
                {left.source for left in outcome.left} if isinstance(error, LibraryFull) else {record.source}
            )
            if str(error) not in outcome.notes:
                outcome.notes.append(str(error))
            return
        if error is not None and not isinstance(error, FileRefused | PermissionMissing | ItemNotFound):
            raise error
        outcome.left.remove(record)
        outcome.read += error is None
