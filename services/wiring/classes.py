"""Classes: their parts, made once and shared."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from services.assistants.assistant import Assistant
from services.assistants.publish_check import Lack, ToolNames, check_words
from services.classes.assistants.class_assistants import ClassAssistants
from services.classes.assistants.unsaved_drafts import UnsavedDrafts
from services.classes.budgets.budget_control import BudgetControl
from services.classes.class_materials import ClassMaterials
from services.classes.class_repository import ClassRepository, library_owner
from services.classes.class_services import ClassServices
from services.classes.classes import Classes
from services.classes.demo_class import DemoClass
from services.classes.figures.class_figures import ClassFigures
from services.classes.figures.disclosure import LEAST_GROUP
from services.classes.figures.figure_counters import FigureCounters
from services.classes.memberships import Memberships
from services.classes.roster import Roster
from services.identity.roles import Roles
from services.materials.library import MaterialLibrary
from services.materials.store.class_libraries import ClassLibraries, is_of_class
from services.materials.store.records import SHELF, MaterialRecord
from services.materials.store.repository import MATERIALS, MaterialRepository
from services.runtime.clock import Clock
from services.settings import Settings
from services.storage.store import Store
from services.tools.tool import ExclusionKind, heading
from services.wiring.lti import lti_tool_of
from services.wiring.repositories import Repositories
from services.wiring.tools import Tools

_LACKS: Mapping[ExclusionKind, Lack] = {
    ExclusionKind.SWITCHED_OFF: "switched_off",
    ExclusionKind.CATEGORY_OFF: "category_off",
    ExclusionKind.NOT_SET_UP: "not_set_up",
    ExclusionKind.PACKAGE_MISSING: "not_set_up",
    ExclusionKind.UNUSABLE: "not_set_up",
}


def classroom_of(
    settings: Settings, repositories: Repositories, tools: Tools, library: MaterialLibrary, clock: Clock
) -> ClassServices:
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
        is_frozen=partial(_is_frozen, stored),
    )
    materials = ClassMaterials(classes, stored, library, MaterialRepository(repositories.store, clock))
    assistants = class_assistants_of(repositories.store, classes, tools, settings, clock)
    return ClassServices(
        roles=roles,
        classes=classes,
        memberships=memberships,
        roster=roster,
        materials=materials,
        demo=DemoClass(settings, classes),
        assistants=assistants,
        unsaved_drafts=UnsavedDrafts(repositories.store, assistants, clock),
        budget_control=BudgetControl(repositories.budgets, classes, roles),
        figures=figures,
        figure_counters=counters,
        lti=lti_tool_of(settings, repositories, stored, classes, memberships, roster, roles, clock),
    )


def _is_counted(stored: ClassRepository, student_id: str, class_id: str) -> bool:
    """Whether somebody's use counts in the figures of a class: an instructor knows what they asked themselves, and a
    guest is none of its students.
    """
    member = stored.member(class_id, student_id)
    return member is not None and member.is_student


def _is_frozen(stored: ClassRepository, class_id: str) -> bool:
    school_class = stored.get(class_id)
    return school_class is not None and school_class.frozen_at is not None


def _is_shared(record: MaterialRecord) -> bool:
    """Whether a course has given a material to its students, whose own uploads no class learns of."""
    return record.source != SHELF or is_of_class(record.material.course_key)


def _shared_title(materials: MaterialRepository, class_id: str, material_id: str, students: Sequence[str]) -> str:
    """Title of a class's own material, or as at least five of these students have it from their course; else ""."""
    owner = library_owner(class_id)
    records: dict[str, MaterialRecord | None] = {}

    def read(student_id: str) -> None:
        records[student_id] = materials.material(student_id, material_id)

    for student_id in (owner, *students):
        materials.store.guard.run("close_figures", MATERIALS, f"{student_id}/{material_id}", partial(read, student_id))
    if own := records.pop(owner, None):
        return own.material.title
    titles = Counter(record.material.title for record in records.values() if record is not None and _is_shared(record))
    title, shared = titles.most_common(1)[0] if titles else ("", 0)
    return title if shared >= LEAST_GROUP else ""


def class_assistants_of(
    store: Store, classes: Classes, tools: Tools, settings: Settings, clock: Clock
) -> ClassAssistants:
    """Make the repository."""
    return ClassAssistants(
        store, classes, clock, check=lambda assistant: check_words(assistant, tool_names(assistant, tools, settings))
    )


def tool_names(assistant: Assistant, tools: Tools, settings: Settings) -> ToolNames:
    """The tools that an assistant has here, whatever a student has connected."""
    # A version of its own: what is resolved is kept by it, and a draft has none.
    drafted = replace(assistant, version=f"check.{secrets.token_hex(8)}")
    excluded = tools.toolboxes.resolution({}, drafted).excluded
    found = tools.root.tools()
    return ToolNames(
        known=frozenset(tool.name for tool in found),
        lacking={name: _LACKS[reason.kind] for name, reason in excluded.items() if reason.kind in _LACKS},
        categories={tool.name: heading(tool.category) for tool in found},
        servers=frozenset(settings.mcp_servers),
    )
