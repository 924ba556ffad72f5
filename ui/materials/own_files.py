"""A student's own files of a course, for what the school does not offer."""

from collections.abc import Callable, Sequence

import streamlit as st

from services.errors import BadArguments, HomeroomError
from services.files.upload import DOCUMENTS, Upload, clean_name, format_size
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.materials.material import MaterialCourse, MaterialKind
from services.materials.results import CourseMaterials, LibraryUsage, ListedMaterial
from services.materials.store.records import SHELF
from services.safety.text import literal, one_line
from ui import session
from ui.error_boundary import show_error
from ui.file_field import draw_refusal, draw_upload_words
from ui.flash_message import flash
from ui.materials.course_picker import show_course
from ui.materials.material_list import material_line
from ui.session_guard import guarded_callback, guarded_dialog

TYPES = ("pdf", "pptx", "docx", *DOCUMENTS, "ipynb", "txt", "md", "tex", "csv", "html", "png", "jpg", "jpeg", "webp")
LARGEST_MB = 20
LONGEST_NAME = 80


def draw_own_files(student: Student, listed: CourseMaterials, usage: LibraryUsage) -> None:
    """Draw the student's own files of a course, each with a button that removes it, and the field that adds one."""
    uploads = [item for item in listed.materials if item.material.kind is MaterialKind.UPLOAD]
    label = gettext("Your own files") + (f" · {len(uploads)}" if uploads else "")
    course = listed.status.course
    # A key for each course: otherwise one that was folded keeps the next one folded.
    with st.expander(label, expanded=bool(uploads) or is_own_course(course), key=f"shelf-of-{course.key}"):
        for item in uploads:
            _draw_upload(student, item)
        _draw_field(student, course.key, usage)


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


def _draw_field(student: Student, course_key: str, usage: LibraryUsage) -> None:
    # Streamlit's own words on the button are English; its limits stand below in the student's language.
    draw_upload_words("st-key-shelf-files", gettext("Choose files"))
    with st.form("shelf-form", clear_on_submit=True, border=False):
        files = st.file_uploader(
            gettext("Add files"),
            type=list(TYPES),
            accept_multiple_files=True,
            max_upload_size=LARGEST_MB,
            key="shelf-files",
            help=gettext("Only you and your answers see them. They stay until you remove them."),
        )
        draw_refusal(LARGEST_MB)
        st.caption(
            gettext(
                "PDF, slides (.pptx), Word (.docx), spreadsheets (.xlsx, .ods), .odt, .rtf, .epub, notebooks, text "
                "and images, up to {megabytes} MB each. "
                "You use {used} of {limit}.",
                megabytes=LARGEST_MB,
                used=format_size(usage.upload_bytes),
                limit=format_size(usage.upload_limit),
            )
        )
        is_sent = st.form_submit_button(gettext("Add to this course"), icon=":material/upload_file:")
    if is_sent and files:
        uploads = [Upload(name=file.name, content=file.getvalue()) for file in files]
        add_uploads(uploads, lambda upload: session.services().materials.add_upload(student, course_key, upload))


def add_uploads(uploads: Sequence[Upload], add: Callable[[Upload], object]) -> None:
    """Add files and rerun; what is refused is told, and the others are added all the same. add: raises
    `HomeroomError` for a file that is refused.
    """
    refused: list[tuple[str, str]] = []
    with st.spinner(gettext("Reading …")):
        for upload in uploads:
            try:
                add(upload)
            except HomeroomError as error:
                refused.append((f"{clean_name(upload.name)}: {error}", error.next_step))
    added = len(uploads) - len(refused)
    told = [ngettext("{n} file is added.", "{n} files are added.", added)] if added else []
    if refused:
        steps = dict.fromkeys(step for _, step in refused)
        sentences = [*(sentence for sentence, _ in refused), *told]
        flash(BadArguments(" ".join(sentences), next_step=" ".join(steps) if len(steps) == 1 else ""))
    else:
        flash(*told)
    st.rerun()


@guarded_callback
def _remove(student: Student, material_id: str) -> None:
    session.services().materials.remove_upload(student, material_id)
    flash(gettext("The file is removed."))


def is_own_course(course: MaterialCourse) -> bool:
    """Whether the student made it: it has their own files alone."""
    return course.key.startswith(f"{SHELF}-")


def draw_course_removal(student: Student, course: MaterialCourse) -> None:
    """Button that removes a course of the student's own."""
    label, icon = gettext("Remove this course"), ":material/delete:"
    if st.button(label, icon=icon, key="remove-shelf", type="tertiary"):
        guarded_dialog(label, _draw_course_removal, icon=icon)(student, course)


def _draw_course_removal(student: Student, course: MaterialCourse) -> None:
    name = literal(one_line(course.name, LONGEST_NAME))
    st.markdown(gettext("Homeroom deletes **{course}** with all files that you added to it.", course=name))
    if not st.button(gettext("Remove"), type="primary", key="remove-shelf-yes", width="stretch"):
        return
    try:
        session.services().materials.remove_own_course(student, course.key)
    except HomeroomError as error:
        show_error(error)
        return
    flash(gettext("The course is removed."))
    show_course("")
    st.rerun()


def draw_new_course(student: Student) -> None:
    """Button for a course that no connected account lists, such as one whose school has no Canvas."""
    label, icon = gettext("Add a course of your own"), ":material/add:"
    if st.button(label, icon=icon, key="new-shelf", type="tertiary"):
        guarded_dialog(label, _draw_new_course, icon=icon)(student)


def _draw_new_course(student: Student) -> None:
    with st.form("new-shelf-form", border=False):
        name = st.text_input(gettext("Name of the course"), key="new-shelf-name", max_chars=LONGEST_NAME)
        st.caption(gettext("You add its files yourself: slides, readings, scans of handouts."))
        if not st.form_submit_button(gettext("Add the course"), type="primary", width="stretch"):
            return
    try:
        course = session.services().materials.add_own_course(student, name)
    except HomeroomError as error:
        show_error(error)
        return
    show_course(course.key)
    st.rerun()
