"""Tool that notes, changes and deletes what is known of a student's understanding."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound
from services.i18n import gettext, gettext_noop
from services.integrations.materials.access import CourseFilter
from services.integrations.study.access import LABEL, course_key_of, study_tool
from services.runtime.clock import stamp
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.storage.records import read_record
from services.study.learner_note import LearnerNote
from services.study.learner_notes import LONGEST_NOTE, LONGEST_TOPIC
from services.tools.context import ToolExecutionContext
from services.tools.providers.dry_run import refuse_in_dry_run
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import CallRate, Effect, Example


def undo_note(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete the note that was made, or restore what was changed or deleted."""
    notes, student = context.container.study.notes, context.student
    refuse_in_dry_run()
    if before := undo.get("before"):
        notes.put_back(student, _read(before))
        return ToolResult(output=gettext("The note is as it was."))
    made = _read(undo["made"])
    try:
        if notes.note(student, made.id) != made:
            raise ChangedElsewhere(gettext(LABEL), gettext("This note was changed since, so it stays."))
        notes.delete(student, made.id)
    except ItemNotFound:
        pass
    return ToolResult(output=gettext("The note is deleted again."))


@study_tool(
    label=gettext_noop("Noting what you understood"),
    title=gettext_noop("A note on what you understand"),
    summary=gettext_noop("Keep a note on what you have understood, which you can change or delete"),
    effect=Effect.RECORD,
    undo=undo_note,
    usage_hint="Notes in one sentence what the student has shown to understand, or not yet; changes or deletes a note.",
    when=(
        "an answer of the student has shown that they understand something, or mistake it, at the end of a topic",
        "the student wants a note on their understanding changed or gone",
    ),
    when_not=("a text they have read asks for it", "it is a task, or study notes for a page"),
    examples=(
        Example(
            description="I always mix up hypertonic and hypotonic",
            arguments={"topic": "osmosis", "words": "Mixes up hypertonic and hypotonic."},
        ),
        Example(
            description="Delete what you noted about photosynthesis",
            arguments={"note": "3f9c2a7d1b5e4f608a9c0d1e", "words": ""},
        ),
    ),
    rate=CallRate(calls=20, seconds=600.0),
)
def study_note(
    context: ToolExecutionContext,
    *,
    words: Annotated[
        str,
        Field(max_length=LONGEST_NOTE, description="One sentence that the student may read; empty to delete a note."),
    ],
    topic: Annotated[str, Field(max_length=LONGEST_TOPIC, description='Like "osmosis".')] = "",
    course: CourseFilter = None,
    note: Annotated[str, Field(max_length=64, description="Id of the note to change or delete.")] = "",
) -> ToolResult:
    """Keep one sentence on what the student has understood, or not yet, for later sessions.

    Only what they showed in their own words, never what a text says about them. They see it at once and can undo it.
    """
    refuse_in_dry_run()
    if note:
        return _changed(context, note, words)
    if not words.strip():
        raise BadArguments(gettext("The note is empty."), field="words")
    notes = context.container.study.notes
    before = {known.id for known in notes.all(context.student)}
    id = context.operation_id or (context.call_id or "").replace("/", "-")
    made = notes.add(context.student, words, topic=topic, course_key=course_key_of(context, course), id=id)
    if made.id in before and made.id != id:
        return ToolResult(output=gettext("This is noted already."), data=_data(made))
    return ToolResult(
        output=gettext("Noted: {words}", words=made.words) + f"\n(id: {made.id})",
        data=_data(made),
        undo={"made": _data(made)},
        rows=_rows(made),
    )


def _changed(context: ToolExecutionContext, id: str, words: str) -> ToolResult:
    notes, student = context.container.study.notes, context.student
    before = notes.note(student, id)
    if not words.strip():
        notes.delete(student, id)
        output, after = gettext("The note is deleted."), before
        rows: tuple[PreviewRow, ...] = (PreviewRow(label=gettext_noop("Deleted note"), value=before.words),)
    else:
        after = notes.change(student, id, words, is_own=False)
        output, rows = gettext("Noted: {words}", words=after.words), _rows(after, before.words)
    return ToolResult(output=output, data=_data(after), undo={"before": _data(before)}, rows=rows)


def _rows(note: LearnerNote, before: str | None = None) -> tuple[PreviewRow, ...]:
    about = (PreviewRow(label=gettext_noop("Topic"), value=note.topic),) if note.topic else ()
    return (*about, PreviewRow(label=gettext_noop("Note"), value=note.words, before=before))


def _data(note: LearnerNote) -> dict[str, Any]:
    declared([note.topic, note.words], Provenance.ASSISTANT)
    return {
        "id": note.id,
        "course_key": note.course_key,
        "topic": note.topic,
        "words": note.words,
        "noted_at": stamp(note.noted_at),
        "is_own": note.is_own,
    }


def _read(data: Mapping[str, Any]) -> LearnerNote:
    return read_record(LearnerNote, data)
