"""Steps of a write plan, each safe to repeat, and their undo."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from services.errors import ChangedElsewhere, ItemNotFound, RequestRefused
from services.i18n import gettext
from services.integrations.google_calendar.client import GoogleCalendarClient
from services.integrations.google_calendar.errors import undo_refused_error
from services.integrations.google_calendar.payloads import Json, already_has, copied_fields, undo_patch_of

Step = Mapping[str, Any]

GONE: Json = {"status": "cancelled", "etag": ""}


def event_id_for(key: str) -> str:
    """Derive the same Google event id for every try of one operation: digits and a–v, unique to the operation.

    https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
    """
    return base64.b32hexencode(hashlib.sha256(key.encode()).digest()).decode().rstrip("=").lower()


def insert_step(calendar: str, body: Json, *, key: str, notify: bool = True) -> Json:
    """Step that adds an event. notify: its guests, if there are any, are written to."""
    return {"do": "insert", "calendar": calendar, "body": {"id": event_id_for(key), **body}, "notify": notify}


def patch_step(calendar: str, json: Json, changes: Json, *, notify: bool = False) -> Json:
    before = undo_patch_of(json, changes)
    return {
        "do": "patch",
        "calendar": calendar,
        "id": json["id"],
        "etag": json["etag"],
        "changes": changes,
        "before": before,
        "notify": notify,
    }


def delete_step(calendar: str, json: Json, *, key: str, notify: bool = False) -> Json:
    copy = {"id": event_id_for(f"{key}/undo"), **copied_fields(json)}
    which = {"calendar": calendar, "id": json["id"], "etag": json["etag"]}
    return {"do": "delete", **which, "copy": copy, "notify": notify}


def run_step(google: GoogleCalendarClient, step: Step) -> tuple[Json, Json | None]:
    """Run a step: returns the event as it is then, and its undo step (None when the event was changed since)."""
    calendar = step["calendar"]
    if step["do"] == "insert":
        body = dict(step["body"])
        json, is_new = google.insert(calendar, body, notify=_notifies(step, body))
        is_untouched = is_new or already_has(json, {"location": "", "description": "", **body})
        back = {"do": "delete", "calendar": calendar, "id": json["id"], "etag": json["etag"]}
        back["notify"] = step.get("notify", True)
        return json, back if is_untouched else None
    if step["do"] == "patch":
        changes = dict(step["changes"])
        json = google.patch(calendar, step["id"], changes, etag=step["etag"], notify=step.get("notify", False))
        return json, {**step, "do": "restore", "etag": json["etag"]}
    google.delete(calendar, step["id"], etag=step["etag"], notify=step.get("notify", False))
    return {**step["copy"], "id": step["id"], "status": "cancelled"}, {**step, "do": "revive"}


def can_be_undone(google: GoogleCalendarClient, step: Step) -> bool:
    """Check whether an undo step finds the event as it was left, gone or already restored."""
    json = _current_event(google, step)
    if step["do"] == "delete":
        return json.get("status") == "cancelled" or json["etag"] == step["etag"]
    return step["do"] == "revive" or json["etag"] == step["etag"] or already_has(json, step["before"])


def undo_step(google: GoogleCalendarClient, step: Step) -> None:
    """Undo a step; raises `ChangedElsewhere` when the event was changed since."""
    json, calendar = _current_event(google, step), step["calendar"]
    if step["do"] == "delete":
        _undo_insert(google, step, json)
    elif step["do"] == "restore":
        if json.get("status") == "cancelled":
            raise ItemNotFound("Google Calendar", gettext("That event has been deleted in Google Calendar."))
        if not already_has(json, dict(step["before"])):
            _refuse_changed(json, step)
            before = dict(step["before"])
            google.patch(calendar, step["id"], before, etag=json["etag"], notify=step.get("notify", False))
    else:
        _undo_delete(google, step, json)


def _undo_insert(google: GoogleCalendarClient, step: Step, json: Json) -> None:
    if json.get("status") == "cancelled":
        return
    _refuse_changed(json, step)
    google.delete(step["calendar"], step["id"], etag=step["etag"], notify=_notifies(step, json))


def _undo_delete(google: GoogleCalendarClient, step: Step, json: Json) -> None:
    """Restore a deleted event; as a new copy when Google has forgotten the old one."""
    if json["etag"] and json.get("status") != "cancelled":
        return
    with suppress(ItemNotFound, RequestRefused):
        if json["etag"]:
            back, notify = {"status": "confirmed"}, step.get("notify", False)
            google.patch(step["calendar"], step["id"], back, etag=json["etag"], notify=notify)
            return
    google.insert(step["calendar"], dict(step["copy"]))


def _notifies(step: Step, json: Mapping[str, Any]) -> bool:
    """Check whether guests are written to; steps stored before this was recorded always did."""
    return bool(json.get("attendees")) and bool(step.get("notify", True))


def _refuse_changed(json: Json, step: Step) -> None:
    if json["etag"] != step["etag"]:
        raise undo_refused_error()


def _current_event(google: GoogleCalendarClient, step: Step) -> Json:
    try:
        return google.event(step["calendar"], step["id"])
    except ItemNotFound:
        return GONE


def _undo_or_refuse(google: GoogleCalendarClient, step: Step) -> None:
    try:
        undo_step(google, step)
    except ChangedElsewhere as error:
        # A write's own sentence speaks of its card, and this is about one that was done.
        raise undo_refused_error() from error


def undo_steps(google: GoogleCalendarClient, steps: Sequence[Step], *, together: bool) -> list[Step]:
    """Undo several steps, the last one first; those that were changed since are left alone and returned.

    together: all or nothing: one that was changed refuses everything (`ChangedElsewhere`). So does one on its own.
    """
    kept = [step for step in steps if not can_be_undone(google, step)]
    if kept and (together or len(kept) == len(steps)):
        raise undo_refused_error()
    for step in reversed(steps):
        if step not in kept:
            _undo_or_refuse(google, step)
    return kept
