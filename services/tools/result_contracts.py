"""Result contracts: the names in `Tool.produces` and the shape of `ToolResult.data` that each promises.

Pages that show a student's days find tools by them, whichever service the tools speak to. Besides, `data` has:
`total`, how many there are if not all are listed, and `notes`, sentences for the student about what could not be read.
"""

from collections.abc import Iterable, Mapping
from typing import Any

ASSIGNMENTS = "assignments"
"""Category courses. Takes `window`: "range" with `start` and `end` (days, both included), or "overdue": past due and
not handed in, or, where its schema has it, "graded" with a `start`: what got a grade since then, each with `graded_at`
and `score`; and `limit` if it has one. Gives `assignments`, each with `id`, `title`, `course`, `due_at` (ISO 8601 or
None), `points` (or None), `kind` ("exam" matters), `is_done`, `status` in words and `service`; if there is more to say
`url`, `minutes` of work left and, in a course that the student teaches, `to_grade`. `is_sample`, here and beside the
list: it is made up."""
ANNOUNCEMENTS = "announcements"
"""Category courses. Takes `days` back, if it has that. Gives `announcements`, newest first, each with `id`, `title`,
`course` and `posted_at` (ISO 8601 or None); `url` and `is_sample` as an assignment has them."""
DISCUSSIONS = "discussions"
"""Category courses. Takes `only`: "unread". Gives `discussions`, each with `id`, `title`, `course`, `unread` posts and
`latest_at`, when the last of them was written (ISO 8601 or None); `url` as an assignment has it."""
WORKLOAD = "workload"
"""Category courses. Takes `weeks`, this one included. Gives `weeks`, each with `items`: `id`, as in the list of
assignments of the same integration, and `minutes`."""
EVENTS = "events"
"""Category calendar. Takes `start` and `end`. Gives `events` as `services.integrations.calendar.event.event_data`
writes them."""
CALENDARS = "calendars"
"""Category calendar. Gives `calendars`, each with `can_write` and, where the student may choose it, `integration`,
`name`, `id` and `blocks`: what is in it takes their time."""
FREE_TIME = "free_time"
"""Category calendar. Takes `start`, `end` and `minutes`. Gives `free`: moments `start` and `end`."""
TASKS = "tasks"
"""Category planner. Takes `state` ("open" or "all"), `due_from` and `due_until`. Gives `tasks`, each with `id`,
`title`, `due_at`, `has_time`, `is_done`, `status` and `service`."""

_TEXT: Mapping[str, Any] = {"type": "string"}
_ID: Mapping[str, Any] = {"type": ["string", "integer"]}
_TEXT_OR_NULL: Mapping[str, Any] = {"type": ["string", "null"]}
_FLAG: Mapping[str, Any] = {"type": "boolean"}
_NUMBER: Mapping[str, Any] = {"type": "number"}


def _listed(name: str, **fields: Mapping[str, Any]) -> Mapping[str, Any]:
    item = {"type": "object", "properties": fields, "required": list(fields)}
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}, "required": [name]}


_WORKLOAD_ITEMS = _listed("items", id=_ID, minutes=_NUMBER)["properties"]["items"]
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    ASSIGNMENTS: _listed(
        "assignments",
        id=_ID,
        title=_TEXT,
        course=_TEXT,
        due_at=_TEXT_OR_NULL,
        points={"type": ["number", "null"]},
        is_done=_FLAG,
        status=_TEXT,
        service=_TEXT,
    ),
    ANNOUNCEMENTS: _listed("announcements", id=_ID, title=_TEXT, course=_TEXT, posted_at=_TEXT_OR_NULL),
    DISCUSSIONS: _listed("discussions", id=_ID, title=_TEXT, course=_TEXT, unread=_NUMBER, latest_at=_TEXT_OR_NULL),
    WORKLOAD: _listed("weeks", items=_WORKLOAD_ITEMS),
    EVENTS: _listed("events", id=_ID, title=_TEXT, start=_TEXT, end=_TEXT, all_day=_FLAG, calendar=_TEXT, busy=_FLAG),
    CALENDARS: _listed("calendars", can_write=_FLAG),
    FREE_TIME: _listed("free", start=_TEXT, end=_TEXT),
    TASKS: _listed(
        "tasks", id=_ID, title=_TEXT, due_at=_TEXT_OR_NULL, has_time=_FLAG, is_done=_FLAG, status=_TEXT, service=_TEXT
    ),
}
_ANY: Mapping[str, Any] = {}


def data_schema(produces: Iterable[str]) -> Mapping[str, Any]:
    """JSON Schema of `ToolResult.data` of a tool that reads and produces this; any value without a contract."""
    return next((_SCHEMAS[name] for name in produces if name in _SCHEMAS), _ANY)
