"""Tools of the Canvas integration, in the order in which a student would think of them."""

from services.integrations.canvas.tools.announcements import canvas_list_announcements
from services.integrations.canvas.tools.assignment import canvas_get_assignment
from services.integrations.canvas.tools.assignments import canvas_list_assignments
from services.integrations.canvas.tools.courses import canvas_get_syllabus, canvas_list_courses
from services.integrations.canvas.tools.discussions import canvas_get_discussion, canvas_list_discussions
from services.integrations.canvas.tools.forecast import canvas_forecast_grade
from services.integrations.canvas.tools.grades import canvas_get_grades
from services.integrations.canvas.tools.modules import canvas_list_modules
from services.integrations.canvas.tools.priorities import canvas_rank_priorities
from services.integrations.canvas.tools.study_plan import canvas_propose_study_plan
from services.integrations.canvas.tools.todo import canvas_list_todo
from services.integrations.canvas.tools.workload import canvas_get_workload

TOOLS = (
    canvas_list_courses,
    canvas_list_assignments,
    canvas_get_assignment,
    canvas_get_grades,
    canvas_forecast_grade,
    canvas_list_announcements,
    canvas_get_syllabus,
    canvas_list_modules,
    canvas_list_discussions,
    canvas_get_discussion,
    canvas_list_todo,
    canvas_get_workload,
    canvas_rank_priorities,
    canvas_propose_study_plan,
)
