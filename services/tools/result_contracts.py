"""Result contracts: the names in `Tool.produces` and the shape of `ToolResult.data` that each promises.

Pages that show a student's days find tools by them, whichever service the tools speak to. Besides, `data` has:
`total`, how many there are if not all are listed, and `notes`, sentences for the student about what could not be read.
"""

ASSIGNMENTS = "assignments"
"""Category courses. Takes `window`: "range" with `start` and `end` (days, both included), or "overdue": past due and
not handed in; and `limit` if it has one. Gives `assignments`, each with `id`, `title`, `course`, `due_at` (ISO 8601 or
None), `points` (or None), `kind` ("exam" matters), `is_done`, `status` in words and `service`; if there is more to say
`url`, `minutes` of work left and, in a course that the student teaches, `to_grade`. `is_sample`, here and beside the
list: it is made up."""
WORKLOAD = "workload"
"""Category courses. Takes `weeks`, this one included. Gives `weeks`, each with `items`: `id`, as in the list of
assignments of the same integration, and `minutes`."""
EVENTS = "events"
"""Category calendar. Takes `start` and `end`. Gives `events` as `services.integrations.calendar.event.event_data`
writes them."""
CALENDARS = "calendars"
"""Category calendar. Gives `calendars`, each with `can_write`."""
FREE_TIME = "free_time"
"""Category calendar. Takes `start`, `end` and `minutes`. Gives `free`: moments `start` and `end`."""
TASKS = "tasks"
"""Category planner. Takes `state` ("open" or "all"), `due_from` and `due_until`. Gives `tasks`, each with `id`,
`title`, `due_at`, `has_time`, `is_done`, `status` and `service`."""
