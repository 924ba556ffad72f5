"""Dialogs of the Study page, by their kinds."""

from collections.abc import Sequence

from services.i18n import gettext
from services.identity.students import Student
from services.materials.results import CourseStatus
from ui.session_guard import guarded_dialog
from ui.study import learner_notes, make_dialog, quiz_list
from ui.study.open_dialog import close_dialog, current_dialog


def draw_open_dialog(student: Student, courses: Sequence[CourseStatus]) -> None:
    """Draw the dialog that is open, if any is."""
    found = current_dialog()
    if found is None:
        return
    match found.kind:
        case make_dialog.DIALOG:
            title, icon = gettext("Make questions or cards"), ":material/add_notes:"
            guarded_dialog(title, make_dialog.draw_make_dialog, icon=icon, on_dismiss=close_dialog)(
                student, found.subject, list(courses)
            )
        case quiz_list.RENAME_DIALOG:
            title, icon = gettext("Rename"), ":material/edit:"
            guarded_dialog(title, quiz_list.draw_rename_dialog, icon=icon, on_dismiss=close_dialog)(
                student, found.subject
            )
        case learner_notes.DIALOG:
            title, icon = gettext("Note"), ":material/edit:"
            guarded_dialog(title, learner_notes.draw_note_dialog, icon=icon, on_dismiss=close_dialog)(
                student, found.subject
            )
