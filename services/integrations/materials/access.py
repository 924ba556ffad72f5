"""Shared parts of the material tools: the decorator, and the courses and materials that a student's words mean."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Annotated, TypeVar
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired, ServiceUnavailable
from services.i18n.english import clock, sentence
from services.integrations.kit.course_names import matching_courses, the_course
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import near_matches
from services.integrations.materials.material_names import Pair, matching_materials, material_names, posted_at
from services.materials.material import Material, MaterialKind
from services.materials.results import CourseList, CourseMaterials, CourseStatus, ListedMaterial, MaterialHit
from services.materials.source import MATERIALS
from services.materials.store.class_libraries import CLASS
from services.runtime.thread_pools import map_in_parallel
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool

material_tool = partial(tool, category="courses", contexts=("courses",), capabilities=(MATERIALS,))

CourseFilter = Annotated[
    str | None, Field(max_length=200, description='In the student\'s words, like "bio", or its name, code or key.')
]
PostedDay = Annotated[
    date | None,
    Field(description='The day it was posted or taught, for "Tuesday\'s lecture".'),
]
Item = TypeVar("Item", ListedMaterial, MaterialHit)
_COURSES_AT_ONCE = 4
TALKED_OF = (MaterialKind.ASSIGNMENT, MaterialKind.ANNOUNCEMENT, MaterialKind.DISCUSSION)
"""Kinds with tools of their own: they count as material only where nothing else fits, or when they are asked for."""
_OF_TEACHERS = (MaterialKind.ASSIGNMENT, MaterialKind.ANNOUNCEMENT, MaterialKind.SYLLABUS)
_NAMED_BY = {**dict.fromkeys(_OF_TEACHERS, Provenance.SCHOOL), MaterialKind.UPLOAD: Provenance.STUDENT}
"""Who wrote a title; others may have, where classmates may edit pages or a file keeps the name that it came with."""


@dataclass(frozen=True, kw_only=True)
class KnownMaterials:
    """Materials of the courses that are meant. notes: what is missing, for the student."""

    listings: Sequence[CourseMaterials] = field(repr=False)
    notes: Sequence[str] = field(default=(), repr=False)

    @property
    def materials(self) -> list[tuple[ListedMaterial, CourseStatus]]:
        return [(listed, listing.status) for listing in self.listings for listed in listing.materials]


def find_courses(context: ToolExecutionContext, wanted: str | None) -> tuple[list[CourseStatus], CourseList]:
    """Find the named course, or all; raises `BadArguments` with the choices."""
    known = context.container.materials.courses(context.student)
    sources = usable_sources(context)
    usable = [status for status in known.courses if status.uploads or _source(status.course.key) in sources | {CLASS}]
    courses = [_declared_course(status) for status in usable]
    if not wanted:
        return courses, known
    keys = {wanted.strip(), f"canvas-{wanted.strip()}"}
    found = [status for status in courses if status.course.key in keys] or matching_courses(courses, wanted, _names)
    return [the_course(found or courses, wanted, _course_choice, fits=bool(found))], known


def list_materials(
    context: ToolExecutionContext, courses: Sequence[CourseStatus], *, live: bool = True
) -> KnownMaterials:
    """List the materials of courses side by side. What one course refuses is a note, unless it is the only one."""
    library, notes = context.container.materials, list[str]()

    def listing(status: CourseStatus) -> CourseMaterials | None:
        try:
            return library.materials(context.student, status.course.key, live=live)
        except (ItemNotFound, PermissionMissing, ReconnectRequired, ServiceUnavailable) as error:
            if len(courses) == 1:
                raise
            notes.append(f"{status.course.name}: {error}")
            return None

    found = [listed for listed in map_in_parallel(_COURSES_AT_ONCE, listing, courses) if listed is not None]
    found = [replace(course, materials=usable_materials(context, course.materials)) for course in found]
    return KnownMaterials(listings=found, notes=[*notes, *(note for course in found for note in course.notes)])


def usable_sources(context: ToolExecutionContext) -> frozenset[str]:
    """Connected services with materials that this call may use: a student may have paused one for answers, and an
    assistant may leave one out. They are noted as used.
    """
    assistant, offered = context.chosen, context.container.integrations
    usable = [
        id
        for id, connection in context.connections.items()
        if id in offered and MATERIALS in offered[id].capabilities and connection.health.offers_tools
        if assistant is None or assistant.allows_integration(id, offered[id].category)
    ]
    context.used_integrations.extend(id for id in usable if id not in context.used_integrations)
    return frozenset(usable)


def usable_materials(context: ToolExecutionContext, listed: Sequence[Item]) -> list[Item]:
    """Those of usable sources, the student's uploads, and what their classes have."""
    sources = usable_sources(context) | {CLASS}
    return [
        item
        for item in listed
        if item.material.kind is MaterialKind.UPLOAD or _source(item.material.course_key) in sources
    ]


