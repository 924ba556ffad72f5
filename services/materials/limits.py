"""Limits of the library: for each student and for all of this Homeroom, told before they are reached."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.errors import BadArguments
from services.files.documents.document import LARGEST_DOCUMENT
from services.files.limits import MEGABYTE
from services.files.upload import format_size
from services.i18n import gettext
from services.materials.material import MaterialKind
from services.materials.results import LibraryUsage, ListedMaterial, ReadAheadEstimate
from services.materials.store.repository import COURSES, MaterialRepository

MOST_TEXT = 60 * MEGABYTE
"""Bytes of one student's texts as stored, some 25,000 pages."""
MOST_UPLOADS = 200 * MEGABYTE
"""Bytes of one student's uploads."""
MOST_MATERIALS = 2_000
"""Materials that are read of one course."""
MOST_OWN_COURSES = 30
MOST_OWN_FILES = 300
"""Uploads of one course."""
TELL_FROM = 0.8
"""Part of a limit from which the student is told."""
_COUNT_EVERY_S = 300.0
_STORED_OF_MATERIAL = 40_000
"""Bytes that a material takes as stored, on average."""


class LibraryFull(BadArguments):
    """Nothing more can be stored until something is removed."""


@dataclass(frozen=True, kw_only=True)
class LibraryLimits:
    """Bytes: in_all of everybody's together, as the operator sets it; text and uploads of each student."""

    in_all: int
    text: int = MOST_TEXT
    uploads: int = MOST_UPLOADS


class LibraryMeter:
    """What libraries take, against their limits. What all take together is counted once in some minutes."""

    def __init__(
        self,
        repository: MaterialRepository,
        limits: LibraryLimits,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._repository, self.limits, self._monotonic = repository, limits, monotonic
        self._lock = threading.Lock()
        self._counted_at = float("-inf")
        self._in_all = 0.0

    def usage(self, student_id: str) -> LibraryUsage:
        records = self._repository.own_courses(student_id).values()
        text = sum(record.text_bytes for record in records)
        uploads = sum(record.upload_bytes for record in records)
        return LibraryUsage(
            text_bytes=text,
            text_limit=self.limits.text,
            upload_bytes=uploads,
            upload_limit=self.limits.uploads,
            warning=self._warning(text, uploads),
        )

    def require_room(self, student_id: str, *, text: int = 0, upload: int = 0) -> None:
        """Raise `LibraryFull` unless so many bytes more fit."""
        usage = self.usage(student_id)
        if usage.text_bytes + text > self.limits.text:
            raise LibraryFull(
                gettext("Your library is full: {most} of text are the most.", most=format_size(self.limits.text)),
                next_step=_remove_something(),
            )
        if upload and usage.upload_bytes + upload > self.limits.uploads:
            raise LibraryFull(
                gettext(
                    "Your files would come to {size}; {most} are the most.",
                    size=format_size(usage.upload_bytes + upload),
                    most=format_size(self.limits.uploads),
                ),
                next_step=gettext("Remove files that you do not need any more."),
            )
        if self._is_full_in_all(text + upload):
            raise LibraryFull(
                gettext("This Homeroom has no room for more materials at the moment."),
                next_step=gettext("What is read stays. Whoever runs Homeroom can make room."),
            )

    def add(self, stored_bytes: int) -> None:
        """Count what was stored since all were counted."""
        with self._lock:
            self._in_all += stored_bytes

    def _is_full_in_all(self, more: int) -> bool:
        with self._lock:
            is_due = self._monotonic() - self._counted_at >= _COUNT_EVERY_S
            if is_due:
                self._counted_at = self._monotonic()
        if is_due:
            total = self._repository.store.total(COURSES, ("text_bytes", "upload_bytes"))
            with self._lock:
                self._in_all = total
        return self._in_all + more > self.limits.in_all

    def _warning(self, text: int, uploads: int) -> str:
        if text >= TELL_FROM * self.limits.text:
            return gettext(
                "Your library takes {size} of the {most} that it may have. Remove courses that are over.",
                size=format_size(text),
                most=format_size(self.limits.text),
            )
        if uploads >= TELL_FROM * self.limits.uploads:
            return gettext(
                "Your files take {size} of the {most} that they may have.",
                size=format_size(uploads),
                most=format_size(self.limits.uploads),
            )
        return ""


def estimate_read_ahead(listed: Sequence[ListedMaterial], usage: LibraryUsage) -> ReadAheadEstimate:
    """Tell what reading a course ahead takes. listed: its materials, as they were listed last."""
    told = [item for item in listed if item.material.kind is not MaterialKind.UPLOAD]
    open_to_student = [item for item in told if not item.material.locked]
    # A recording of an hour is refused by its size and never fetched.
    unread = [
        item.material
        for item in open_to_student
        if not (item.is_read or item.refusal) and item.material.size <= LARGEST_DOCUMENT
    ]
    needed = usage.text_bytes + len(unread) * _STORED_OF_MATERIAL
    fits = needed <= usage.text_limit and len(unread) <= MOST_MATERIALS
    return ReadAheadEstimate(
        materials=len(open_to_student),
        unread=len(unread),
        unread_bytes=sum(material.size for material in unread),
        warning=usage.warning if fits else _does_not_fit(usage),
        fits=fits,
    )


def _does_not_fit(usage: LibraryUsage) -> str:
    return gettext(
        "This may not fit: your library takes {size} of the {most} that it may have. What fits is read.",
        size=format_size(usage.text_bytes),
        most=format_size(usage.text_limit),
    )


def _remove_something() -> str:
    return gettext("Remove a course that you do not need any more under Materials, then go on.")
