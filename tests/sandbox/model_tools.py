"""Tools as an app would offer them to the demo model, a second set with other names, and a small world behind them."""

from collections.abc import Mapping
from typing import Any

from tests.sandbox.model_client import ToolFailed

TITLE = {"type": "string", "minLength": 1, "maxLength": 300}
OPTIONAL_DAY = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None}
COURSE = {
    "anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}],
    "default": None,
    "description": 'Only this course: its name, code, id or the student\'s words for it, like "bio".',
}
PAGE = {
    "type": "string",
    "description": "The id that notion_search gave, the page's address, or words of its title, like “Biology notes”.",
}


def tool(name: str, description: str, required: tuple[str, ...] = (), /, **properties: Any) -> dict[str, Any]:
    """A definition as the Messages API wants it."""
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return {"name": name, "description": description, "input_schema": schema}


def text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def maybe(description: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"anyOf": [{"type": kind, **more}, {"type": "null"}], "default": None, "description": description}


TOOLS = [
    tool(
        "canvas_list_courses",
        "List the student's active courses in Canvas with code, term and teachers.\n\nUse it when the student asks about their "
        "courses as such. For grades use canvas_get_grades.",
    ),
    tool(
        "canvas_list_assignments",
        "List the student's assignments, quizzes and graded discussions in Canvas, with due date, points and status.\n\nUse it "
        'for anything about what is due, missing or still to do. For "this week" use window range with the days of that week. '
        "Do not use it for the instructions of one assignment (canvas_get_assignment) or for plans and meetings.",
        window={
            "enum": ["upcoming", "overdue", "unsubmitted", "past", "range"],
            "type": "string",
            "default": "upcoming",
            "description": "upcoming: due from now on. overdue: past due and not handed in. unsubmitted: everything not handed in "
            "yet. past: was due in the last 30 days. range: due from start to end.",
        },
        start={**OPTIONAL_DAY, "description": "First day, like 2026-11-23. Needed for range."},
        end={**OPTIONAL_DAY, "description": "Last day, included, like 2026-11-29. Needed for range."},
        course=COURSE,
        limit={
            "type": "integer",
            "default": 25,
            "minimum": 1,
            "maximum": 100,
            "description": "How many to show at most.",
        },
    ),
    tool(
        "canvas_get_assignment",
        "Read one Canvas assignment in full: instructions, due date, points, how to hand it in, and how it stands.\n\nUse it when "
        "the student asks what an assignment wants, or before helping with it.",
        ("assignment",),
        assignment=text('Its id, or words of its title, like "lab report 6".'),
        course=COURSE,
    ),
    tool(
        "canvas_get_grades",
        "Show the student's current grades in Canvas: the total of every course, or each graded item of one course.",
        course=COURSE,
    ),
    tool(
        "canvas_list_announcements",
        "List what instructors announced in the student's Canvas courses lately, newest first, with the text.\n\nUse it for news "
        "from courses: cancelled classes, changed rooms or deadlines, messages of a professor.",
        days={
            "type": "integer",
            "default": 14,
            "minimum": 1,
            "maximum": 120,
            "description": "How many days to look back.",
        },
        course=COURSE,
    ),
    tool(
        "calendar_list_events",
        "List what is in the student's Google calendars on some days, in order of time.\n\nUse it for questions about plans, "
        "meetings and conflicts, and to find the id of an event before changing or deleting it. Do not use it for due dates.",
        start=maybe("First day, like 2026-11-23. Today when left out."),
        end=maybe("Last day, included, like 2026-11-29."),
        days=maybe("How many days from start on, instead of end. 7 when both are left out.", "integer"),
        search=maybe('Only events with these words in them, like "biology lab".'),
    ),
    tool(
        "calendar_find_free_time",
        "Find the gaps in the student's Google calendars that are long enough for something.\n\nUse it before proposing a time "
        "for studying or meeting.",
        start=maybe("First day, like 2026-11-23. Today when left out."),
        end=maybe("Last day, included, like 2026-11-29. Six days after start when left out."),
        minutes={
            "type": "integer",
            "default": 60,
            "minimum": 5,
            "description": "How long a gap must be at least, in minutes.",
        },
        day_start=text("Look from this time of day on, in the student's time zone, like 08:00.", default="08:00"),
        day_end=text("Look until this time of day, in the student's time zone, like 22:00.", default="22:00"),
    ),
    tool(
        "calendar_create_event",
        "Add one event to the student's main Google calendar. The student sees it and approves it first.\n\nUse it when the "
        "student asks to put something into their calendar. It cannot invite guests or repeat an event.",
        ("title", "start"),
        title={**TITLE, "description": 'What the event is called, like "Study for Biology".'},
        start=text(
            "When it starts, in the student's own time zone, like 2026-11-27T15:00; only the day when all_day is true."
        ),
        end=maybe("When it ends, like 2026-11-27T16:30. Give end or duration_minutes, not both."),
        duration_minutes=maybe("How long it lasts, like 90. 60 when neither this nor end is given.", "integer"),
        all_day={"type": "boolean", "default": False, "description": "True for an event without times of day."},
        location=text('Where it takes place, like "Main Library, room 204".', default=""),
        description=text("Notes of the event, as plain text.", default=""),
        reminders_minutes={
            "type": "array",
            "items": {"type": "integer"},
            "default": [1440, 60],
            "description": "Minutes before the start, like [1440, 60].",
        },
    ),
    tool(
        "calendar_update_event",
        "Change one event of the student's Google calendars. The student sees before and after, and approves it first.\n\nGive "
        "the event's id and only the fields that change. List the events first to find the id.",
        ("event_id",),
        event_id=text("The id that calendar_list_events gave."),
        title=maybe("A new title."),
        start=maybe("A new start, like 2026-11-27T15:00. With start alone the event moves and keeps its length."),
        end=maybe("A new end, like 2026-11-27T16:30."),
        duration_minutes=maybe("A new length instead of a new end, like 90.", "integer"),
        all_day=maybe("True makes it a whole-day event.", "boolean"),
        location=maybe('A new place; "" takes it away.'),
    ),
    tool(
        "calendar_delete_event",
        "Delete one event from the student's Google calendars. The student sees it and approves it first.\n\nList the events "
        "first to find the id.",
        ("event_id",),
        event_id=text("The id that calendar_list_events gave."),
    ),
    tool(
        "notion_search",
        "Find pages and databases in the student's Notion by words of their titles.\n\nUse it to find a page before reading it, "
        "adding to it, or creating a page under it.",
        query=text("Words of the title, like “biology”. Leave empty for what was edited last.", default=""),
        limit={
            "type": "integer",
            "default": 10,
            "minimum": 1,
            "maximum": 50,
            "description": "How many results at most.",
        },
    ),
    tool(
        "notion_read_page",
        "Read one page of the student's Notion as Markdown, or list the entries of a database with their properties.\n\nUse it "
        "before answering from a page or adding to it.",
        ("page",),
        page=PAGE,
    ),
    tool(
        "notion_create_page",
        "Create a page in the student's Notion, under a page or as an entry of a database.\n\nThe student sees it and approves it "
        "first. Use it for new notes, study plans and lists. To add to a page that exists use notion_append_to_page.",
        ("title", "parent"),
        title={**TITLE, "description": "The page's title, like “Study plan: Biology”."},
        parent=text("Where it goes: the id of a page that notion_search gave, its address, or words of its title."),
        content=text("Markdown: headings, lists, to-dos, quotes, code.", default=""),
    ),
    tool(
        "notion_append_to_page",
        "Add Markdown at the end of a page in the student's Notion. It never replaces or removes anything.\n\nThe student sees "
        "it and approves it first. To make a new page use notion_create_page.",
        ("page", "content"),
        page=PAGE,
        content=text("Markdown: headings, lists, to-dos, quotes, code."),
    ),
    tool(
        "planner_create_task",
        "Add a task to the student's own planner in Homeroom. The student sees it and approves it first.\n\nUse it when the "
        "student wants to remember or plan something to do. It is not a calendar event.",
        ("title",),
        title={**TITLE, "description": 'What is to be done, like "Read chapter 7".'},
        due_date={**OPTIONAL_DAY, "description": "The day it is due, like 2026-11-27."},
        due_time=maybe("The time of that day, in the student's own time zone, like 17:00.", format="time"),
        notes=text("Anything else, as plain text.", default=""),
    ),
    tool("planner_list_tasks", "List the open tasks in the student's own planner in Homeroom, the earliest due first."),
]

