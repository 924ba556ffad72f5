"""Rights at this moment: which of some materials a student may still read, asked with few requests.

Canvas says of a file, page or text itself whether a module keeps it locked, but what a locked module shows is held back
whatever its own row says; links have nothing but their module.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from services.errors import ItemNotFound, PermissionMissing, RequestRefused
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.materials.listings import is_open_link, module_items
from services.integrations.canvas.materials.locks import is_published, is_said, module_lock_reason
from services.integrations.canvas.materials.rows import CourseRows, MaterialId, parse_material_id
from services.integrations.canvas.payloads import Json, Row, safe_line
from services.materials.material import Material

_FEW = 4
"""So many things are asked for one by one; for more the list is asked, which tells a hundred in a request."""
_MOST_NUMBERS = 40
"""Numbers in one request for certain assignments."""
_TOPICS = ("discussion", "announcement")
Read = Callable[[], Sequence[Json]]
Question = Callable[[], None]


@dataclass
class _Course:
    """What Canvas says of a course now. told: by kind the numbers that it named; open: those that may be read.

    modules: names by material id; locked: names of modules that are closed.
    """

    rows: CourseRows
    ids: dict[str, MaterialId] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    open: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    told: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def numbers(self, *kinds: str) -> list[str]:
        return list(dict.fromkeys(id.number for id in self.ids.values() if id.kind in kinds))

    def add(self, material: Material, id: MaterialId) -> None:
        """Add a material; a link in a text is as readable as that text."""
        self.ids[material.id] = parse_material_id(id.text_id) if id.text_id else id
        if material.module:
            self.modules[material.id] = material.module

    def is_readable(self, key: str) -> bool:
        id = self.ids[key]
        return (
            self.modules.get(key) not in self.locked
            and id.number in self.open["topic" if id.kind in _TOPICS else id.kind]
        )


def readable_ids(client: MaterialsClient, materials: Collection[Material], now: datetime) -> frozenset[str]:
    """Ids of the materials that the student may read; raises `ServiceUnavailable` where Canvas cannot tell."""
    courses: dict[int, _Course] = {}
    for material in materials:
        try:
            id = parse_material_id(material.id)
        except ItemNotFound:
            continue
        course = courses.setdefault(id.course_id, _Course(rows=CourseRows(id.course_id, client.origin, now)))
        course.add(material, id)
    for round in (_first_questions, _further_questions):
        client.map_each([question for course in courses.values() for question in round(client, course)], _ask)
    return frozenset(key for course in courses.values() for key in course.ids if course.is_readable(key))


def _ask(question: Question) -> None:
    """Ask; what is refused is not readable, and so is not told."""
    try:
        question()
    except (PermissionMissing, ItemNotFound, RequestRefused):
        return


def _first_questions(client: MaterialsClient, course: _Course) -> Iterable[Question]:
    """The lists of what is many, and what only lists tell."""
    id, rows = course.rows.course_id, course.rows
    tell = partial(partial, _tell, course)
    topics = course.numbers(*_TOPICS)
    if len(course.numbers("file")) > _FEW:
        yield tell("file", rows.file, partial(client.files, id))
    if len(course.numbers("page")) > _FEW:
        yield tell("page", rows.page, partial(client.page_rows, id))
    if len(topics) > _FEW:
        yield tell("topic", rows.topic, partial(client.topics, id))
        yield tell("topic", rows.topic, partial(client.topics, id, are_announcements=True))
    assignments = [int(number) for number in course.numbers("assignment") if number.isdecimal()]
    for start in range(0, len(assignments), _MOST_NUMBERS):
        some = assignments[start : start + _MOST_NUMBERS]
        yield tell("assignment", rows.assignment, partial(client.assignment_texts, id, some))
    if course.numbers("syllabus"):
        yield tell("syllabus", partial(rows.syllabus, title=""), partial(_single, client.course_text, id))
    if course.modules:
        yield partial(_tell_modules, course, partial(client.module_states, id))
    if course.numbers("link"):
        yield partial(_tell_links, course, partial(client.course_modules, id))


def _further_questions(client: MaterialsClient, course: _Course) -> Iterable[Question]:
    """Single things of which no list told."""
    id, rows = course.rows.course_id, course.rows
    tell = partial(partial, _tell, course)
    for number in _untold(course, "file", course.numbers("file")):
        yield tell("file", rows.file, partial(_single, client.file, id, int(number)))
    for number in _untold(course, "page", course.numbers("page")):
        yield tell("page", rows.page, partial(_single, client.page, id, f"page_id:{number}"))
    for number in _untold(course, "topic", course.numbers(*_TOPICS)):
        yield tell("topic", rows.topic, partial(_single, client.topic, id, int(number)))


def _single(read: Callable[..., Json], *arguments: int | str) -> list[Json]:
    return [read(*arguments)]


def _untold(course: _Course, kind: str, numbers: Sequence[str]) -> list[str]:
    return [number for number in numbers if number.isdecimal() and number not in course.told[kind]]


def _tell(course: _Course, kind: str, parse: Callable[[Row], Material | None], read: Read) -> None:
    for row in read():
        try:
            material = parse(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        number = parse_material_id(material.id).number if material else str(row.get("id"))
        course.told[kind].add(number)
        is_open = material is not None and not material.locked and is_published(row)
        if is_open and not is_said(row.get("hide_from_students")):
            course.open[kind].add(number)


def _tell_modules(course: _Course, read: Read) -> None:
    """Tell which modules are closed, by name as a listing has it; of several by one name, one that is open counts."""
    reasons: dict[str, list[str]] = {}
    for module in read():
        if is_published(module):
            reasons.setdefault(safe_line(module.get("name")), []).append(module_lock_reason(module, course.rows.now))
    course.locked = {name for name, why in reasons.items() if all(why)}


def _tell_links(course: _Course, read: Read) -> None:
    items = module_items(read(), course.rows.now)
    course.open["link"] |= {str(item.row.get("id")) for item in items if is_open_link(item)}
