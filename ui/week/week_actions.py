"""Actions of the week page: proposals that become cards, which alone can change a calendar."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from services.errors import ApprovalError, HomeroomError
from services.i18n import get_locale, gettext, locale_scope
from services.identity.students import Student
from services.week.loader import ASKED_BY
from services.week.week import Week, WeekEntry
from ui import session
from ui.flash_message import flash
from ui.session_guard import guarded_callback
from ui.week.calendar_data import entry_key

MOVE_TOOL = "calendar_update_event"


def propose_change(student: Student, tool: str, arguments: Mapping[str, Any], *, asked_by: str = ASKED_BY) -> None:
    """Make a card; nothing is written before it is approved. What cannot be proposed is flashed with its reason.

    asked_by: the page that asks, as the activity names it.
    """
    try:
        # Only a page's own thread knows its language in the run of a dialog; the tool runs in another one.
        with locale_scope(get_locale()):
            result = session.services().gateway.call(student, tool, arguments, asked_by=asked_by, by_hand=True)
    except HomeroomError as error:
        flash(error)
        return
    if not result.requires_approval:
        flash(ApprovalError(result.trouble or gettext("This did not work. Try again in a moment.")))


def find_entry(week: Week, key: str) -> WeekEntry | None:
    """Entry of the week by its key in the calendar."""
    return next((entry for entry in week.entries if entry_key(entry) == key), None)


@guarded_callback
def propose_move(student: Student, week: Week, key: str, start: object, end: object) -> None:
    """Propose other times for an event of the student's own. start, end: as the calendar tells them; its word is taken
    for nothing else, and what it names must be theirs to move.
    """
    entry = find_entry(week, key)
    if entry is None or not entry.can_change or entry.is_proposed:
        return
    try:
        times = [datetime.fromisoformat(str(edge)) for edge in (start, end)]
    except ValueError:
        return
    propose_times(student, entry, *times)


def propose_times(student: Student, entry: WeekEntry, start: datetime, end: datetime) -> None:
    """Propose other times for an event. start, end: what the student's clocks show then."""
    if entry.is_whole_day:
        arguments = {"event_id": entry.id, "start": f"{start:%Y-%m-%d}"}
    else:
        minutes = int((end - start).total_seconds() // 60)
        length = int(((entry.end or entry.start) - entry.start).total_seconds() // 60)
        arguments = {"event_id": entry.id, "start": f"{start:%Y-%m-%dT%H:%M}"}
        arguments |= {} if minutes == length else {"end": f"{end:%Y-%m-%dT%H:%M}"}
    propose_change(student, MOVE_TOOL, arguments)
