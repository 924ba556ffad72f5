"""A class on one Homeroom: 200 students read five courses ahead, then each asks; time, memory and store, beside the
first student's own.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.load.process import resident_mib
from bench.materials.ingestion import sign_in, start_services
from bench.materials.sample_library import sample_question, sample_texts
from services.identity.students import Student
from services.materials.ingestion import reading_job
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.source import MaterialContent, MaterialListing
from services.wiring.container import ServiceContainer

TITLE = "Course materials: a class of 200 students with five courses each"
HEAD = ("what", "students", "materials each", "time each", "to the first", "memory of the app, more", "stored, each")
STUDENTS, COURSES, FILES = 200, 5, 6
QUESTIONS = 3
AT_ONCE = 8


class _SharedCourses:
    """Source of the same five courses for everybody, in memory, so that what is measured is ours."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[Material, bytes]] = {}
        for number, (sample, text) in enumerate(sample_texts(20 * COURSES * FILES)):
            key = f"campus-{number % COURSES}"
            content = "\n\n".join(f"# Part {page.number}\n\n{page.text}" for page in text.pages).encode()
            material = Material(
                id=f"{key}.{number}", course_key=key, kind=MaterialKind.FILE, title=sample.title,
                name=f"{number}.md", version="1", position=number, size=len(content),
            )  # fmt: skip
            self._files[material.id] = material, content

    def courses(self) -> list[MaterialCourse]:
        return [MaterialCourse(key=f"campus-{number}", name=f"Course {number}") for number in range(COURSES)]

    def listing(self, course_key: str) -> MaterialListing:
        return MaterialListing(materials=[m for m, _ in self._files.values() if m.course_key == course_key])

    def readable(self, materials: Collection[Material]) -> frozenset[str]:
        return frozenset(material.id for material in materials)

    def content(self, material: Material) -> MaterialContent:
        return MaterialContent(name=material.name, content=self._files[material.id][1])


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    services = start_services(data_dir, _SharedCourses())
    students = [sign_in(services, f"student-{number}") for number in range(STUDENTS)]
    rows = []
    for begin, go_on, act in (
        ("reads ahead, the first", "read ahead, the others", _read),
        ("asks, the first", f"ask, {AT_ONCE} at once", _ask),
    ):
        first_s, cells = _measured(services, begin, students[:1], act)
        _, others = _measured(services, go_on, students[1:], act, first_s)
        rows += [cells, others]
    _, again = _measured(services, f"ask again, {AT_ONCE} at once", students, _ask, first_s)
    return [*rows, again]


def _measured(
    services: ServiceContainer,
    what: str,
    students: Sequence[Student],
    act: Callable[[ServiceContainer, Sequence[Student]], None],
    first_s: float | None = None,
) -> tuple[float, tuple[str, ...]]:
    """Seconds for each student, and the row. first_s: those of the first one."""
    memory, began = resident_mib(os.getpid()), time.perf_counter()
    act(services, students)
    each_s = (time.perf_counter() - began) / len(students)
    statuses = [s for student in students[:1] for s in services.materials.courses(student, live=False).courses]
    return each_s, (
        what,
        f"{len(students):,}",
        f"{sum(status.read for status in statuses):,}",
        f"{each_s:.2f} s",
        f"{each_s / first_s:.2f}" if first_s else "",
        f"{resident_mib(os.getpid()) - memory:,.0f} MB",
        f"{sum(status.stored_bytes for status in statuses) / 1000:,.0f} kB",
    )


def _read(services: ServiceContainer, students: Sequence[Student]) -> None:
    """Switch every course on, and read as the job's threads of one process do."""
    for student in students:
        for number in range(COURSES):
            services.materials.read_ahead(student, f"campus-{number}")
    threads = [threading.Thread(target=_work, args=(services,)) for _ in range(reading_job.THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _work(services: ServiceContainer) -> None:
    while services.material_reading.run_once():
        pass


def _ask(services: ServiceContainer, students: Sequence[Student]) -> None:
    chance = random.Random(200)
    asked = [(student, sample_question(chance)) for student in students for _ in range(QUESTIONS)]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(lambda pair: services.materials.search(*pair, limit=8), asked))
