"""Dialogs of the Study page, by their kinds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.materials.results import CourseStatus
from ui.session_guard import guarded_dialog
from ui.study import (
    card_dialog,
    card_import,
    card_list,
    exam_list,
    exam_plan_dialog,
    learner_notes,
    make_dialog,
    quiz_list,
)
from ui.study.course_choice import wanted_course
from ui.study.open_dialog import close_dialog, current_dialog


@dataclass(frozen=True, kw_only=True)
class StudyDialog:
    """draw: takes the student, the subject and the courses."""

    title: str
    icon: str
    draw: Callable[[Student, Any, Sequence[CourseStatus]], None]


def _without_courses(draw: Callable[[Student, Any], None]) -> Callable[[Student, Any, Sequence[CourseStatus]], None]:
    return lambda student, subject, _courses: draw(student, subject)


def _draw_card(student: Student, card_id: str, courses: Sequence[CourseStatus]) -> None:
    card_dialog.draw_card_dialog(student, card_id, courses, wanted_course())


DIALOGS: Mapping[str, StudyDialog] = {
    make_dialog.DIALOG: StudyDialog(
        title=gettext_noop("Make questions or cards"), icon=":material/add_notes:", draw=make_dialog.draw_make_dialog
    ),
    quiz_list.RENAME_DIALOG: StudyDialog(
        title=gettext_noop("Rename"), icon=":material/edit:", draw=_without_courses(quiz_list.draw_rename_dialog)
    ),
    learner_notes.DIALOG: StudyDialog(
        title=gettext_noop("Note"), icon=":material/edit_note:", draw=_without_courses(learner_notes.draw_note_dialog)
    ),
    exam_list.DIALOG: StudyDialog(title=gettext_noop("Exam"), icon=":material/event:", draw=exam_list.draw_exam_dialog),
    exam_list.REMOVE_DIALOG: StudyDialog(
        title=gettext_noop("Remove the exam"),
        icon=":material/delete:",
        draw=_without_courses(exam_list.draw_removal_dialog),
    ),
    exam_plan_dialog.DIALOG: StudyDialog(
        title=gettext_noop("Plan until the exam"),
        icon=":material/event_note:",
        draw=_without_courses(exam_plan_dialog.draw_plan_dialog),
    ),
    card_dialog.DIALOG: StudyDialog(title=gettext_noop("Card"), icon=":material/style:", draw=_draw_card),
    card_import.DIALOG: StudyDialog(
        title=gettext_noop("Bring in cards"),
        icon=":material/upload:",
        draw=_without_courses(card_import.draw_import_dialog),
    ),
    card_list.DROP_DIALOG: StudyDialog(
        title=gettext_noop("Drop the new cards"),
        icon=":material/delete_sweep:",
        draw=_without_courses(card_list.draw_drop_dialog),
    ),
}


def draw_open_dialog(student: Student, courses: Sequence[CourseStatus]) -> None:
    """Draw the dialog that is open, if any is."""
    found = current_dialog()
    if found is None:
        return
    dialog = DIALOGS[found.kind]
    guarded_dialog(gettext(dialog.title), dialog.draw, icon=dialog.icon, on_dismiss=close_dialog)(
        student, found.subject, courses
    )
