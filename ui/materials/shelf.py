"""Shelf of a course: files that the student adds, for what the school does not offer."""

import streamlit as st

from services.errors import HomeroomError
from services.files.upload import Upload, format_size
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.materials.material import MaterialKind
from services.materials.results import CourseMaterials, LibraryUsage, ListedMaterial
from services.navigation import material_address
from services.safety.text import literal, one_line
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.materials.material_lines import material_line
from ui.session_guard import guarded_callback, guarded_dialog

TYPES = ("pdf", "pptx", "docx", "txt", "md", "html", "png", "jpg", "jpeg", "webp")
LARGEST_MB = 20
LONGEST_NAME = 80


def draw_shelf(student: Student, listed: CourseMaterials, usage: LibraryUsage) -> None:
    """Draw the student's own files of a course, each with a button that removes it, and the field that adds one."""
    uploads = [item for item in listed.materials if item.material.kind is MaterialKind.UPLOAD]
    label = gettext("Your own files") + (f" · {len(uploads)}" if uploads else "")
    with st.expander(label, expanded=bool(uploads), key="shelf"):
        for item in uploads:
            _draw_upload(student, item)
        _draw_field(student, listed.status.course.key, usage)


def _draw_upload(student: Student, item: ListedMaterial) -> None:
    material = item.material
    with st.container(horizontal=True, vertical_alignment="center", key=f"upload-{material.id}"):
        st.markdown(material_line(item, student, session.services().settings.public_url), width="stretch")
        st.button(
            gettext("Remove"),
            icon=":material/delete:",
            type="tertiary",
            key=f"remove-{material.id}",
            help=gettext("Remove {file}", file=literal(one_line(material.title))),
            on_click=_remove,
            args=(student, material.id),
        )
