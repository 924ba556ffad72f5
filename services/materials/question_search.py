"""`QuestionSearch`: lists and reads in what a question needs as far as its time allows, then searches."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from services.errors import ReconnectRequired, ServiceError
from services.i18n import gettext, ngettext
from services.i18n.search_tokens import search_tokens
from services.identity.students import Student
from services.materials.ingestion.reading_job import ReadingJob
from services.materials.ingestion.reading_pool import Progress, ReadingPool
from services.materials.library_search import LibrarySearch
from services.materials.listings import Listings, ListingSlow
from services.materials.material import MaterialKind
from services.materials.page_access import away_note
from services.materials.results import SearchResult
from services.materials.store.records import SHELF, CourseRecord, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.runtime.deadline import Deadline

LISTED_WITHIN = timedelta(minutes=10)
LIST_S = 8.0
"""Seconds that the sources have to list courses anew; it goes on behind then."""
LIST_SHARE = 2 / 3
"""Of a question's time, so that some is left to read in what was listed."""
MOST_AT_ONCE = 300
"""Materials that a question begins to read; the rest is read in the background."""


class QuestionSearch:
    def __init__(
        self,
        *,
        repository: MaterialRepository,
        listings: Listings,
        search: LibrarySearch,
        pool: ReadingPool,
        job: ReadingJob,
        clock: Clock,
    ) -> None:
        self._repository, self._listings, self._search = repository, listings, search
        self._pool, self._job, self._clock = pool, job, clock

    def search(
        self,
        student: Student,
        query: str,
        *,
        course_keys: Sequence[str] | None,
        limit: int,
        within_s: float,
        progress: Progress,
    ) -> SearchResult:
        """Search; as `MaterialLibrary.search` says."""
        deadline = Deadline(within_s)
        courses, notes = self._courses(student, course_keys)
        failed = self._list(student, courses, deadline)
        blocked = {c.course.key for c in courses if isinstance(failed.get(c.course.key), ReconnectRequired)}
        open_courses = [course for course in courses if course.course.key not in blocked]
        notes += [_failed_note(student, c, failed[c.course.key]) for c in courses if c.course.key in failed]
        keys = [course.course.key for course in open_courses]
        notes += self._read_in(student, query, open_courses, set(failed), deadline, progress)
        records = self._repository.materials(student.id, keys)
        everything = self._repository.materials(student.id, list(self._repository.courses(student.id)))
        try:
            found = self._search.find(student, query, everything, keys=keys, limit=limit)
        except ReconnectRequired as error:
            own = [record for record in everything if record.source == SHELF]
            found = self._search.find(student, query, own, keys=keys, limit=limit)
            records, notes = own, [*notes, f"{error} {error.next_step}"]
        is_live = not failed and not found.unknown
        unread = [record.material.course_key for record in records if record.is_wanted]
        slow = {key for key, error in failed.items() if isinstance(error, ListingSlow)}
        reading = self._read_on(student.id, open_courses, slow | (set(unread) - set(failed)))
        if unread:
            notes.append(_unread_note(len(unread), is_read_now=bool(reading)))
        listed = [course.listed_at for course in open_courses if course.listed_at and course.source != SHELF]
        return SearchResult(
            hits=found.hits,
            as_of=self._clock() if is_live else min(listed, default=self._clock()),
            is_live=is_live,
            searched=sum(bool(record.reading) for record in records),
            unread=len(unread),
            reading=reading,
            notes=list(dict.fromkeys([*notes, *found.trouble.values()] if is_live or not failed else notes)),
        )

    def _courses(self, student: Student, keys: Sequence[str] | None) -> tuple[list[CourseRecord], list[str]]:
        """The courses to search; those that are over only where they are named, or where something of them is read."""
        known, notes = self._listings.known(student.id), list[str]()
        if keys is not None:
            chosen = [known.get(key) or self._listings.course(student.id, key) for key in dict.fromkeys(keys)]
        else:
            if not any(course.source != SHELF for course in known.values()):
                listed = self._listings.courses(student.id)
                known, notes = listed.courses, list(listed.notes)
            chosen = [course for course in known.values() if course.is_current or course.read or course.uploads]
        for course in chosen:
            self._listings.touch(student.id, course)
        return chosen, notes

    def _list(self, student: Student, courses: Collection[CourseRecord], deadline: Deadline) -> dict[str, ServiceError]:
        old = [course for course in courses if not self._listings.is_fresh(course, LISTED_WITHIN)]
        return self._listings.refresh_all_within(student.id, old, min(LIST_S, LIST_SHARE * deadline.remaining_s()))

    def _read_in(
        self,
        student: Student,
        query: str,
        courses: Sequence[CourseRecord],
        failed: Collection[str],
        deadline: Deadline,
        progress: Progress,
    ) -> list[str]:
        """Read what the question is likeliest about, as far as its time allows."""
        able = [c for c in courses if not c.is_paused and c.course.key not in failed]
        records = self._repository.materials(student.id, [course.course.key for course in able])
        wanted = [record for record in records if record.is_wanted]
        if not wanted:
            return []
        progress(gettext("Reading the course's materials"))
        likely = by_likelihood(query, wanted)[:MOST_AT_ONCE]
        outcome = self._pool.read_some(student.id, likely, deadline.remaining_s(), progress)
        for key in {record.material.course_key for record in wanted}:
            self._repository.recount(student.id, key)
        return outcome.notes

    def _read_on(self, student_id: str, courses: Sequence[CourseRecord], unfinished: Collection[str]) -> list[str]:
        """Have the rest of these courses read behind; keys of those that are."""
        reading = []
        for course in courses:
            key = course.course.key
            current = self._repository.course(student_id, key)
            if key in unfinished and current is not None and not current.is_paused:
                reading.append(key)
                self._read_behind(student_id, current)
        return reading

    def _read_behind(self, student_id: str, course: CourseRecord) -> None:
        mode = "once" if course.mode == "off" else course.mode
        if course.due_at is None or course.mode == "off":
            self._repository.update_course(student_id, course.course.key, {"mode": mode, "due_at": self._clock()})
            self._job.wake()


def by_likelihood(query: str, records: Sequence[MaterialRecord]) -> list[MaterialRecord]:
    """Sort materials by how many of the question's words their titles have; then those that are quick to read."""
    asked = set(search_tokens(query))

    def rank(record: MaterialRecord) -> tuple[int, bool, int, int]:
        material = record.material
        named = asked & set(search_tokens(f"{material.title} {material.module} {material.name}"))
        is_file = material.kind in (MaterialKind.FILE, MaterialKind.LINK)
        return -len(named), is_file, material.size, material.position

    return sorted(records, key=rank)


def _failed_note(student: Student, course: CourseRecord, error: ServiceError) -> str:
    if isinstance(error, ListingSlow) and course.listed_at is None:
        return gettext(
            "The materials of {course} are still being listed. Ask again once that is done.", course=course.course.name
        )
    return away_note(student, course, str(error))


def _unread_note(unread: int, *, is_read_now: bool) -> str:
    if is_read_now:
        return ngettext(
            "{n} material is still being read: it is not in these results. Ask again once it is.",
            "{n} materials are still being read: they are not in these results. Ask again once they are.",
            unread,
        )
    return ngettext(
        "{n} material has not been read yet, so it is not in these results.",
        "{n} materials have not been read yet, so they are not in these results.",
        unread,
    )
