"""What one assignment asks for, in words."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from services.integrations.canvas.assignments import read_time
from services.integrations.canvas.html import to_text
from services.integrations.wording import moment

_LONGEST_DESCRIPTION = 8000
_WAYS = {
    "online_upload": "upload a file",
    "online_text_entry": "write in a text box",
    "online_url": "give a web address",
    "online_quiz": "take a quiz",
    "discussion_topic": "post in a discussion",
    "media_recording": "record audio or video",
    "student_annotation": "annotate a document",
    "external_tool": "use another program that opens from Canvas",
    "on_paper": "on paper",
    "none": "nothing to hand in",
    "not_graded": "not graded",
}


def details(row: Mapping[str, Any], zone: ZoneInfo) -> str:
    """How to hand it in, when it opens and closes, and the instructions as plain text."""
    ways = [_WAYS.get(way, way.replace("_", " ")) for way in row.get("submission_types") or ()]
    kinds = ", ".join(row.get("allowed_extensions") or ())
    facts = [
        f"- How to hand it in: {', '.join(ways)}{f' ({kinds} only)' if kinds else ''}" if ways else "",
        _time("Opens", row.get("unlock_at"), zone),
        _time("Closes", row.get("lock_at"), zone),
        _attempts(row.get("allowed_attempts")),
        _time("Handed in", (row.get("submission") or {}).get("submitted_at"), zone),
    ]
    return "\n".join([*(fact for fact in facts if fact), *_instructions(row.get("description"))])


def _instructions(html: Any) -> list[str]:
    """Quoted line by line, so that nothing in them can pass for words of ours."""
    text = to_text(html, limit=_LONGEST_DESCRIPTION).replace("](", "] (")
    if not text:
        return ["There are no instructions."]
    return ["Instructions, as the instructor wrote them:", *(f"> {line}".rstrip() for line in text.split("\n"))]


def _time(label: str, written: Any, zone: ZoneInfo) -> str:
    at, _ = read_time(written)
    return f"- {label}: {moment(at, zone)}" if at else ""


def _attempts(allowed: Any) -> str:
    """Canvas says -1 for as many as one likes."""
    return f"- Attempts allowed: {allowed}" if isinstance(allowed, int) and allowed > 0 else ""
