"""Reading a course in, from its files' bytes to the store: pages in a second, what a page takes, and a first answer."""

import resource
import time
from collections.abc import Collection
from pathlib import Path

from bench.materials.campus_library import CLOSED, UNREAD
from sandbox.canvas.documents.html_text import page_file
from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import Source, all_sources
from services import bootstrap, settings
from services.connections.connector import Account, Grant
from services.identity.students import Student
from services.integrations.base import Integration
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.source import MaterialContent, MaterialListing, MaterialSource
from services.wiring.container import ServiceContainer

TITLE = "Course materials: reading in"
HEAD = ("what", "files", "pages", "time", "pages a second", "CPU of the app, each page", "stored, each page")
_ORIGIN = "https://campus.example"
_KEY = "campus-all"
_ENDINGS = {"gslides": "pptx", "gdoc": "html", "page": "html"}


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    """Read the materials of the campus in as one course: ahead, then in another student's library for a question."""
    files = _files()
    services = start_services(data_dir, _CampusSource(files))
    rows = [_read_ahead(services, "read ahead", "ada"), _read_ahead(services, "the same files, a classmate", "ben")]
    return [*rows, _first_answer(start_services(data_dir / "cold", _CampusSource(files)))]


class _CampusSource:
    """Source of files in memory, so that what is measured is ours."""

    def __init__(self, files: dict[str, MaterialContent]) -> None:
        self._files = files

    def courses(self) -> list[MaterialCourse]:
        return [MaterialCourse(key=_KEY, name="Campus")]

    def listing(self, course_key: str) -> MaterialListing:
        return MaterialListing(
            materials=[
                Material(
                    id=id, course_key=course_key, kind=MaterialKind.FILE, title=id, name=file.name, version="1",
                    position=at, size=len(file.content),
                )
                for at, (id, file) in enumerate(self._files.items())
            ]
        )  # fmt: skip

    def readable(self, materials: Collection[Material]) -> frozenset[str]:
        return frozenset(material.id for material in materials)

    def content(self, material: Material) -> MaterialContent:
        return self._files[material.id]


def _files() -> dict[str, MaterialContent]:
    """Every file that a student of the campus may read, rendered once."""
    sources = [s for s in all_sources() if s.kind not in UNREAD and not any(s.head.get(fact) for fact in CLOSED)]
    return {f"{_KEY}.{at}": _content(source) for at, source in enumerate(sources)}


def _content(source: Source) -> MaterialContent:
    name = str(source.head.get("file", f"{source.slug}.{_ENDINGS.get(source.kind, 'html')}"))
    return MaterialContent(name=name, content=page_file(source) if source.kind == "page" else rendered(source))


def start_services(data_dir: Path, source: MaterialSource) -> ServiceContainer:
    campus = Integration(
        id="campus", label="Campus", icon="", category="courses", summary="", reads=(), writes=(), consent="",
        origins=(_ORIGIN,), oauth=None, identify=lambda _: Account(id="1", name="Ada"), client=lambda grant: grant,
        tools=(), begins=lambda: Grant(origin=_ORIGIN, access_token="none"), materials=lambda _: source,
    )  # fmt: skip
    read = settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(data_dir)})
    return bootstrap.build(read, integrations={"campus": campus})


def sign_in(services: ServiceContainer, name: str) -> Student:
    student = services.students.sign_in(issuer=_ORIGIN, subject=name, name=name, email="", timezone="UTC")
    services.connections.connect_without_account(student.id, "campus")
    services.materials.courses(student)
    return student


def _read_ahead(services: ServiceContainer, what: str, name: str) -> tuple[str, ...]:
    student = sign_in(services, name)
    began, cpu = time.perf_counter(), _cpu_s()
    services.materials.read_ahead(student, _KEY)
    while services.material_reading.run_once():
        pass
    return _row(services, student, what, time.perf_counter() - began, _cpu_s() - cpu)


def _first_answer(services: ServiceContainer) -> tuple[str, ...]:
    student = sign_in(services, "cleo")
    began, cpu = time.perf_counter(), _cpu_s()
    services.materials.search(student, "what is osmosis?", course_keys=[_KEY])
    return _row(services, student, "a question first", time.perf_counter() - began, _cpu_s() - cpu)


def _row(services: ServiceContainer, student: Student, what: str, took_s: float, cpu_s: float) -> tuple[str, ...]:
    (course,) = services.materials.courses(student, live=False).courses
    pages = max(1, course.pages)
    return (
        what,
        f"{course.read} of {course.materials}",
        f"{course.pages:,}",
        f"{took_s:.1f} s",
        f"{course.pages / took_s:,.0f}",
        f"{1000 * cpu_s / pages:.1f} ms",
        f"{course.stored_bytes / pages:,.0f} bytes",
    )


def _cpu_s() -> float:
    """CPU time of this process alone: reader processes are counted when they end."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
