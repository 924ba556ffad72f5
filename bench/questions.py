"""The questions that students ask most, as the calls that answer them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

COURSES = 5
"""Maya's, who asks."""
CALENDARS = 3
"""Those that she has ticked: each is read by a request of its own."""
QUIZZES = 3
"""Of these courses, those with an open quiz of Canvas's own: only their lists of quizzes tell how long one takes."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """most: requests to outside services that it may cost; the first one also learns which courses the student teaches.

    by_course: it asks something that Canvas only tells course by course, so that every course costs a request.
    """

    text: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    most: int
    by_course: bool = False


def _asked(text: str, tool: str, most: int, by_course: bool = False, **arguments: Any) -> Question:
    return Question(text=text, tool=tool, arguments=arguments, most=most, by_course=by_course)


QUESTIONS = (
    _asked("What is due this week?", "canvas_list_assignments", 2, window="upcoming"),
    _asked("Am I missing anything?", "canvas_list_assignments", 1, window="overdue"),
    _asked("Which exams are coming up?", "canvas_list_assignments", 1, kind="exam"),
    _asked("What is due in bio?", "canvas_list_assignments", 2, course="bio"),
    _asked("What have I not handed in yet?", "canvas_list_assignments", 3, window="unsubmitted"),
    _asked("Tell me about lab report 6", "canvas_get_assignment", 4, assignment="lab report 6", course="bio"),
    _asked("What are my grades?", "canvas_get_grades", 1),
    _asked("How am I doing in calculus?", "canvas_get_grades", 2, course="calc"),
    _asked("What do I need on the final?", "canvas_forecast_grade", 2, course="bio", target="A", item="final"),
    _asked("Any news from my professors?", "canvas_list_announcements", 2),
    _asked("What is the late policy in bio?", "canvas_get_syllabus", 2, course="bio"),
    _asked("What is on my to-do list?", "canvas_list_todo", 1),
    _asked("How busy are the next weeks?", "canvas_get_workload", 1 + QUIZZES),
    _asked("What should I do first?", "canvas_rank_priorities", 2 + COURSES + QUIZZES, True),
    _asked("Make me a study plan", "canvas_propose_study_plan", 2 + CALENDARS + QUIZZES, True),
    _asked("What is on my calendar?", "calendar_list_events", 1 + CALENDARS),
    _asked("When am I free?", "calendar_find_free_time", 1 + CALENDARS),
    _asked("Find my notes on osmosis", "notion_search", 1, query="osmosis"),
    _asked("What do my notes on lab 6 say?", "notion_read_page", 2, page="Lab 6: Onion root tips"),
    _asked("What is open in my tracker?", "notion_query_database", 2, database="Assignment tracker", status="open"),
)