# The same abilities as another team would name and describe them.
OTHER_TOOLS = [
    tool(
        "coursework",
        "Shows homework and deadlines with their status.",
        since=text("ISO 8601", format="date-time"),
        until=text("ISO 8601", format="date-time"),
        class_name=text("Restrict to a class."),
    ),
    tool("marks", "Returns the scores and the overall percentage.", class_name=text("Restrict to a class.")),
    tool("bulletins", "Latest announcements by instructors."),
    tool(
        "agenda",
        "Lists meetings and other events between two moments.",
        ("time_min", "time_max"),
        time_min=text("RFC 3339", format="date-time"),
        time_max=text("RFC 3339", format="date-time"),
    ),
    tool(
        "gaps",
        "Reports free slots in the calendar.",
        ("time_min", "time_max"),
        time_min=text("RFC 3339", format="date-time"),
        time_max=text("RFC 3339", format="date-time"),
        duration={"type": "integer", "description": "Least length in minutes."},
    ),
    tool(
        "scheduleEvent",
        "Adds an event to the calendar.",
        ("summary", "startTime", "endTime"),
        summary=text("Name of the event."),
        startTime=text("RFC 3339", format="date-time"),
        endTime=text("RFC 3339", format="date-time"),
    ),
    tool(
        "moveEvent",
        "Reschedules an event of the calendar.",
        ("eventId",),
        eventId=text("Id of the event."),
        startTime=text("RFC 3339", format="date-time"),
        endTime=text("RFC 3339", format="date-time"),
    ),
    tool("dropEvent", "Removes an event from the calendar.", ("eventId",), eventId=text("Id of the event.")),
    tool("lookup_notes", "Searches the notebook's pages.", ("q",), q=text("What to look for.")),
    tool("add_todo", "Puts a task on the to-do list.", ("what",), what=text("What is to be done."), deadline=text("ISO date", format="date")),
]  # fmt: skip

