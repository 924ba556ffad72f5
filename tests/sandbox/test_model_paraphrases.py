"""Free wording, English and Spanish, and the calls it must lead to. Now is Saturday 21 November 2026, 10:42."""

from typing import Any

import pytest

from tests.sandbox.model_thoughts import turn
from tests.sandbox.model_tools import OTHER_TOOLS, TOOLS, answer

RANGE = {"window": "range"}
THIS_WEEK = {**RANGE, "start": "2026-11-21", "end": "2026-11-29"}
NEXT_WEEK = {**RANGE, "start": "2026-11-23", "end": "2026-11-29"}
TOMORROW = {"start": "2026-11-22", "end": "2026-11-22"}
AFTERNOON = {"day_start": "12:00", "day_end": "17:00"}
ASSIGNMENTS, GET, GRADES = "canvas_list_assignments", "canvas_get_assignment", "canvas_get_grades"
COURSES, NEWS = "canvas_list_courses", "canvas_list_announcements"
EVENTS, FREE = "calendar_list_events", "calendar_find_free_time"
ADD, CHANGE, DELETE = "calendar_create_event", "calendar_update_event", "calendar_delete_event"
SEARCH, READ, PAGE, APPEND = "notion_search", "notion_read_page", "notion_create_page", "notion_append_to_page"
TASK, TASKS = "planner_create_task", "planner_list_tasks"
Row = tuple[str, str, dict[str, Any]]

