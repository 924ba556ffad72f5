"""List of a course's materials by module; of a long one, a module is drawn when it is opened."""

from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.materials.material import MaterialKind
from services.materials.results import CourseMaterials, ListedMaterial
from services.safety.text import literal, one_line
from ui import session
from ui.materials.material_lines import material_line

LONGEST_NAME = 100
MOST_OPEN = 60
"""Materials of modules up to which every module stands open."""
KIND_NAMES = {
    MaterialKind.FILE: gettext_noop("Other files"),
    MaterialKind.PAGE: gettext_noop("Other pages"),
    MaterialKind.ASSIGNMENT: gettext_noop("Other assignments"),
    MaterialKind.DISCUSSION: gettext_noop("Discussions"),
    MaterialKind.ANNOUNCEMENT: gettext_noop("Announcements"),
    MaterialKind.LINK: gettext_noop("Other links"),
}
"""Of what stands in no module, in this order."""


def draw_materials(student: Student, listed: CourseMaterials) -> None:
    """Draw the syllabus, the modules in the course's order, and then what stands in none, by kind."""
    found = [item for item in listed.materials if item.material.kind is not MaterialKind.UPLOAD]
    modules: dict[str, list[ListedMaterial]] = {}
    by_kind: dict[MaterialKind, list[ListedMaterial]] = {}
    for item in found:
        material = item.material
        group = modules.setdefault(material.module, []) if material.module else by_kind.setdefault(material.kind, [])
        group.append(item)
    key = f"module-{listed.status.course.key}"
    if syllabus := by_kind.pop(MaterialKind.SYLLABUS, []):
        with st.container(key=f"{key}-syllabus"):
            st.markdown(_lines(student, syllabus))
    is_open = sum(map(len, modules.values())) <= MOST_OPEN
    for number, (module, items) in enumerate(modules.items()):
        _draw_group(student, one_line(module, LONGEST_NAME), items, is_open=is_open, key=f"{key}-{number}")
    for kind, name in KIND_NAMES.items():
        if items := by_kind.get(kind, []):
            _draw_group(student, gettext(name), items, is_open=not modules, key=f"{key}-{kind}")


def _draw_group(student: Student, name: str, items: Sequence[ListedMaterial], *, is_open: bool, key: str) -> None:
    """Draw a group that opens; of a closed one only its name."""
    folded = st.expander(f"{literal(name)} · {len(items)}", expanded=is_open, key=key, on_change="rerun")
    if folded.open:
        folded.markdown(_lines(student, items))


def _lines(student: Student, items: Sequence[ListedMaterial]) -> str:
    origin = session.services().settings.public_url
    return "\n".join(material_line(item, student, origin) for item in items)
