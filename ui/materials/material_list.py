"""List of a course's materials by module; of a long one, a module is drawn when it is opened."""

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.materials.material import MaterialKind
from services.materials.results import CourseMaterials, ListedMaterial
from services.safety.text import literal, one_line
from ui import session
from ui.materials.material_lines import material_line

MOST_OPEN = 60
"""Materials up to which every module stands open."""


def draw_materials(student: Student, listed: CourseMaterials) -> None:
    """Draw the modules in the course's order; what is in none comes first."""
    found = [item for item in listed.materials if item.material.kind is not MaterialKind.UPLOAD]
    if not found:
        return
    is_open = len(found) <= MOST_OPEN
    for number, (module, group) in enumerate(groupby(_by_module(found), key=lambda item: item.material.module)):
        items = list(group)
        key = f"module-{listed.status.course.key}-{number}"
        label = f"{literal(one_line(module) or gettext('Not in a module'))} · {_count(items)}"
        folded = st.expander(label, expanded=is_open, key=key, on_change="rerun")
        if folded.open:
            origin = session.services().settings.public_url
            folded.markdown("\n".join(material_line(item, student, origin) for item in items))


def _by_module(found: Sequence[ListedMaterial]) -> list[ListedMaterial]:
    """Sort by the first place of a module: a module's materials may stand apart in the listing."""
    first: dict[str, int] = {}
    for at, item in enumerate(found):
        first.setdefault(item.material.module, at if item.material.module else -1)
    return sorted(found, key=lambda item: first[item.material.module])


def _count(items: Sequence[ListedMaterial]) -> str:
    return ngettext("{n} material", "{n} materials", len(items))