COURSEWORK: list[Row] = [
    ("What is due this week?", ASSIGNMENTS, THIS_WEEK),
    ("what's on my plate this week", ASSIGNMENTS, THIS_WEEK),
    ("anything due soon?", ASSIGNMENTS, {"window": "upcoming"}),
    ("what do I still have to hand in before Sunday night?", ASSIGNMENTS, {**RANGE, "end": "2026-11-22"}),
    ("did I forget to turn something in?", ASSIGNMENTS, {"window": "overdue"}),
    ("waht asignments are due tommorow", ASSIGNMENTS, {**RANGE, **TOMORROW}),
    ("Do I have any homework for Monday?", ASSIGNMENTS, {**RANGE, "start": "2026-11-23", "end": "2026-11-23"}),
    ("show me my overdue assignments", ASSIGNMENTS, {"window": "overdue"}),
    ("what am I missing in bio?", ASSIGNMENTS, {"window": "overdue", "course": "bio"}),
    ("which assignments haven't I submitted yet", ASSIGNMENTS, {"window": "unsubmitted"}),
    ("upcoming deadlines for chemistry please", ASSIGNMENTS, {"course": "chemistry"}),
    ("list everything due next week", ASSIGNMENTS, NEXT_WEEK),
    ("when is the calc problem set due", ASSIGNMENTS, {"course": "calc"}),
    ("is there anything I need to submit tonight?", ASSIGNMENTS, {**RANGE, "start": "2026-11-21", "end": "2026-11-21"}),
    ("What's on my Canvas to-do list?", ASSIGNMENTS, {}),
    ("how much homework have I got in the next 3 days?", ASSIGNMENTS, {**RANGE, "end": "2026-11-24"}),
    ("am I behind on anything", ASSIGNMENTS, {"window": "overdue"}),
    ("Which quizzes are coming up?", ASSIGNMENTS, {"window": "upcoming"}),
    ("what was due last week?", ASSIGNMENTS, {**RANGE, "start": "2026-11-09", "end": "2026-11-15"}),
    ("give me a rundown of my deadlines until December 4", ASSIGNMENTS, {**RANGE, "end": "2026-12-04"}),
    ("¿qué tengo que entregar esta semana?", ASSIGNMENTS, THIS_WEEK),
    ("¿qué tareas tengo para mañana?", ASSIGNMENTS, {**RANGE, **TOMORROW}),
    ("¿se me ha pasado alguna entrega?", ASSIGNMENTS, {}),
    ("muéstrame las entregas de biología", ASSIGNMENTS, {"course": "biology"}),
    ("¿cuándo vence el ensayo de historia?", ASSIGNMENTS, {"course": "history"}),
    ("what are the instructions for the bio lab report", GET, {"assignment": "lab report", "course": "bio"}),
    ("how many points is problem set 5 worth", GET, {"assignment": "problem set 5"}),
    ("show me the details of lab report 6", GET, {"assignment": "lab report 6"}),
    ("what do I have to do for Essay 2?", GET, {"assignment": "Essay 2"}),
    ("what's the rubric for the history essay", GET, {"assignment": "essay", "course": "history"}),
    ("¿cuáles son las instrucciones del Lab report 6?", GET, {"assignment": "Lab report 6"}),
    ("how am I doing in calc", GRADES, {"course": "calc"}),
    ("am i cooked in calc or what", GRADES, {"course": "calc"}),
    ("shwo me my grdaes", GRADES, {}),
    ("Show me my current grade in Organic Chemistry.", GRADES, {"course": "Organic Chemistry"}),
    ("what's my average right now?", GRADES, {}),
    ("did I pass the bio quiz?", GRADES, {"course": "bio"}),
    ("am I failing anything", GRADES, {}),
    ("What score did I get on the last quiz in statistics?", GRADES, {"course": "statistics"}),
    ("how are my grades looking", GRADES, {}),
    ("whats my gpa looking like", GRADES, {}),
    ("What do I need on the final to keep my B+?", GRADES, {}),
    ("¿cómo voy en cálculo?", GRADES, {"course": "calculus"}),
    ("¿qué nota tengo en química?", GRADES, {"course": "chemistry"}),
    ("muéstrame mis calificaciones", GRADES, {}),
    ("¿estoy aprobando física?", GRADES, {"course": "physics"}),
    ("what classes am I taking", COURSES, {}),
    ("who teaches my chem class", COURSES, {}),
    ("list my courses this semester", COURSES, {}),
    ("¿en qué cursos estoy matriculada?", COURSES, {}),
    ("any news from my profs", NEWS, {}),
    ("any anouncements form prof kim", NEWS, {}),
    ("what did my teachers post this past week", NEWS, {}),
    ("Has Professor Okafor announced anything about the midterm?", NEWS, {}),
    ("whats new in biology", NEWS, {"course": "biology"}),
    ("did any instructor cancel class?", NEWS, {}),
    ("catch me up on course announcements since Wednesday", NEWS, {}),
    ("¿hay anuncios de mis profesores?", NEWS, {}),
    ("¿alguna novedad en la clase de historia?", NEWS, {"course": "history"}),
]
CALENDAR: list[Row] = [
    ("what's on my calendar tomorrow", EVENTS, TOMORROW),
    ("do I have class on Monday?", EVENTS, {"start": "2026-11-23", "end": "2026-11-23"}),
    ("when am I meeting Lena?", EVENTS, {}),
    ("Forget Canvas for now, when am I meeting Lena?", EVENTS, {}),
    ("what does my Thursday look like", EVENTS, {"start": "2026-11-26", "end": "2026-11-26"}),
    ("anything going on this weekend?", EVENTS, {"start": "2026-11-21", "end": "2026-11-22"}),
    ("show my schedule for next week", EVENTS, {"start": "2026-11-23", "end": "2026-11-29"}),
    ("where do I have to be at 3 today?", EVENTS, {"start": "2026-11-21"}),
    ("do I have any appointments on Nov 24?", EVENTS, {"start": "2026-11-24", "end": "2026-11-24"}),
    ("when's my next meeting", EVENTS, {}),
    ("am I busy Friday evening", EVENTS, {"start": "2026-11-27"}),
    ("¿qué tengo en el calendario mañana?", EVENTS, TOMORROW),
    ("¿tengo alguna reunión el lunes?", EVENTS, {"start": "2026-11-23", "end": "2026-11-23"}),
    ("enséñame mi agenda de la semana que viene", EVENTS, {"start": "2026-11-23", "end": "2026-11-29"}),
    ("when am I free tomorrow afternoon", FREE, {**TOMORROW, **AFTERNOON}),
    ("am i freee thrusday evning", FREE, {"start": "2026-11-26", "day_start": "17:00", "day_end": "21:00"}),
    ("Find a two-hour gap on the weekend.", FREE, {"start": "2026-11-21", "end": "2026-11-22", "minutes": 120}),
    ("Do I have time for coffee with Sam on Friday?", FREE, {"start": "2026-11-27", "end": "2026-11-27"}),
    ("when could I squeeze in 90 minutes of studying on Tuesday", FREE, {"start": "2026-11-24", "minutes": 90}),
    ("any open slots next week?", FREE, {"start": "2026-11-23", "end": "2026-11-29"}),
    (
        "what's my availability on Wednesday morning",
        FREE,
        {"start": "2026-11-25", "day_start": "08:00", "day_end": "12:00"},
    ),
    ("¿cuándo estoy libre mañana por la tarde?", FREE, {**TOMORROW, "day_start": "12:00"}),
    ("¿tengo algún hueco de dos horas el jueves?", FREE, {"start": "2026-11-26", "minutes": 120}),
    ("busca un rato libre para estudiar el domingo", FREE, TOMORROW),
    (
        "pop a 2h study block for bio into my calendar on Friday at 3",
        ADD,
        {"title": "Study block for bio", "start": "2026-11-27T15:00", "duration_minutes": 120},
    ),
    ("pencil me in w/ josh thurs 5ish", ADD, {"title": "Meeting with josh", "start": "2026-11-26T17:00"}),
    (
        "schedule a meeting with Prof Okafor tomorrow 2-3pm at the library",
        ADD,
        {
            "title": "Meeting with Prof Okafor",
            "start": "2026-11-22T14:00",
            "end": "2026-11-22T15:00",
            "location": "the library",
        },
    ),
    ("put dentist on thursday at 10am", ADD, {"title": "Dentist", "start": "2026-11-26T10:00"}),
    (
        "block off Saturday morning from 9 to 11 for essay writing",
        ADD,
        {"title": "Essay writing", "start": "2026-11-28T09:00", "end": "2026-11-28T11:00"},
    ),
    (
        "can you add “Group project” to my calendar for Monday at noon?",
        ADD,
        {"title": "Group project", "start": "2026-11-23T12:00"},
    ),
    ("I have a doctor's appointment on December 2 at 8:30am", ADD, {"start": "2026-12-02T08:30"}),
    ("book an hour of calc revision for tomorrow at 4", ADD, {"start": "2026-11-22T16:00", "duration_minutes": 60}),
    (
        "please create an event called Lab meeting on 2026-11-30 from 13:00 to 14:30",
        ADD,
        {"title": "Lab meeting", "start": "2026-11-30T13:00", "end": "2026-11-30T14:30"},
    ),
    ("set up lunch with Ana next Tuesday 12:30", ADD, {"title": "Lunch with Ana", "start": "2026-11-24T12:30"}),
    ("gym tomorrow 6pm", ADD, {"title": "Gym", "start": "2026-11-22T18:00"}),
    ("could you schedule office hours with Dr. Lee in two hours", ADD, {"start": "2026-11-21T12:42"}),
    ("add a 45 minute call with mom on sunday at 7pm", ADD, {"start": "2026-11-22T19:00", "duration_minutes": 45}),
    (
        "añade una sesión de estudio de química el jueves a las 5 de la tarde",
        ADD,
        {"title": "Sesión de estudio de química", "start": "2026-11-26T17:00"},
    ),
    (
        "ponme una reunión con Diego mañana de 3 a 4",
        ADD,
        {"title": "Reunión con Diego", "start": "2026-11-22T15:00", "end": "2026-11-22T16:00"},
    ),
    (
        "agenda dos horas de repaso de física el viernes a las 10",
        ADD,
        {"start": "2026-11-27T10:00", "duration_minutes": 120},
    ),
    (
        "I need to push my 3 o'clock back by half an hour.",
        CHANGE,
        {"event_id": "ev-group", "start": "2026-11-21T15:30"},
    ),
    ("move my coffee with Lena to Saturday at noon", CHANGE, {"event_id": "ev-lena", "start": "2026-11-28T12:00"}),
    ("reschedule the dentist for Wednesday at 11", CHANGE, {"event_id": "ev-dentist", "start": "2026-11-25T11:00"}),
    ("change my biology lab from Thursday to Friday", CHANGE, {"event_id": "ev-lab", "start": "2026-11-27T13:00"}),
    (
        "rename my dentist appointment to Dentist (checkup)",
        CHANGE,
        {"event_id": "ev-dentist", "title": "Dentist (checkup)"},
    ),
    ("make the coffee with Lena 45 minutes long", CHANGE, {"event_id": "ev-lena", "duration_minutes": 45}),
    (
        "mueve la cita del dentista al miércoles a las 10",
        CHANGE,
        {"event_id": "ev-dentist", "start": "2026-11-25T10:00"},
    ),
    ("aplaza el café con Lena media hora", CHANGE, {"event_id": "ev-lena", "start": "2026-11-27T11:30"}),
    ("Cancel my dentist appointment next Tuesday.", DELETE, {"event_id": "ev-dentist"}),
    ("get rid of the biology lab on thursday", DELETE, {"event_id": "ev-lab"}),
    ("I can't make coffee with Lena, please take it off my calendar", DELETE, {"event_id": "ev-lena"}),
    ("delete the group project thing today", DELETE, {"event_id": "ev-group"}),
    ("cancela el dentista del martes", DELETE, {"event_id": "ev-dentist"}),
    ("borra el café con Lena", DELETE, {"event_id": "ev-lena"}),
]
NOTES: list[Row] = [
    ("find my notes about mitosis", SEARCH, {"query": "mitosis"}),
    ("Where did I put the stuff about Bayes' theorem?", SEARCH, {}),
    ("do I have any notes on the French Revolution", SEARCH, {"query": "French Revolution"}),
    ("search notion for econ", SEARCH, {"query": "econ"}),
    ("look for the page where I wrote about supply and demand", SEARCH, {}),
    ("busca mis apuntes sobre la mitosis", SEARCH, {"query": "mitosis"}),
    ("¿dónde están mis notas sobre derivadas?", SEARCH, {"query": "derivadas"}),
    ("Open my Notion page on cell respiration.", READ, {"page": "pg-respiration"}),
    ("what do my notes say about mitosis?", READ, {"page": "pg-mitosis"}),
    ("read me the Econ chapter 5 page", READ, {"page": "pg-econ"}),
    ("summarize my biology notes", READ, {"page": "pg-bio"}),
    ("abre la página de física en Notion", READ, {"page": "pg-physics"}),
    ("add to my bio notes: the krebs cycle makes 2 ATP", APPEND, {"page": "pg-bio", "content": "the krebs cycle makes 2 ATP"}),
    ("append “Anaphase comes third” to the mitosis page", APPEND, {"page": "pg-mitosis", "content": "Anaphase comes third"}),
    ("añade a mis apuntes de biología: la mitosis tiene cuatro fases", APPEND, {"page": "pg-bio", "content": "la mitosis tiene cuatro fases"}),
    ("create a page called Exam plan under Fall courses", PAGE, {"title": "Exam plan", "parent": "pg-fall"}),
    ("make a new notion page titled Week 9 inside the Physics page: forces and momentum", PAGE, {"title": "Week 9", "parent": "pg-physics", "content": "forces and momentum"}),
    ("crea una página llamada Repaso de física", PAGE, {"title": "Repaso de física", "parent": "pg-physics"}),
    ("write this in notion under Biology notes: osmosis moves water", PAGE, {"parent": "pg-bio", "content": "osmosis moves water"}),
]  # fmt: skip
TASKS_ROWS: list[Row] = [
    ("remind me to email Prof Okafor by Thursday", TASK, {"title": "Email Prof Okafor", "due_date": "2026-11-26"}),
    ("add a task to email Prof X by Thursday", TASK, {"title": "Email Prof X", "due_date": "2026-11-26"}),
    ("Remind me to email Professor Nguyen on Friday morning.", TASK, {"title": "Email Professor Nguyen", "due_date": "2026-11-27"}),
    ("put 'buy graph paper' on my to-do list", TASK, {"title": "buy graph paper"}),
    ("don't let me forget to return the library books tomorrow at 5pm", TASK, {"title": "Return the library books", "due_date": "2026-11-22", "due_time": "17:00"}),
    ("new task: read chapter 7, due 11/30", TASK, {"due_date": "2026-11-30"}),
    ("add finish lab write-up to my task list for monday", TASK, {"due_date": "2026-11-23"}),
    ("recuérdame comprar el libro de historia mañana", TASK, {"title": "Comprar el libro de historia", "due_date": "2026-11-22"}),
    ("añade una tarea: llamar a la biblioteca el lunes", TASK, {"due_date": "2026-11-23"}),
    ("show my to-do list", TASKS, {}),
    ("what tasks do I have", TASKS, {}),
    ("what reminders did I set", TASKS, {}),
    ("¿qué recordatorios tengo?", TASKS, {}),
]  # fmt: skip
# Four sets of forty that were held out once (30, 30, 29 and 31 were understood, strictly); the rules have learnt from them since.
STRANGERS: list[Row] = [
    ("hey, could you tell me which assignments I should be working on for the next two weeks?", ASSIGNMENTS, {}),
    ("got anything to submit by Wednesday?", ASSIGNMENTS, {"window": "range", "end": "2026-11-25"}),
    ("Is my psychology paper late?", ASSIGNMENTS, {"course": "psychology"}),
    ("deadlines pls", ASSIGNMENTS, {}),
    ("how's my standing in linear algebra", GRADES, {"course": "linear algebra"}),
    ("tell me what I scored on my exams", GRADES, {}),
    ("Which of my classes am I doing worst in?", GRADES, {}),
    ("what's the lab report 6 assignment asking for exactly?", GET, {"assignment": "lab report 6"}),
    ("how long does Essay 2 have to be?", GET, {}),
    ("have my instructors sent out anything lately?", NEWS, {}),
    ("Did the bio professor say something about the room for lab?", NEWS, {"course": "bio"}),
    ("which subjects am I enrolled in this term?", COURSES, {}),
    ("run me through my day tomorrow", EVENTS, {"start": "2026-11-22", "end": "2026-11-22"}),
    ("what time is my dentist thing on Tuesday?", EVENTS, {"start": "2026-11-24"}),
    ("do I have plans on Saturday night", EVENTS, {}),
    ("is Wednesday afternoon open for me?", FREE, {"start": "2026-11-25", "day_start": "12:00"}),
    ("I want to go climbing for three hours sometime this weekend, when would that work?", FREE, {"minutes": 180}),
    ("any chance I could fit a nap in tomorrow between 1 and 4?", FREE, {"start": "2026-11-22"}),
    ("throw a 30 min check-in with Priya on my calendar Monday 9:15am", ADD, {"start": "2026-11-23T09:15", "duration_minutes": 30}),
    ("I've got band practice Thursday from 7 to 9pm, put it in", ADD, {"start": "2026-11-26T19:00", "end": "2026-11-26T21:00"}),
    ("reserve tomorrow 10am-noon for finishing my history reading", ADD, {"start": "2026-11-22T10:00", "end": "2026-11-22T12:00"}),
    ("let's do a review session for chem on the 25th at 2pm", ADD, {"start": "2026-11-25T14:00"}),
    ("Could the biology lab start an hour later?", CHANGE, {"event_id": "ev-lab", "start": "2026-11-26T14:00"}),
    ("shift my dentist visit to 10:30", CHANGE, {"event_id": "ev-dentist", "start": "2026-11-24T10:30"}),
    ("please remove coffee with lena from friday", DELETE, {"event_id": "ev-lena"}),
    ("dentist's not happening, scrap it", DELETE, {"event_id": "ev-dentist"}),
    ("pull up my page on cell respiration please", READ, {"page": "pg-respiration"}),
    ("have I written anything on mitosis?", SEARCH, {"query": "mitosis"}),
    ("jot this down under Physics: F = ma", PAGE, {"parent": "pg-physics"}),
    ("start a fresh page for my thesis ideas inside Fall courses", PAGE, {"parent": "pg-fall"}),
    ("I need to remember to pay the lab fee by December 1", TASK, {"due_date": "2026-12-01"}),
    ("add 'print slides' to my todos for tomorrow", TASK, {"title": "print slides", "due_date": "2026-11-22"}),
    ("what's still on my to do list?", TASKS, {}),
    ("¿me queda algo por entregar en física?", ASSIGNMENTS, {"course": "physics"}),
    ("¿qué sacaste... digo, qué saqué en el examen de biología?", GRADES, {"course": "biology"}),
    ("¿qué dijo la profesora de química?", NEWS, {"course": "chemistry"}),
    ("resérvame el miércoles de 18:00 a 20:00 para estudiar historia", ADD, {"start": "2026-11-25T18:00", "end": "2026-11-25T20:00"}),
    ("¿tengo libre el viernes por la mañana?", FREE, {"start": "2026-11-27", "day_start": "08:00"}),
    ("apúntame que tengo que devolver los libros el lunes", TASK, {"due_date": "2026-11-23"}),
    ("cambia el laboratorio de biología a las 4", CHANGE, {"event_id": "ev-lab", "start": "2026-11-26T16:00"}),
    ("Could you check whether I've got anything overdue?", ASSIGNMENTS, {"window": "overdue"}),
    ("what homework is there for stats this coming week", ASSIGNMENTS, {"course": "stats"}),
    ("I feel like I'm forgetting an assignment", ASSIGNMENTS, {}),
    ("everything that's due between Monday and Thursday", ASSIGNMENTS, {"window": "range", "start": "2026-11-23", "end": "2026-11-26"}),
    ("when do I have to turn in Problem set 5?", ASSIGNMENTS, {}),
    ("what's my percentage in World History?", GRADES, {"course": "World History"}),
    ("did that bio midterm tank my grade?", GRADES, {"course": "bio"}),
    ("grades", GRADES, {}),
    ("can you explain what Problem set 5 wants me to do", GET, {"assignment": "Problem set 5"}),
    ("give me the requirements of the lab report in biology", GET, {"assignment": "lab report", "course": "biology"}),
    ("latest announcements", NEWS, {}),
    ("was class cancelled? any word from the instructor?", NEWS, {}),
    ("give me a list of my classes and who's teaching them", COURSES, {}),
    ("what have I got going on today?", EVENTS, {"start": "2026-11-21", "end": "2026-11-21"}),
    ("remind me when the coffee with Lena is", EVENTS, {}),
    ("what's happening the day after tomorrow", EVENTS, {"start": "2026-11-23", "end": "2026-11-23"}),
    ("could you look for two free hours on Monday evening?", FREE, {"start": "2026-11-23", "minutes": 120, "day_start": "17:00"}),
    ("I need somewhere to put a 45-minute workout on Tuesday - where's a gap?", FREE, {"start": "2026-11-24", "minutes": 45}),
    ("can Diego and I meet on Thursday after 4, am I free?", FREE, {"start": "2026-11-26"}),
    ("set aside 2 hours on Sunday at 1pm to work on the lab report", ADD, {"start": "2026-11-22T13:00", "duration_minutes": 120}),
    ("calendar: advisor meeting Wed 11am", ADD, {"start": "2026-11-25T11:00"}),
    ("make an appointment for a haircut, next Friday, half past four", ADD, {"start": "2026-11-27T16:30"}),
    ("stick “Mom's birthday dinner” in there for Nov 29 at 7pm", ADD, {"title": "Mom's birthday dinner", "start": "2026-11-29T19:00"}),
    ("please schedule tutoring from 16:00 till 17:30 on Tuesday", ADD, {"start": "2026-11-24T16:00", "end": "2026-11-24T17:30"}),
    ("bump the dentist to Thursday same time", CHANGE, {"event_id": "ev-dentist", "start": "2026-11-26T09:00"}),
    ("the biology lab should end at 4 instead", CHANGE, {"event_id": "ev-lab"}),
    ("extend the group project meeting by half an hour", CHANGE, {"event_id": "ev-group"}),
    ("I'm not going to the dentist on Tuesday any more, take it out of my calendar", DELETE, {"event_id": "ev-dentist"}),
    ("unschedule coffee w/ Lena", DELETE, {"event_id": "ev-lena"}),
    ("show me what I wrote on the Econ chapter 5 page", READ, {"page": "pg-econ"}),
    ("is there a page on thermodynamics in my notion?", SEARCH, {"query": "thermodynamics"}),
    ("put “review flashcards daily” at the end of my biology notes", APPEND, {"page": "pg-bio", "content": "review flashcards daily"}),
    ("new notion page under Fall courses called Reading list: Beloved, Emma, Ulysses", PAGE, {"title": "Reading list", "parent": "pg-fall", "content": "Beloved, Emma, Ulysses"}),
    ("put calling the registrar on my list for Tuesday", TASK, {"due_date": "2026-11-24"}),
    ("I must not forget to renew my student card before Friday", TASK, {}),
    ("which todos are still open", TASKS, {}),
    ("¿tengo algo pendiente para el lunes?", ASSIGNMENTS, {"window": "range", "start": "2026-11-23"}),
    ("¿a qué hora es mi cita con el dentista?", EVENTS, {}),
    ("pon en mi calendario: repaso de cálculo el domingo de 10 a 12", ADD, {"start": "2026-11-22T10:00", "end": "2026-11-22T12:00"}),
    ("quita el laboratorio de biología del jueves", DELETE, {"event_id": "ev-lab"}),
    ("what should I be handing in over the next few days?", ASSIGNMENTS, {}),
    ("anything for physics I haven't done?", ASSIGNMENTS, {"course": "physics"}),
    ("Tell me about all upcoming quizzes", ASSIGNMENTS, {}),
    ("is the econ homework due tonight or tomorrow?", ASSIGNMENTS, {"course": "econ"}),
    ("which of my assignments are already late", ASSIGNMENTS, {"window": "overdue"}),
    ("due dates for December", ASSIGNMENTS, {}),
    ("What grade do I have in Spanish so far?", GRADES, {"course": "Spanish"}),
    ("I wanna see how I did in my lab", GRADES, {}),
    ("will I pass statistics?", GRADES, {"course": "statistics"}),
    ("Where do I find the instructions for Essay 2?", GET, {"assignment": "Essay 2"}),
    ("what exactly does lab report 6 require", GET, {"assignment": "lab report 6"}),
    ("anything important the teachers told us this week?", NEWS, {}),
    ("new messages from the chemistry instructor?", NEWS, {"course": "chemistry"}),
    ("what courses do I have", COURSES, {}),
    ("do I have something at 11 on Friday?", EVENTS, {"start": "2026-11-27"}),
    ("what's next on my schedule", EVENTS, {}),
    ("What time does my biology lab start on Thursday?", EVENTS, {"start": "2026-11-26"}),
    ("how busy is my Tuesday", EVENTS, {"start": "2026-11-24", "end": "2026-11-24"}),
    ("find me a slot for a one-hour meeting on Monday or Tuesday", FREE, {"start": "2026-11-23", "minutes": 60}),
    ("do I have a free evening this week?", FREE, {}),
    ("when's a good time for a study group tomorrow?", FREE, {"start": "2026-11-22", "end": "2026-11-22"}),
    ("Friday 5pm pizza with the team", ADD, {"title": "Pizza with the team", "start": "2026-11-27T17:00"}),
    ("I'd like to study calculus on Wednesday from 6 to 8 pm, add that", ADD, {"start": "2026-11-25T18:00", "end": "2026-11-25T20:00"}),
    ("enter “Flight to Boston” for December 18, 7:45 am", ADD, {"title": "Flight to Boston", "start": "2026-12-18T07:45"}),
    ("make sure Monday 8 to 9am is blocked for running", ADD, {"start": "2026-11-23T08:00", "end": "2026-11-23T09:00"}),
    ("pls push coffee with lena to 2pm", CHANGE, {"event_id": "ev-lena", "start": "2026-11-27T14:00"}),
    ("change the title of the dentist appointment to Orthodontist", CHANGE, {"event_id": "ev-dentist", "title": "Orthodontist"}),
    ("can the group project meeting be moved to tomorrow at 5?", CHANGE, {"event_id": "ev-group", "start": "2026-11-22T17:00"}),
    ("drop the dentist from my calendar", DELETE, {"event_id": "ev-dentist"}),
    ("call off my coffee date with Lena", DELETE, {"event_id": "ev-lena"}),
    ("show me the mitosis page", READ, {"page": "pg-mitosis"}),
    ("which pages do I have about physics?", SEARCH, {}),
    ("note in my econ page: elasticity is the slope's cousin", APPEND, {"page": "pg-econ"}),
    ("make me a page in Fall courses named Goals", PAGE, {"title": "Goals", "parent": "pg-fall"}),
    ("ping me to return the calculator on Wednesday", TASK, {"due_date": "2026-11-25"}),
    ("todo: register for spring classes by Nov 30", TASK, {"due_date": "2026-11-30"}),
    ("¿qué exámenes tengo pronto?", ASSIGNMENTS, {}),
    ("dime si tengo algo el jueves por la tarde", EVENTS, {"start": "2026-11-26"}),
    ("ponme el viernes a las 9 de la mañana tutoría con la profesora Okafor", ADD, {"start": "2026-11-27T09:00"}),
    ("which things do I need to turn in by tomorrow night?", ASSIGNMENTS, {"window": "range", "end": "2026-11-22"}),
    ("Any tests coming up in organic chemistry?", ASSIGNMENTS, {"course": "organic chemistry"}),
    ("is anything overdue in World History", ASSIGNMENTS, {"window": "overdue", "course": "World History"}),
    ("I need an overview of this month's deadlines", ASSIGNMENTS, {"window": "range", "end": "2026-11-30"}),
    ("have I submitted Problem set 5?", ASSIGNMENTS, {}),
    ("how'd I do on the calc quiz?", GRADES, {"course": "calc"}),
    ("give me my marks for every class", GRADES, {}),
    ("am I going to fail econ??", GRADES, {"course": "econ"}),
    ("I don't get what Essay 2 is about", GET, {"assignment": "Essay 2"}),
    ("open the description of lab report 6", GET, {"assignment": "lab report 6"}),
    ("Have there been any updates in my biology class?", NEWS, {"course": "biology"}),
    ("did Prof. Okafor send something to the class?", NEWS, {}),
    ("name all my classes", COURSES, {}),
    ("what do I have to go to on Thursday?", EVENTS, {"start": "2026-11-26", "end": "2026-11-26"}),
    ("tell me my agenda for Monday and Tuesday", EVENTS, {"start": "2026-11-23"}),
    ("is there anything in my calendar on the 26th?", EVENTS, {"start": "2026-11-26", "end": "2026-11-26"}),
    ("when does my coffee with Lena start", EVENTS, {}),
    ("Could I meet someone for lunch on Wednesday or is that full?", FREE, {"start": "2026-11-25"}),
    ("show me where I have at least 3 hours free next week", FREE, {"start": "2026-11-23", "end": "2026-11-29", "minutes": 180}),
    ("what windows do I have tomorrow morning for a call?", FREE, {"start": "2026-11-22", "day_start": "08:00", "day_end": "12:00"}),
    ("hold Tuesday 3-4:30 for my stats study group", ADD, {"start": "2026-11-24T15:00", "end": "2026-11-24T16:30"}),
    ("new event: career fair, Dec 3, 10am to 2pm", ADD, {"start": "2026-12-03T10:00", "end": "2026-12-03T14:00"}),
    ("mark my calendar for the chem midterm on December 9 at 1pm", ADD, {"start": "2026-12-09T13:00"}),
    ("I'm meeting Sofia tomorrow at quarter past 5, can you note that in my calendar?", ADD, {"start": "2026-11-22T17:15"}),
    ("plan a 20-minute walk for me today at 6 in the evening", ADD, {"start": "2026-11-21T18:00", "duration_minutes": 20}),
    ("Lena can't make it at 11, put our coffee at 1 instead", CHANGE, {"event_id": "ev-lena", "start": "2026-11-27T13:00"}),
    ("delay the group project by 15 minutes", CHANGE, {"event_id": "ev-group", "start": "2026-11-21T15:15"}),
    ("would you mind deleting Thursday's biology lab?", DELETE, {"event_id": "ev-lab"}),
    ("I want the dentist gone from Tuesday", DELETE, {"event_id": "ev-dentist"}),
    ("what have I got in my notes on cell respiration?", READ, {"page": "pg-respiration"}),
    ("look up my notes for economics chapter 5", SEARCH, {}),
    ("please tack this onto the Mitosis page: cytokinesis splits the cell", APPEND, {"page": "pg-mitosis", "content": "cytokinesis splits the cell"}),
    ("save a note titled Interview prep under Fall courses", PAGE, {"title": "Interview prep", "parent": "pg-fall"}),
    ("I have to call the bank on Monday, don't let me forget", TASK, {"due_date": "2026-11-23"}),
    ("create a to-do for picking up my textbook by 5pm on Tuesday", TASK, {"due_date": "2026-11-24"}),
    ("list my open tasks", TASKS, {}),
    ("¿cuáles son mis próximas fechas límite?", ASSIGNMENTS, {}),
    ("¿voy a suspender química?", GRADES, {"course": "chemistry"}),
    ("mete en el calendario un café con Lucía el sábado a las 11", ADD, {"start": "2026-11-28T11:00"}),
    ("pasa la reunión del proyecto de hoy a mañana a la misma hora", CHANGE, {"event_id": "ev-group", "start": "2026-11-22T15:00"}),
]  # fmt: skip
SEVERAL: list[tuple[str, set[str]]] = [
    ("what's due and when am I free tomorrow?", {ASSIGNMENTS, FREE}),
    ("What did the prof announce and is there anything on my schedule that conflicts?", {NEWS, EVENTS}),
    ("show me my grades and my deadlines", {GRADES, ASSIGNMENTS}),
    ("¿qué tengo que entregar y cuándo estoy libre mañana?", {ASSIGNMENTS, FREE}),
    ("put gym on monday at 6pm and dinner with Ana on tuesday at 7pm", {ADD}),
]
NOTHING = [
    "Hi there!",
    "thanks so much!",
    "good night!",
    "explain photosynthesis",
    "write my essay on the French Revolution",
    "How do musical notes relate to frequency?",
    "How do you search a binary tree in O(log n)?",
    "Describe the causes of World War I.",
    "What kind of brushes are best for canvas painting?",
    "Let's meet in the middle: can you make the paragraph half formal, half casual?",
    "How do event horizons form around black holes?",
    "Please don't open Notion or anything, just explain osmosis from memory.",
    "Tell me a joke about chemists.",
    "haha that's hilarious",
    "idk bro just vent w me for a sec, school is a lot",
    "Are you a human?",
    "What can you do?",
    "What does 'ceteris paribus' mean?",
    "How do I write a for loop in Rust?",
    "Prove that the square root of 2 is irrational.",
    "Explain the release of energy in exothermic reactions.",
    "hola, ¿qué tal?",
    "muchas gracias",
    "explícame la fotosíntesis",
    "haz mi tarea de química",
]
OTHER: list[Row] = [
    ("what's due this week?", "coursework", {"since": "2026-11-21T00:00:00-06:00", "until": "2026-11-29T23:59:00-06:00"}),
    ("how am I doing in calc", "marks", {"class_name": "calc"}),
    ("any news from my profs", "bulletins", {}),
    ("what's on my calendar tomorrow", "agenda", {"time_min": "2026-11-22T00:00:00-06:00", "time_max": "2026-11-22T23:59:00-06:00"}),
    ("when am I free tomorrow afternoon", "gaps", {"time_min": "2026-11-22T12:00:00-06:00", "time_max": "2026-11-22T17:00:00-06:00"}),
    (
        "pop a 2h study block for bio into my calendar on Friday at 3",
        "scheduleEvent",
        {"summary": "Study block for bio", "startTime": "2026-11-27T15:00:00-06:00", "endTime": "2026-11-27T17:00:00-06:00"},
    ),
    ("find my notes about mitosis", "lookup_notes", {"q": "mitosis"}),
    ("remind me to email Prof Okafor by Thursday", "add_todo", {"what": "Email Prof Okafor", "deadline": "2026-11-26"}),
    ("¿qué tengo que entregar mañana?", "coursework", {"since": "2026-11-22T00:00:00-06:00"}),
    ("añade gimnasio el lunes a las 18:00", "scheduleEvent", {"summary": "Gimnasio", "startTime": "2026-11-23T18:00:00-06:00"}),
]  # fmt: skip
ROWS = COURSEWORK + CALENDAR + NOTES + TASKS_ROWS + STRANGERS


