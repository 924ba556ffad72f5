"""A question for every Canvas tool, and for each way in which it reads Canvas."""

CALLS: list[tuple[str, dict[str, object]]] = [
    ("canvas_list_courses", {}),
    ("canvas_list_courses", {"past": True}),
    *(
        ("canvas_list_assignments", {"window": window, "limit": 100})
        for window in ("upcoming", "overdue", "unsubmitted", "waiting", "graded", "late", "past", "all")
    ),
    ("canvas_get_assignment", {"assignment": "essay 3 complete draft", "course": "writing"}),
    ("canvas_get_assignment", {"assignment": "4201015", "course": "bio"}),
    ("canvas_get_grades", {}),
    ("canvas_get_grades", {"course": "cs101"}),
    ("canvas_get_grades", {"course": "writing", "grading_period": "all"}),
    ("canvas_forecast_grade", {"course": "bio", "target": "A-", "item": "final exam"}),
    ("canvas_list_announcements", {"days": 60}),
    ("canvas_get_syllabus", {"course": "bio"}),
    ("canvas_list_modules", {"course": "bio"}),
    ("canvas_list_discussions", {}),
    ("canvas_get_discussion", {"course": "bio", "topic": "hela"}),
    ("canvas_get_discussion", {"course": "bio", "topic": "unit 3 quiz"}),
    ("canvas_get_discussion", {"course": "writing", "topic": "who gets to say we"}),
    ("canvas_list_todo", {}),
    ("canvas_list_todo", {"show": "everything", "days": 30}),
    ("canvas_get_workload", {"weeks": 4}),
    ("canvas_rank_priorities", {}),
    ("canvas_propose_study_plan", {}),
]
