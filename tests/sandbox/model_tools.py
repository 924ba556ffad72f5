"""Tools as an app would offer them to the demo model, a second set with other names, and a small world behind them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.sandbox.model_client import ToolFailed

TABLES = Path(__file__).parent / "model_tables"
TOOLS: list[dict[str, Any]] = json.loads((TABLES / "tools.json").read_text())
# The same abilities as another team would name and describe them.
OTHER_TOOLS: list[dict[str, Any]] = json.loads((TABLES / "other_tools.json").read_text())

RESULTS = {
    "calendar_find_free_time": "2 gaps of 1 hour or more, Sun 22 Nov – Mon 23 Nov 2026 (Google Calendar, as of "
                               "10:42).\n"
    "- **Sun 22 Nov 2026** — 12:00 PM – 2:00 PM CST (2 hours) — 3:00 PM – 5:00 PM CST (2 hours)\n"
    "- **Mon 23 Nov 2026** — 8:00 AM – 9:00 AM CST (1 hour)",
    "calendar_delete_event": "Deleted “Study block for bio”, Fri 27 Nov 2026, 3:00 PM – 5:00 PM CST (Google Calendar).",
    "canvas_list_assignments": "3 assignments due 23–29 November (Canvas, as of 10:42).\n"
    "- **Lab report 6** — Biology 101 — due Mon 23 Nov 2026, 11:59 PM CST — 20 points — [open](https://c.example/61) "
    "(id: 61)\n"
    "- **Essay 2** — World History — due Wed 25 Nov 2026, 5:00 PM CST — 100 points — [open](https://c.example/62) "
    "(id: 62)\n"
    "- **Problem set 5** — Calculus I — due Fri 27 Nov 2026, 11:59 PM CST — 10 points — [open](https://c.example/63) "
    "(id: 63)\n"
    "Note: Chemistry 110 could not be read.",
    "canvas_get_assignment": "“Lab report 6” in Biology 101: due Mon 23 Nov 2026, 11:59 PM CST (Canvas, as of 10:42).\n"
    "- **Lab report 6** — Biology 101 — [open](https://c.example/61) (id: 61)\nWrite two pages about osmosis.",
    "canvas_get_grades": "2 courses (Canvas, as of 10:42).\n- **Biology 101** — 91.0 % (A−)\n- **Calculus I** — 88.5 "
                         "% (B+)",
    "canvas_list_announcements": "1 announcement (Canvas, as of 10:42).\n"
    "- **Room change** — Biology 101 — Fri 20 Nov 2026, 9:00 AM CST — Lab moves to room 204. — "
    "[open](https://c.example/9) (id: 9)",
    "canvas_list_courses": "2 courses (Canvas, as of 10:42).\n- **Biology 101** — BIO101 — Anne Okafor (id: 1)\n"
    "- **Calculus I** — MATH110 — Ray Fox (id: 2)",
    "planner_list_tasks": "1 open task (Homeroom planner, as of 10:42).\n- **Email Prof Okafor** — due Thu 26 Nov "
                          "2026 (id: t1)",
    "notion_append_to_page": "Added to the page “Biology notes” (Notion).\n- **Biology notes** — page (id: pg-bio)",
}  # fmt: skip
EVENTS = {
    "2026-11-21": "- **Group project** — Sat 21 Nov 2026, 3:00 PM – 4:00 PM CST — [open](https://g.example/1) (id: "
    "ev-group)",
    "2026-11-24": "- **Dentist** — Tue 24 Nov 2026, 9:00 AM – 9:30 AM CST — [open](https://g.example/3) (id: "
    "ev-dentist)",
    "2026-11-26": "- **Biology lab** — Thu 26 Nov 2026, 1:00 PM – 3:00 PM CST — [open](https://g.example/4) (id: "
    "ev-lab)",
    "2026-11-27": "- **Coffee with Lena** — Fri 27 Nov 2026, 11:00 AM – 11:30 AM CST — [open](https://g.example/5) "
    "(id: ev-lena)",
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
    if name in WORLD:
        return WORLD[name](given)
    if name not in RESULTS:
        raise ToolFailed(f"There is no tool {name}.")
    return RESULTS[name]


def _list_events(given: Mapping[str, Any]) -> str:
    first, last = given.get("start") or "2026-11-21", given.get("end") or "2026-11-27"
    lines = [line for day, line in EVENTS.items() if first <= day <= last]
    return "\n".join([f"{len(lines)} events (Google Calendar, as of 10:42).", *lines])


def _create_event(given: Mapping[str, Any]) -> str:
    line = f"- **{given['title']}** — {_when(given)} — [open](https://g.example/9) (id: ev-new)"
    return f"Added to the student's calendar (Google Calendar).\n{line}"


def _update_event(given: Mapping[str, Any]) -> str:
    return f"Changed the event (Google Calendar).\n- **Changed** — {_when(given)} (id: {given['event_id']})"


def _search(given: Mapping[str, Any]) -> str:
    words = given.get("query", "").lower().split()
    found = {id: title for id, title in PAGES.items() if not words or any(word[:4] in title.lower() for word in words)}
    lines = [f"- **{title}** — page — [open](https://n.example/{id}) (id: {id})" for id, title in found.items()]
    return "\n".join([f"{len(lines)} results (Notion, as of 10:42).", *lines])


def _read_page(given: Mapping[str, Any]) -> str:
    title = PAGES.get(given["page"], "Untitled")
    line = f"- **{title}** — page (id: {given['page']})"
    return f"The page “{title}” (Notion, as of 10:42).\n{line}\n\n# {title}\nGlycolysis makes 2 ATP."


def _create_page(given: Mapping[str, Any]) -> str:
    line = f"- **{given['title']}** — page — [open](https://n.example/new) (id: pg-new)"
    return f"Created a page (Notion).\n{line}"


def _create_task(given: Mapping[str, Any]) -> str:
    return f"Added the task “{given['title']}” (Homeroom planner, id: t1)."


def _when(given: Mapping[str, Any]) -> str:
    start = str(given.get("start", "2026-11-27T15:00"))
    day, hour = int(start[8:10]), int(start[11:13] or 15)
    return f"Fri {day} Nov 2026, {hour % 12 or 12}:{start[14:16] or '00'} {'PM' if hour >= 12 else 'AM'} CST"


WORLD: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "calendar_list_events": _list_events,
    "calendar_create_event": _create_event,
    "calendar_update_event": _update_event,
    "notion_search": _search,
    "notion_read_page": _read_page,
    "notion_create_page": _create_page,
    "planner_create_task": _create_task,
}