def fits(call: tuple[str, dict[str, Any]], tool: str, arguments: dict[str, Any]) -> bool:
    return call[0] == tool and all(call[1].get(name) == value for name, value in arguments.items())


@pytest.mark.parametrize(("text", "tool", "arguments"), ROWS, ids=[row[0] for row in ROWS])
def test_a_paraphrase_leads_to_the_right_call(text: str, tool: str, arguments: dict[str, Any]) -> None:
    calls, said = turn([text], TOOLS, answer)

    assert calls, said
    assert fits(calls[-1], tool, arguments), calls


@pytest.mark.parametrize(("text", "tools"), SEVERAL, ids=[row[0] for row in SEVERAL])
def test_a_message_may_ask_for_several_things(text: str, tools: set[str]) -> None:
    calls, _ = turn([text], TOOLS, answer)

    assert {name for name, _ in calls} == tools
    assert len(calls) == 2


@pytest.mark.parametrize("text", NOTHING)
def test_talk_needs_no_tool(text: str) -> None:
    calls, said = turn([text], TOOLS, answer)

    assert calls == []
    assert said.startswith(("(demo model)", "(modelo de demostración)"))


@pytest.mark.parametrize(("text", "tool", "arguments"), OTHER, ids=[row[0] for row in OTHER])
def test_tools_with_other_names_and_schemas_are_understood_as_well(
    text: str, tool: str, arguments: dict[str, Any]
) -> None:
    calls, said = turn([text], OTHER_TOOLS, lambda name, given: "No items.", most=1)

    assert calls, said
    assert fits(calls[-1], tool, arguments), calls


def test_the_table_is_wide_enough() -> None:
    spanish = [row for row in ROWS if any(mark in row[0] for mark in "¿áéíóúñ")]

    assert len(ROWS) >= 120
    assert len(spanish) >= 25
