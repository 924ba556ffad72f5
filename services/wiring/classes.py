"""Classes: their parts, made once and shared."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from services.classes.budgets.budget_control import BudgetControl
from services.classes.class_materials import ClassMaterials
from services.classes.class_repository import ClassRepository
from services.classes.classes import Classes
from services.classes.classroom import Classroom
from services.classes.demo_class import DemoClass
from services.classes.figures.class_figures import ClassFigures
from services.classes.figures.disclosure import LEAST_GROUP
from services.classes.figures.figure_counters import FigureCounters
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.classes.school_class import ClassRole
from services.identity.roles import Roles
from services.materials.library import MaterialLibrary
from services.materials.store.class_libraries import ClassLibraries, is_of_class
from services.materials.store.records import SHELF, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.settings import Settings
from services.wiring.class_assistants import class_assistants_of
from services.wiring.lti import lti_tool_of
from services.wiring.repositories import Repositories
from services.wiring.tools import Tools


def classroom_of(
    settings: Settings, repositories: Repositories, tools: Tools, library: MaterialLibrary, clock: Clock
) -> Classroom:
    """Make the parts of classes."""
    roles = Roles(instructors=settings.instructors, operators=settings.operators)
    stored = ClassRepository(repositories.store, clock)
    classes = Classes(stored, repositories.students, roles)
    memberships = Memberships(stored, classes, repositories.students, repositories.rate_limiter)
    roster = Roster(repositories.store, stored, classes, memberships)
    counters = FigureCounters(repositories.store, clock, is_counted=partial(_is_counted, stored))
    figures = ClassFigures(
        repositories.store,
        clock,
        require_member=classes.require_member,
        is_counted=partial(_is_counted, stored),
        title_of=partial(_shared_title, ClassLibraries(repositories.store, clock, stored.open_libraries)),
    )
    materials = ClassMaterials(classes, stored, library, MaterialRepository(repositories.store, clock))
    return Classroom(
        roles=roles,
        classes=classes,
        memberships=memberships,
        roster=roster,
        materials=materials,
        demo=DemoClass(settings, classes),
        assistants=class_assistants_of(repositories.store, classes, tools, settings, clock),
        budget_control=BudgetControl(repositories.budgets, classes, roles),
        figures=figures,
        figure_counters=counters,
        lti=lti_tool_of(settings, repositories, stored, classes, memberships, roster, roles, clock),
    )


def _is_counted(stored: ClassRepository, student_id: str, class_id: str) -> bool:
    """Whether somebody's use counts in the figures of a class: an instructor knows what they asked themselves."""
    return stored.role_in(student_id, class_id) is ClassRole.MEMBER


def _is_shared(record: MaterialRecord) -> bool:
    """Whether a course has given a material to its students, whose own uploads no class learns of."""
    return record.source != SHELF or is_of_class(record.material.course_key)


def _shared_title(materials: MaterialRepository, material_id: str, students: Sequence[str]) -> str:
    """Title of a material as at least five of these students have it from their course; "" for any other."""
    found = (materials.material(student, material_id) for student in students)
    titles = Counter(record.material.title for record in found if record is not None and _is_shared(record))
    title, shared = titles.most_common(1)[0] if titles else ("", 0)
    return title if shared >= LEAST_GROUP else ""
