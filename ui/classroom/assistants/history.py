"""History of an assistant: who did what and when, what differs from before, and the way back."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import streamlit as st

from services.assistants.class_assistant import AssistantDraft
from services.classes.assistants.assistant_record import AssistantRecord, HistoryAction, HistoryEntry
from services.classes.assistants.draft_difference import difference
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.assistants.draft_fields import begin_anew
from ui.classroom.assistants.student_summary import window_line
from ui.flash_message import flash
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback

FIRST_SHOWN = 20
SENTENCES: Mapping[HistoryAction, str] = {
    HistoryAction.MADE: gettext_noop("{name} made it"),
    HistoryAction.SAVED: gettext_noop("{name} saved version {version}"),
    HistoryAction.RESTORED: gettext_noop("{name} went back, as version {version}"),
    HistoryAction.PUBLISHED: gettext_noop("{name} published version {version}"),
    HistoryAction.TAKEN_BACK: gettext_noop("{name} took it back"),
    HistoryAction.WINDOWS: gettext_noop("{name} changed the exam windows"),
}


def draw_history(
    student: Student,
    record: AssistantRecord,
    entries: Sequence[HistoryEntry],
    *,
    has_unsaved: bool,
) -> None:
    """Draw the latest entries, and the way back to what the draft was after one of them.

    has_unsaved: whether the form holds what going back would lose.
    """
    with st.expander(gettext("History"), icon=":material/history:"):
        shown = entries[:FIRST_SHOWN]
        if len(entries) > FIRST_SHOWN and st.toggle(gettext("Show all {n} entries", n=len(entries)), key="history-all"):
            shown = entries
        drafts = [entry for entry in entries if entry.draft is not None]
        before = {later.number: earlier for later, earlier in pairwise(drafts)}
        if has_unsaved:
            st.caption(gettext("Save your draft before you go back to an earlier one: else it would be lost."))
        for entry in shown:
            _draw_entry(student, record, entry, before.get(entry.number), can_restore=not has_unsaved)


def name_of(entry: HistoryEntry) -> str:
    """Name of whoever did it."""
    found = session.services().students.get(entry.by)
    return found.name if found is not None else gettext("Somebody whose account is gone")


def draw_difference(before: AssistantDraft, after: AssistantDraft) -> None:
    """Draw what differs, field by field."""
    categories = list(dict.fromkeys(tool.category for tool in session.services().root_tools.tools()))
    changes = difference(before, after, categories)
    if not changes:
        st.caption(gettext("Nothing differs."))
    for change in changes:
        st.caption(change.title)
        st.code("\n".join(change.lines), language="diff", wrap_lines=True)


def _draw_entry(
    student: Student,
    record: AssistantRecord,
    entry: HistoryEntry,
    before: HistoryEntry | None,
    *,
    can_restore: bool,
) -> None:
    with st.container(border=True, key=f"history-{entry.number}", gap="xsmall"):
        sentence = gettext(SENTENCES[entry.action], name=name_of(entry), version=entry.version)
        st.markdown(f"{literal(sentence)} · {literal(day_and_time(entry.at, student))}")
        if entry.action is HistoryAction.WINDOWS:
            for window in entry.windows:
                st.caption(literal(window_line(student, window)))
            return
        if entry.draft is None:
            return
        if before is not None and before.draft is not None and before.draft != entry.draft:
            draw_difference(before.draft, entry.draft)
        if entry.draft != record.draft and entry.action is not HistoryAction.TAKEN_BACK:
            st.button(
                gettext("Go back to this"),
                icon=":material/undo:",
                key=f"restore-{entry.number}",
                disabled=not can_restore,
                on_click=_restore,
                args=(student, record, entry.number),
            )


@guarded_callback
def _restore(student: Student, record: AssistantRecord, number: int) -> None:
    restored = session.services().classroom.assistants.restore(student, record.id, number, seen=record.draft_version)
    begin_anew(restored.draft, restored.draft_version)
    flash(gettext("The draft is as it was then, as a new version. Publish it when students should have it."))