def _source(course_key: str) -> str:
    return course_key.partition("-")[0]


def declare_material(material: Material) -> Material:
    """Record who may have written what a result tells of a material: its names, and the address of a link."""
    writer = _NAMED_BY.get(material.kind, Provenance.OTHERS)
    declared([material.title, material.name, material.module], writer)
    declared(material.url, writer if material.kind is MaterialKind.LINK else Provenance.SERVICE)
    declared(material.id, Provenance.SERVICE)
    return material


def text_writer(material: Material) -> Provenance:
    """Who may have written the text of a material. A file may come from anywhere, whoever has posted it."""
    if material.kind is MaterialKind.DISCUSSION:
        return Provenance.OTHERS
    return Provenance.SCHOOL if material.kind in _OF_TEACHERS else Provenance.STRANGERS


def find_material(
    context: ToolExecutionContext,
    wanted: str,
    *,
    course: str | None,
    module: str | None = None,
    posted_on: date | None = None,
    newest: bool = False,
) -> tuple[ListedMaterial, CourseStatus, list[str]]:
    """Find the material that is meant, with its course and notes; raises `BadArguments` with the choices."""
    courses, known = find_courses(context, course)
    # What was posted today is in no earlier listing.
    is_recent = newest or posted_on is not None
    notes = list(known.notes)
    for live in (True,) if is_recent else (False, True):
        there = list_materials(context, courses, live=live)
        taught = [pair for pair in there.materials if pair[0].material.kind not in TALKED_OF]
        found, remarks = matching_materials(taught, wanted, module, posted_on, context.timezone)
        if not found:
            found, remarks = matching_materials(there.materials, wanted, module, posted_on, context.timezone)
        # Words that fit several alike mean one that can be read.
        found = [pair for pair in found if not pair[0].material.locked] or found
        if newest and len(found) > 1:
            found = [max(found, key=lambda pair: (posted_at(pair) is not None, posted_at(pair)))]
        if len(found) == 1:
            return (*found[0], [*notes, *there.notes, *remarks])
    if found:
        raise several_fit("material", wanted, [_choice(pair, context.timezone) for pair in found])
    near = near_matches(there.materials, wanted, material_names)
    if len(near) == 1:
        remark = f"None is called “{one_line(wanted, 100)}”; this is the closest."
        return (*near[0], [*notes, *there.notes, remark])
    raise none_fits(
        "material",
        wanted,
        [_choice(pair, context.timezone) for pair in there.materials],
        near=[_choice(pair, context.timezone) for pair in near],
        note=" ".join(notes),
    )


def _names(status: CourseStatus) -> tuple[str, str]:
    return status.course.name, status.course.code


def _course_choice(status: CourseStatus) -> NameChoice:
    course = status.course
    return NameChoice(name=course.name, place="" if course.code in course.name else course.code, id=course.key)


def _choice(pair: Pair, zone: ZoneInfo) -> NameChoice:
    material, course = declare_material(pair[0].material), pair[1].course
    at = material.dated_at.astimezone(zone).date() if material.dated_at else None
    return NameChoice(name=material.title, id=material.id, place=course.name, at=at)


def _declared_course(status: CourseStatus) -> CourseStatus:
    declared([status.course.name, status.course.code], Provenance.SCHOOL)
    declared([status.course.key, status.course.url], Provenance.SERVICE)
    return status


def heading(text: str, context: ToolExecutionContext, as_of: datetime, *, is_live: bool) -> str:
    """First line of an output: what it is, and as of when."""
    at = as_of.astimezone(context.timezone)
    when = clock(at) if at.date() == context.now().date() else f"{at:%a} {at.day} {at:%b}, {clock(at)}"
    known = f"as of {when}" if is_live else f"as last known {when}, not checked now"
    return sentence(f"{one_line(text, 300)} (course materials, {known}).")
