"""Recorded conversations of students, twenty turns each: what was said, and which tools the answer needed."""

Talk = tuple[tuple[str, tuple[str, ...]], ...]

DUE, GRADES, ASSIGNMENT = "canvas_list_assignments", "canvas_get_grades", "canvas_get_assignment"
EVENTS, FREE, EVENT = "calendar_list_events", "calendar_find_free_time", "calendar_create_event"
SEARCH, PAGE, NEW_PAGE = "notion_search", "notion_read_page", "notion_create_page"
TASK, TASKS, WEB = "planner_create_task", "planner_list_tasks", "web_search"
USED = (DUE, GRADES, ASSIGNMENT, EVENTS, FREE, EVENT, SEARCH, PAGE, NEW_PAGE, TASK, TASKS, WEB)
"""Every tool that a conversation here needs: a deployment of twelve tools has these."""

WEEK: Talk = (
    ("Hi there!", ()),
    ("What is due this week?", (DUE,)),
    ("And next week?", (DUE,)),
    ("Tell me more about the lab report", (ASSIGNMENT,)),
    ("Could you explain what a control group is?", ()),
    ("When am I free on Wednesday?", (FREE,)),
    ("Put two hours for the lab report on Wednesday at 3", (EVENT,)),
    ("Thanks, perfect", ()),
    ("Am I missing anything in calculus?", (DUE,)),
    ("How are my grades there?", (GRADES,)),
    ("Give me a tip for studying integrals", ()),
    ("What's on my calendar tomorrow?", (EVENTS,)),
    ("Move nothing, just remind me to call Ana at 6", (EVENT,)),
    ("Do I have notes on photosynthesis?", (SEARCH,)),
    ("Open the first one", (PAGE,)),
    ("Quiz me on it with five questions", ()),
    ("Add a task: buy a new lab coat", (TASK,)),
    ("What else is on my task list?", (TASKS,)),
    ("So what should I start with tonight?", (DUE,)),
    ("Great, good night!", ()),
)
EXAMS: Talk = (
    ("hey", ()),
    ("which exams are coming up?", (DUE,)),
    ("what do I have in biology so far, gradewise?", (GRADES,)),
    ("find my notes about the cell cycle", (SEARCH,)),
    ("read the longest one to me", (PAGE,)),
    ("what's the difference between mitosis and meiosis?", ()),
    ("make a new page with that comparison", (NEW_PAGE,)),
    ("thx", ()),
    ("when do I have time for three study sessions before friday", (FREE,)),
    ("yes, book those", (EVENT,)),
    ("and what's already on friday?", (EVENTS,)),
    ("is there anything new on CRISPR trials this month? look it up", (WEB,)),
    ("summarise that in two sentences", ()),
    ("save it to the page", (SEARCH, PAGE)),
    ("¿qué tengo que entregar mañana?", (DUE,)),
    ("gracias!", ()),
    ("how would you structure an essay on that?", ()),
    ("put the essay outline on my to-do list", (TASK,)),
    ("what's the essay's due date again and how is it graded", (ASSIGNMENT,)),
    ("ok bye", ()),
)
PROJECT: Talk = (
    ("Good morning! What can you help with?", ()),
    ("Anything due today that I forgot?", (DUE,)),
    ("What meetings do I have today?", (EVENTS,)),
    ("I'm a bit stressed about the group project", ()),
    ("What does the assignment for it say exactly?", (ASSIGNMENT,)),
    ("Look in my notes for what we agreed on", (SEARCH, PAGE)),
    ("Make a page for the project plan", (NEW_PAGE,)),
    ("Find a slot this week for the group", (FREE,)),
    ("Take the first, call it Group project", (EVENT,)),
    ("Can you word a friendly reminder to the others?", ()),
    ("Make it shorter", ()),
    ("Add tasks for slides and for the bibliography", (TASK, TASK)),
    ("what's blocked right now?", (TASKS,)),
    ("What is the current minimum wage in Illinois? We need it for a slide", (WEB,)),
    ("Thank you", ()),
    ("How much does this project count in the course?", (GRADES,)),
    ("What would a 92 do to my grade?", (GRADES,)),
    ("And is anything due on the weekend?", (DUE,)),
    ("Explain Gini coefficients like I'm five", ()),
    ("See you!", ()),
)
TALKS = (WEEK, EXAMS, PROJECT)
