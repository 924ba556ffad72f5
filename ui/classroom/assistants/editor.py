"""Editor of a class's assistant: its state and what can be done, the form beside the preview, exams, history."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from services.assistants.class_assistant import AssistantDraft
from services.classes.assistants.assistant_record import AssistantRecord, HistoryEntry
from services.classes.assistants.class_assistants import NotPublishable
from services.classes.assistants.unsaved_drafts import UnsavedDraft
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError, StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.assistants.draft_fields import begin_anew, form_of, was_saved
from ui.classroom.assistants.draft_form import draw_draft_form
from ui.classroom.assistants.exam_windows_form import draw_exam_windows
from ui.classroom.assistants.history import draw_difference, draw_history, name_of
from ui.classroom.assistants.preview import draw_preview
from ui.classroom.class_address import close_editor
from ui.error_boundary import show_error
from ui.flash_message import flash, flash_errors, show_flash
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback, guarded_dialog

DELETE_ICON = ":material/delete:"


def draw_editor(student: Student, school_class: SchoolClass, record: AssistantRecord) -> None:
    """Draw it, and the way back to all assistants of the class."""
    unsaved = session.services().classroom.unsaved_drafts
    form = form_of(record.draft, record.draft_version, unsaved=partial(unsaved.get, student, record.id))
    history = session.services().classroom.assistants.history(student, record.id)
    st.button(
        gettext("All assistants"),
        icon=":material/chevron_left:",
        type="tertiary",
        key="editor-close",
        on_click=close_editor,
    )
    st.markdown(f"## {literal(record.draft.name)}")
    if form["seen"] != record.draft_version:
        _draw_conflict(student, record, form, history)
    place = st.container(key="editor-actions", gap="xsmall")
    with st.container(key="editor-form"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        draft = draw_draft_form(form)
    with right, st.container(key="editor-preview", gap="small"):
        if draft is not None:
            draw_preview(student, draft)
    _keep_unsaved(student, record, form, draft)
    with place:
        _draw_state(student, record, history)
        _draw_actions(student, school_class, record, form, draft)
    draw_exam_windows(student, record)
    draw_history(student, record, history, has_unsaved=_is_changed(record, form, draft))
    label = gettext("Delete the assistant")
    if st.button(label, icon=DELETE_ICON, type="tertiary", key="assistant-delete"):
        guarded_dialog(label, _draw_deletion, icon=DELETE_ICON)(student, record)


def _keep_unsaved(
    student: Student, record: AssistantRecord, form: dict[str, Any], draft: AssistantDraft | None
) -> None:
    """Keep what is typed beyond this session, until it is saved. A store that does not answer stops no typing."""
    wanted = draft if _is_changed(record, form, draft) else None
    if wanted == form["kept"] or (draft is None and form["kept"] is not None):
        return
    drafts = session.services().classroom.unsaved_drafts
    with suppress(StorageError):
        if wanted is None:
            drafts.forget(student, record.id)
        else:
            drafts.keep(student, record.id, UnsavedDraft(began=form["draft"], seen=form["seen"], typed=wanted))
        form["kept"] = wanted


def _draw_state(student: Student, record: AssistantRecord, history: Sequence[HistoryEntry]) -> None:
    saved = gettext(
        "Draft {version}, saved by {name} on {when}.",
        version=record.draft_version,
        name=name_of(history[0]) if history else gettext("somebody"),
        when=day_and_time(record.changed_at, student),
    )
    if record.published is None:
        state = gettext("Students do not have it.")
    elif record.is_published_as_it_is:
        state = gettext("Students have exactly this.")
    else:
        state = gettext("Students have version {version} until you publish this one.", version=record.published_version)
    st.caption(literal(f"{saved} {state}"))


def _draw_conflict(
    student: Student, record: AssistantRecord, form: dict[str, Any], history: Sequence[HistoryEntry]
) -> None:
    """What somebody else, or another tab, has saved since this form began; nothing of either is lost."""
    with st.container(border=True, key="editor-conflict"):
        st.warning(
            gettext(
                "{name} has saved another version since you began. What you typed is still here.",
                name=literal(name_of(history[0])) if history else gettext("Somebody"),
            ),
            icon=":material/sync_problem:",
        )
        st.caption(gettext("What they changed:"))
        draw_difference(form["draft"], record.draft)
        with st.container(horizontal=True, key="conflict-choices"):
            st.button(
                gettext("Keep mine, and save it over theirs"),
                key="conflict-mine",
                on_click=_keep_mine,
                args=(student, record),
            )
            st.button(gettext("Take theirs"), key="conflict-theirs", on_click=_take_theirs, args=(student, record))


def _draw_actions(
    student: Student,
    school_class: SchoolClass,
    record: AssistantRecord,
    form: dict[str, Any],
    draft: AssistantDraft | None,
) -> None:
    is_open, has_conflict = school_class.archived_at is None, form["seen"] != record.draft_version
    is_changed = _is_changed(record, form, draft)
    problems = session.services().classroom.assistants.problems(draft) if draft is not None else ()
    # Whatever comes and goes stands beneath the buttons, which would else slip away under a click.
    with st.container(horizontal=True, key="editor-buttons"):
        # A click comes together with what was typed last, so what is saved is what this run has read: neither a
        # callback, which would hold the run before, nor a button that only that last word switches on.
        is_saved = st.button(gettext("Save the draft"), icon=":material/save:", key="draft-save")
        is_published = st.button(
            gettext("Save and publish") if is_changed else gettext("Publish"),
            icon=":material/publish:",
            type="primary",
            key="draft-publish",
            disabled=not is_open or has_conflict,
        )
        if record.published is not None:
            st.button(
                gettext("Take back"),
                icon=":material/unpublished:",
                key="draft-take-back",
                help=gettext("Students lose it at once; their chats go on with Homeroom's own assistant."),
                on_click=_take_back,
                args=(student, record.id),
            )
    _draw_saved_or_not(student, record, form, is_changed=is_changed, has_conflict=has_conflict)
    show_flash()
    for problem in problems:
        draw = st.warning if problem.is_blocking else st.info
        draw(f"{literal(problem.sentence)} {literal(problem.next_step)}", icon=":material/build_circle:")
    if draft is not None and (is_saved or is_published):
        with flash_errors():
            _save(student, draft, form["seen"], is_published=is_published)
        st.rerun()


def _draw_saved_or_not(
    student: Student, record: AssistantRecord, form: dict[str, Any], *, is_changed: bool, has_conflict: bool
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="editor-saved"):
        if not is_changed:
            words = gettext("Everything is saved.")
            st.caption(f":material/check: {words}", width="content")
            return
        words = gettext("Not saved yet.")
        if form["kept"] is not None:
            words = gettext("Not saved yet. What you type is kept here, for you alone, until you save it.")
        st.caption(f":material/edit: {words}", width="content")
        if has_conflict:
            return
        label = gettext("Discard it")
        if st.button(label, type="tertiary", key="draft-discard"):
            guarded_dialog(label, _draw_discarding)(student, record)


def _draw_discarding(_student: Student, record: AssistantRecord) -> None:
    st.write(gettext("The form is again as the draft that is saved. What you typed since is gone."))
    if st.button(gettext("Discard it"), type="primary", key="draft-discard-yes"):
        begin_anew(record.draft, record.draft_version)
        st.rerun()


def _is_changed(record: AssistantRecord, form: dict[str, Any], draft: AssistantDraft | None) -> bool:
    """Whether the form holds what is saved nowhere yet. draft: None while something in the form does not fit."""
    has_conflict = form["seen"] != record.draft_version
    return draft is None or draft != (form["draft"] if has_conflict else record.draft)


def _save(student: Student, draft: AssistantDraft, seen: int, *, is_published: bool) -> None:
    """Save the draft, and publish it when asked; words that keep it from that are saved all the same."""
    assistants = session.services().classroom.assistants
    saved = assistants.save(student, draft, seen=seen)
    was_saved(saved.draft, saved.draft_version)
    if not is_published:
        flash(gettext("The draft is saved. Students have it when you publish it."))
        return
    try:
        assistants.publish(student, draft.id, seen=saved.draft_version)
    except NotPublishable:
        flash(gettext("The draft is saved. Students do not get it before what is said below is mended."))
        return
    flash(gettext("{name} is published: students of this class have it from now on.", name=draft.name))


@guarded_callback
def _take_back(student: Student, id: str) -> None:
    session.services().classroom.assistants.take_back(student, id)
    flash(gettext("It is taken back. The draft stays, and you can publish it again."))


@guarded_callback
def _keep_mine(student: Student, record: AssistantRecord) -> None:
    form_of(record.draft, record.draft_version)["seen"] = record.draft_version
    flash(gettext("Look at your text once more, then save it: theirs stays in the history."))


@guarded_callback
def _take_theirs(student: Student, record: AssistantRecord) -> None:
    begin_anew(record.draft, record.draft_version)


def _draw_deletion(student: Student, record: AssistantRecord) -> None:
    st.markdown(
        gettext(
            "**{name}** goes with its drafts and history, for good. Chats with it stay, and go on with Homeroom's own "
            "assistant.",
            name=literal(record.draft.name),
        )
    )
    if st.button(gettext("Delete it"), type="primary", icon=DELETE_ICON, key="assistant-delete-confirm"):
        try:
            session.services().classroom.assistants.delete(student, record.id)
        except HomeroomError as error:
            show_error(error)
            return
        close_editor()
        flash(gettext("{name} is deleted.", name=record.draft.name))
        st.rerun()
