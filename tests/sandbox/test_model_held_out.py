"""Forty messages written after the rules were tuned and never tuned on: how well strangers are understood."""

from tests.sandbox.model_thoughts import turn
from tests.sandbox.model_tools import TOOLS, answer
from tests.sandbox.test_model_paraphrases import Row, fits

LEAST = 32
HELD_OUT: list[Row] = [
    ("Could you check whether I've got anything overdue?", "canvas_list_assignments", {"window": "overdue"}),
    ("what homework is there for stats this coming week", "canvas_list_assignments", {"course": "stats"}),
    ("I feel like I'm forgetting an assignment", "canvas_list_assignments", {}),
    ("everything that's due between Monday and Thursday", "canvas_list_assignments", {"window": "range", "start": "2026-11-23", "end": "2026-11-26"}),
    ("when do I have to turn in Problem set 5?", "canvas_list_assignments", {}),
    ("what's my percentage in World History?", "canvas_get_grades", {"course": "World History"}),
    ("did that bio midterm tank my grade?", "canvas_get_grades", {"course": "bio"}),
    ("grades", "canvas_get_grades", {}),
    ("can you explain what Problem set 5 wants me to do", "canvas_get_assignment", {"assignment": "Problem set 5"}),
    ("give me the requirements of the lab report in biology", "canvas_get_assignment", {"assignment": "lab report", "course": "biology"}),
    ("latest announcements", "canvas_list_announcements", {}),
    ("was class cancelled? any word from the instructor?", "canvas_list_announcements", {}),
    ("give me a list of my classes and who's teaching them", "canvas_list_courses", {}),
    ("what have I got going on today?", "calendar_list_events", {"start": "2026-11-21", "end": "2026-11-21"}),
    ("remind me when the coffee with Lena is", "calendar_list_events", {}),
    ("what's happening the day after tomorrow", "calendar_list_events", {"start": "2026-11-23", "end": "2026-11-23"}),
    ("could you look for two free hours on Monday evening?", "calendar_find_free_time", {"start": "2026-11-23", "minutes": 120, "day_start": "17:00"}),
    ("I need somewhere to put a 45-minute workout on Tuesday - where's a gap?", "calendar_find_free_time", {"start": "2026-11-24", "minutes": 45}),
    ("can Diego and I meet on Thursday after 4, am I free?", "calendar_find_free_time", {"start": "2026-11-26"}),
    ("set aside 2 hours on Sunday at 1pm to work on the lab report", "calendar_create_event", {"start": "2026-11-22T13:00", "duration_minutes": 120}),
    ("calendar: advisor meeting Wed 11am", "calendar_create_event", {"start": "2026-11-25T11:00"}),
    ("make an appointment for a haircut, next Friday, half past four", "calendar_create_event", {"start": "2026-11-27T16:30"}),
    ("stick “Mom's birthday dinner” in there for Nov 29 at 7pm", "calendar_create_event", {"title": "Mom's birthday dinner", "start": "2026-11-29T19:00"}),
    ("please schedule tutoring from 16:00 till 17:30 on Tuesday", "calendar_create_event", {"start": "2026-11-24T16:00", "end": "2026-11-24T17:30"}),
    ("bump the dentist to Thursday same time", "calendar_update_event", {"event_id": "ev-dentist", "start": "2026-11-26T09:00"}),
    ("the biology lab should end at 4 instead", "calendar_update_event", {"event_id": "ev-lab"}),
    ("extend the group project meeting by half an hour", "calendar_update_event", {"event_id": "ev-group"}),
    ("I'm not going to the dentist on Tuesday any more, take it out of my calendar", "calendar_delete_event", {"event_id": "ev-dentist"}),
    ("unschedule coffee w/ Lena", "calendar_delete_event", {"event_id": "ev-lena"}),
    ("show me what I wrote on the Econ chapter 5 page", "notion_read_page", {"page": "pg-econ"}),
    ("is there a page on thermodynamics in my notion?", "notion_search", {"query": "thermodynamics"}),
    ("put “review flashcards daily” at the end of my biology notes", "notion_append_to_page", {"page": "pg-bio", "content": "review flashcards daily"}),
    ("new notion page under Fall courses called Reading list: Beloved, Emma, Ulysses", "notion_create_page", {"title": "Reading list", "parent": "pg-fall", "content": "Beloved, Emma, Ulysses"}),
    ("put calling the registrar on my list for Tuesday", "planner_create_task", {"due_date": "2026-11-24"}),
    ("I must not forget to renew my student card before Friday", "planner_create_task", {}),
    ("which todos are still open", "planner_list_tasks", {}),
    ("¿tengo algo pendiente para el lunes?", "canvas_list_assignments", {"window": "range", "start": "2026-11-23"}),
    ("¿a qué hora es mi cita con el dentista?", "calendar_list_events", {}),
    ("pon en mi calendario: repaso de cálculo el domingo de 10 a 12", "calendar_create_event", {"start": "2026-11-22T10:00", "end": "2026-11-22T12:00"}),
    ("quita el laboratorio de biología del jueves", "calendar_delete_event", {"event_id": "ev-lab"}),
]  # fmt: skip


def test_held_out_messages_are_mostly_understood() -> None:
    missed = []
    for text, tool, arguments in HELD_OUT:
        calls, said = turn([text], TOOLS, answer)
        if not calls or not fits(calls[-1], tool, arguments):
            missed.append((text, calls or said[:80]))

    assert len(HELD_OUT) == 40
    assert len(HELD_OUT) - len(missed) >= LEAST, missed
