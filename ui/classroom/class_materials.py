"""What a class has to read: added by its instructors, opened by everybody in it."""

import streamlit as st

from services.classes.school_class import ClassRole, SchoolClass
from services.files.upload import Upload, format_size
from services.i18n import gettext
from services.identity.students import Student
from services.materials.results import ListedMaterial
from services.safety.text import literal, one_line
from ui import session
from ui.file_field import draw_refusal, draw_upload_words
from ui.flash_message import flash
from ui.materials.material_list import material_line
from ui.materials.own_files import LARGEST_MB, TYPES, add_uploads
from ui.session_guard import guarded_callback


def draw_materials(student: Student, school_class: SchoolClass) -> None:
    """The files of a class as links into the reader; for its instructors with the field that adds some."""
    classroom = session.services().classroom
    is_over = school_class.archived_at is not None
    is_instructor = classroom.classes.role_in(student.id, school_class.id) is ClassRole.INSTRUCTOR
    if is_over and not is_instructor:
        st.info(gettext("This class is over, and what it had to read is closed."), icon=":material/inventory_2:")
        return
    listed = classroom.materials.materials(student, school_class.id)
    if is_instructor:
        st.caption(
            gettext(
                "Everybody in the class finds these files under Materials, and their answers read and cite them. "
                "Add only what your school may share with the class."
            )
        )
    if not listed:
        st.markdown(gettext("**Nothing yet**"))
        if not is_instructor:
            st.write(gettext("When an instructor adds files, you find them here and under Materials."))
    for item in listed:
        _draw_file(student, school_class, item, is_instructor=is_instructor)
    if is_instructor and not is_over:
        _draw_field(student, school_class)


def _draw_file(student: Student, school_class: SchoolClass, item: ListedMaterial, *, is_instructor: bool) -> None:
    material, origin = item.material, session.services().settings.public_url
    is_over = school_class.archived_at is not None
    with st.container(horizontal=True, vertical_alignment="center", key=f"upload-{material.id}"):
        # Closed to everybody while the class is over: a link would lead nowhere.
        line = (
            f"- :material/description: {literal(material.title)}" if is_over else material_line(item, student, origin)
        )
        st.markdown(line, width="stretch")
        if is_instructor:
            st.button(
                gettext("Remove"),
                icon=":material/delete:",
                type="tertiary",
                key=f"class-remove-{material.id}",
                help=gettext("Remove {file}", file=literal(one_line(material.title))),
                on_click=_remove,
                args=(student, school_class.id, material.id),
            )


@guarded_callback
def _remove(student: Student, class_id: str, material_id: str) -> None:
    session.services().classroom.materials.remove(student, class_id, material_id)
    flash(gettext("The file is removed, for everybody in the class."))


def _draw_field(student: Student, school_class: SchoolClass) -> None:
    usage = session.services().classroom.materials.usage(student, school_class.id)
    # Streamlit's own words on the button are English.
    draw_upload_words("st-key-file-field-class", gettext("Choose files"))
    with st.form("class-files", clear_on_submit=True, border=False):
        files = st.file_uploader(
            gettext("Add files for the class"),
            type=list(TYPES),
            accept_multiple_files=True,
            max_upload_size=LARGEST_MB,
            key="file-field-class",
        )
        draw_refusal(LARGEST_MB)
        st.caption(
            gettext(
                "PDF, slides (.pptx), Word (.docx), spreadsheets (.xlsx, .ods), .odt, .rtf, .epub, notebooks, text "
                "and images, up to {megabytes} MB each. "
                "The class uses {used} of {limit}.",
                megabytes=LARGEST_MB,
                used=format_size(usage.upload_bytes),
                limit=format_size(usage.upload_limit),
            )
        )
        is_sent = st.form_submit_button(gettext("Add to the class"), icon=":material/upload_file:")
    if is_sent and files:
        classroom = session.services().classroom
        uploads = [Upload(name=file.name, content=file.getvalue()) for file in files]
        add_uploads(uploads, lambda upload: classroom.materials.add(student, school_class.id, upload))