RESULTS = {
    "calendar_find_free_time": "2 gaps of 1 hour or more, Sun 22 Nov – Mon 23 Nov 2026 (Google Calendar, as of 10:42).\n"
    "- **Sun 22 Nov 2026** — 12:00 PM – 2:00 PM CST (2 hours) — 3:00 PM – 5:00 PM CST (2 hours)\n"
    "- **Mon 23 Nov 2026** — 8:00 AM – 9:00 AM CST (1 hour)",
    "calendar_delete_event": "Deleted “Study block for bio”, Fri 27 Nov 2026, 3:00 PM – 5:00 PM CST (Google Calendar).",
    "canvas_list_assignments": "3 assignments due 23–29 November (Canvas, as of 10:42).\n"
    "- **Lab report 6** — Biology 101 — due Mon 23 Nov 2026, 11:59 PM CST — 20 points — [open](https://c.example/61) (id: 61)\n"
    "- **Essay 2** — World History — due Wed 25 Nov 2026, 5:00 PM CST — 100 points — [open](https://c.example/62) (id: 62)\n"
    "- **Problem set 5** — Calculus I — due Fri 27 Nov 2026, 11:59 PM CST — 10 points — [open](https://c.example/63) (id: 63)\n"
    "Note: Chemistry 110 could not be read.",
    "canvas_get_assignment": "“Lab report 6” in Biology 101: due Mon 23 Nov 2026, 11:59 PM CST (Canvas, as of 10:42).\n"
    "- **Lab report 6** — Biology 101 — [open](https://c.example/61) (id: 61)\nWrite two pages about osmosis.",
    "canvas_get_grades": "2 courses (Canvas, as of 10:42).\n- **Biology 101** — 91.0 % (A−)\n- **Calculus I** — 88.5 % (B+)",
    "canvas_list_announcements": "1 announcement (Canvas, as of 10:42).\n"
    "- **Room change** — Biology 101 — Fri 20 Nov 2026, 9:00 AM CST — Lab moves to room 204. — [open](https://c.example/9) (id: 9)",
    "canvas_list_courses": "2 courses (Canvas, as of 10:42).\n- **Biology 101** — BIO101 — Anne Okafor (id: 1)\n"
    "- **Calculus I** — MATH110 — Ray Fox (id: 2)",
    "planner_list_tasks": "1 open task (Homeroom planner, as of 10:42).\n- **Email Prof Okafor** — due Thu 26 Nov 2026 (id: t1)",
    "notion_append_to_page": "Added to the page “Biology notes” (Notion).\n- **Biology notes** — page (id: pg-bio)",
}  # fmt: skip
EVENTS = {
    "2026-11-21": "- **Group project** — Sat 21 Nov 2026, 3:00 PM – 4:00 PM CST — [open](https://g.example/1) (id: ev-group)",
    "2026-11-24": "- **Dentist** — Tue 24 Nov 2026, 9:00 AM – 9:30 AM CST — [open](https://g.example/3) (id: ev-dentist)",
    "2026-11-26": "- **Biology lab** — Thu 26 Nov 2026, 1:00 PM – 3:00 PM CST — [open](https://g.example/4) (id: ev-lab)",
    "2026-11-27": "- **Coffee with Lena** — Fri 27 Nov 2026, 11:00 AM – 11:30 AM CST — [open](https://g.example/5) (id: ev-lena)",
}
PAGES = {
    "pg-bio": "Biology notes",
    "pg-mitosis": "Mitosis",
    "pg-respiration": "Cell respiration",
    "pg-fall": "Fall courses",
    "pg-econ": "Econ chapter 5",
    "pg-physics": "Physics",
}


