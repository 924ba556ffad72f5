"""A school as a source of materials, in memory, and a whole Homeroom whose students are connected to it."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

from services import bootstrap
from services.connections.connector import Grant
from services.errors import ItemNotFound, PermissionMissing, ServiceError
from services.identity.students import Student
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.source import MaterialContent, MaterialListing
from services.runtime.clock import Clock
from services.storage.documents import Documents
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel
from tests.fakes import FakeClock, FakeService
from tests.rooms import demo_settings

BIOLOGY, HISTORY = "school-bio", "school-his"
OSMOSIS = b"# Osmosis\n\nOsmosis is the movement of water through a membrane.\n\n# Diffusion\n\nDiffusion needs none.\n"
ROME = b"# Rome\n\nThe republic ended in 27 BC.\n"


class School:
    """Courses and their files.

    closed: (person, material id) pairs that a person may not read. hidden: what no list tells and can be read all the
    same. failure: raised by every call. fetched: ids of what was downloaded, in order; `on_fetch` is called for each
    before it is answered.
    """

    def __init__(self) -> None:
        self.courses = {BIOLOGY: "Biology 201", HISTORY: "History 110"}
        self.materials: dict[str, Material] = {}
        self.contents: dict[str, bytes] = {}
        self.closed: set[tuple[str, str]] = set()
        self.hidden: set[str] = set()
        self.notes: tuple[str, ...] = ()
        self.failure: ServiceError | None = None
        self.fetched: list[str] = []
        self.listings = 0
        self.on_fetch: Callable[[str], None] = lambda id: None
        self.put(BIOLOGY, "lecture-1", OSMOSIS, module="Week 1")
        self.put(HISTORY, "reader", ROME)

    def put(self, course: str, name: str, content: bytes, *, ending: str = "md", **told: str) -> Material:
        """Post a file, or replace it."""
        id = f"{course}.{name}"
        material = Material(
            id=id,
            course_key=course,
            kind=MaterialKind.FILE,
            title=name.replace("-", " ").capitalize(),
            name=f"{name}.{ending}",
            version=str(crc32(content)),
            size=len(content),
            position=list(self.materials).index(id) if id in self.materials else len(self.materials),
            dated_at=datetime(2026, 11, 16, 9, tzinfo=UTC),
            **told,
        )
        self.materials[id], self.contents[id] = material, content
        return material

    def lock(self, id: str, why: str = "Opens on Friday.") -> None:
        self.materials[id] = replace(self.materials[id], locked=why)


class SchoolSource:
    """The school as one person sees it."""

    def __init__(self, school: School, person: str) -> None:
        self._school, self._person = school, person

    def courses(self) -> list[MaterialCourse]:
        self._fail()
        return [MaterialCourse(key=key, name=name) for key, name in self._school.courses.items()]

    def listing(self, course_key: str) -> MaterialListing:
        self._fail()
        self._school.listings += 1
        if course_key not in self._school.courses:
            raise PermissionMissing("School", "You are not in this course any more.")
        own = [material for material in self._school.materials.values() if material.course_key == course_key]
        hidden = self._school.hidden | {id for person, id in self._school.closed if person == self._person}
        shown = [material for material in own if material.id not in hidden]
        return MaterialListing(materials=shown, notes=self._school.notes)

    def readable(self, materials: Collection[Material]) -> frozenset[str]:
        self._fail()
        return frozenset(material.id for material in materials if self._is_open(material.id))

    def content(self, material: Material) -> MaterialContent:
        self._fail()
        self._school.on_fetch(material.id)
        if material.id not in self._school.materials:
            raise ItemNotFound("School", "This is not there any more.")
        if not self._is_open(material.id):
            raise PermissionMissing("School", "This is closed to you.")
        self._school.fetched.append(material.id)
        return MaterialContent(name=material.name, content=self._school.contents[material.id])

    def _is_open(self, id: str) -> bool:
        known = self._school.materials.get(id)
        return known is not None and not known.locked and (self._person, id) not in self._school.closed

    def _fail(self) -> None:
        if self._school.failure is not None:
            raise self._school.failure


class LibraryRoom:
    """One replica over a school. Students sign in by their first names."""

    def __init__(
        self,
        engine: Documents,
        data_dir: Path,
        *,
        school: School | None = None,
        clock: Clock | None = None,
        settings: Mapping[str, str] | None = None,
    ):
        self.engine, self.data_dir, self.settings = engine, data_dir, settings or {}
        self.clock = clock or FakeClock()
        self.school = school or School()
        self.service = FakeService(clock=self.clock, label="School")
        self.services = self._build()
        self.library = self.services.materials
        self.maya = self.sign_in("maya")

    def _build(self) -> ServiceContainer:
        integration = self.service.integration("school", materials=self._source, category="courses")
        return bootstrap.build(
            demo_settings(self.data_dir, **self.settings),
            clock=self.clock,
            model=FakeModel(),
            engine=self.engine,
            integrations={"school": integration},
        )

    def _source(self, grant: Grant) -> SchoolSource:
        return SchoolSource(self.school, self.service.people[grant.access_token])

    def sign_in(self, name: str, *, connected: bool = True) -> Student:
        student = self.services.students.sign_in(
            issuer="https://id.example", subject=name, name=name.capitalize(), email="", timezone="America/Chicago"
        )
        if connected:
            self.connect(student)
        return student

    def connect(self, student: Student, *, as_whom: str = "") -> None:
        connections = self.services.connections
        agreed = connections.consents.terms("school")
        address = connections.begin_oauth(student.id, "school", agreed=agreed)
        state = parse_qs(urlsplit(address).query)["state"][0]
        connections.finish_oauth(student.id, state=state, code=as_whom or student.name)

    def read_ahead(self, course: str, student: Student | None = None) -> None:
        """Switch a course on and read it to its end, in this thread."""
        self.library.read_ahead(student or self.maya, course)
        self.work()

    def work(self) -> None:
        while self.services.material_reading.run_once():
            pass

    def stored(self, collection: str, student: Student | None = None) -> int:
        return self.services.store.for_student((student or self.maya).id).count(collection, {})


def eventually(happens: Callable[[], bool], within_s: float = 20.0) -> None:
    deadline = time.monotonic() + within_s
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)
