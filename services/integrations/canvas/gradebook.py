"""Reading what counts in a course: Canvas's assignment groups with the student's own submissions."""

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from services.integrations.canvas.grading import Entry, Gradebook, Group
from services.integrations.canvas.payloads import (
    Row,
    exact,
    flat,
    id_of,
    link,
    numbers,
    part,
    parts,
    read_rows,
    read_time,
)


def read_gradebook(
    rows: Sequence[dict[str, Any]], *, is_weighted: bool, origin: str, now: datetime
) -> tuple[Gradebook, str]:
    """From https://developerdocs.instructure.com/services/canvas/resources/assignment_groups; a note on bad rows."""
    notes: list[str] = []

    def group(row: Row) -> Group:
        entries, note = read_rows(
            parts(row.get("assignments")), lambda assignment: _entry(assignment, origin=origin, now=now)
        )
        notes.append(note)
        return _group(row, tuple(entries))

    groups, note = read_rows(rows, group)
    return Gradebook(groups=tuple(groups), is_weighted=is_weighted), "\n".join(filter(None, [note, *notes]))


def _group(row: Row, entries: tuple[Entry, ...]) -> Group:
    rules = part(row.get("rules"))
    return Group(
        id=id_of(row.get("id")),
        name=flat(row.get("name")) or "(no name)",
        weight=exact(row.get("group_weight")) or Fraction(0),
        entries=entries,
        drop_lowest=int(rules.get("drop_lowest") or 0),
        drop_highest=int(rules.get("drop_highest") or 0),
        never_drop=frozenset(numbers(rules.get("never_drop"))),
    )


def _entry(row: Row, *, origin: str, now: datetime) -> Entry | None:
    """None for what never counts: excused, left out of the grade, or not graded at all."""
    submission = part(row.get("submission"))
    if submission.get("excused") or row.get("omit_from_final_grade") or row.get("grading_type") == "not_graded":
        return None
    is_pending = submission.get("workflow_state") == "pending_review"
    score = None if is_pending else exact(submission.get("score"))
    return Entry(
        id=id_of(row.get("id")),
        title=flat(row.get("name")) or "(untitled)",
        url=link(row.get("html_url"), origin),
        possible=max(Fraction(0), exact(row.get("points_possible")) or Fraction(0)),
        score=score,
        state="graded" if score is not None else _open_state(row, submission, now),
    )


def _open_state(row: Row, submission: Row, now: datetime) -> str:
    if submission.get("missing"):
        return "missing"
    due_at, _ = read_time(row.get("due_at"))
    return "waiting" if submission.get("submitted_at") or (due_at is not None and due_at < now) else "ahead"
