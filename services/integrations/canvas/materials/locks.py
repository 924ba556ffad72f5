"""Locks of Canvas: whether a student may read a thing now, and if not, why."""

import re
from datetime import datetime
from typing import Any

from services.i18n import gettext
from services.integrations.canvas.payloads import Row, object_of, read_time
from services.safety.html import html_to_text
from services.safety.text import one_line

_LONGEST_REASON = 200
_LONGEST_HTML = 3_000
_LINK = re.compile(r" ?\(https?://[^\s)]*\)")
_NO = (False, None, 0, "", "0", "false", "f", "no", "off")


def is_said(value: Any) -> bool:
    """Read a yes that may come as a text or a number; whatever is not plainly a no counts as yes."""
    folded = value.strip().lower() if isinstance(value, str) else value
    return not any(folded is no or folded == no for no in _NO)


def is_published(row: Row) -> bool:
    """Check that a row is published: teachers are listed drafts, too."""
    says_no = "published" in row and row["published"] is not None and not is_said(row["published"])
    return not says_no and row.get("workflow_state") not in ("unpublished", "deleted", "creation_failed")


def lock_reason(row: Row, now: datetime) -> str:
    """Tell why the student may not read a file, page, assignment or topic now; "" when they may.

    What was closed to hand-ins stays readable: Canvas says so with `can_view`.
    https://developerdocs.instructure.com/services/canvas/resources/assignments#lockinfo
    """
    lock = object_of(row.get("lock_info"))
    opens_at, _ = read_time(row.get("unlock_at") or row.get("delayed_post_at"))
    is_locked = is_said(row.get("locked_for_user")) or is_said(row.get("lock_info"))
    if is_locked and lock.get("can_view") is True:
        return ""
    if is_locked or (opens_at is not None and opens_at > now):
        return _explanation(row.get("lock_explanation"))
    return ""


def file_lock_reason(row: Row, now: datetime) -> str:
    """Tell why the student may not read a file now; a file without an address is closed, whatever else Canvas says."""
    is_closed = is_said(row.get("locked")) or not isinstance(row.get("url"), str) or not row["url"].strip()
    lock = object_of(row.get("lock_info"))
    row = row if lock.get("can_view") is not True else {**row, "lock_info": {**lock, "can_view": False}}
    return lock_reason(row, now) or (_explanation(row.get("lock_explanation")) if is_closed else "")


def module_lock_reason(row: Row, now: datetime) -> str:
    """Tell why a module is closed; "" when it is open."""
    opens_at, _ = read_time(row.get("unlock_at"))
    if row.get("state") == "locked" or (opens_at is not None and opens_at > now):
        return gettext("Its module is still locked in Canvas.")
    return ""


def _explanation(html: Any) -> str:
    text = html_to_text(html[:_LONGEST_HTML] if isinstance(html, str) else "", limit=_LONGEST_HTML)
    return one_line(_LINK.sub("", text), _LONGEST_REASON) or gettext("It is locked in Canvas.")