def answer(name: str, given: Mapping[str, Any]) -> str:
    """What the small world answers; unknown tools fail."""
    if name == "calendar_list_events":
        first, last = given.get("start") or "2026-11-21", given.get("end") or "2026-11-27"
        lines = [line for day, line in EVENTS.items() if first <= day <= last]
        return "\n".join([f"{len(lines)} events (Google Calendar, as of 10:42).", *lines])
    if name == "calendar_create_event":
        return f"Added to the student's calendar (Google Calendar).\n- **{given['title']}** — {_when(given)} — [open](https://g.example/9) (id: ev-new)"
    if name == "calendar_update_event":
        return f"Changed the event (Google Calendar).\n- **Changed** — {_when(given)} (id: {given['event_id']})"
    if name == "notion_search":
        words = given.get("query", "").lower().split()
        found = {
            id: title for id, title in PAGES.items() if not words or any(word[:4] in title.lower() for word in words)
        }
        lines = [f"- **{title}** — page — [open](https://n.example/{id}) (id: {id})" for id, title in found.items()]
        return "\n".join([f"{len(lines)} results (Notion, as of 10:42).", *lines])
    if name == "notion_read_page":
        title = PAGES.get(given["page"], "Untitled")
        return f"The page “{title}” (Notion, as of 10:42).\n- **{title}** — page (id: {given['page']})\n\n# {title}\nGlycolysis makes 2 ATP."
    if name == "notion_create_page":
        return f"Created a page (Notion).\n- **{given['title']}** — page — [open](https://n.example/new) (id: pg-new)"
    if name == "planner_create_task":
        return f"Added the task “{given['title']}” (Homeroom planner, id: t1)."
    if name not in RESULTS:
        raise ToolFailed(f"There is no tool {name}.")
    return RESULTS[name]


def _when(given: Mapping[str, Any]) -> str:
    start = str(given.get("start", "2026-11-27T15:00"))
    day, hour = int(start[8:10]), int(start[11:13] or 15)
    return f"Fri {day} Nov 2026, {hour % 12 or 12}:{start[14:16] or '00'} {'PM' if hour >= 12 else 'AM'} CST"
