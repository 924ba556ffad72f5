"""Tools of the planner, in the order in which they are offered."""

from services.integrations.planner.tools.question import planner_ask_student
from services.integrations.planner.tools.task_creation import planner_create_task, planner_delete_task
from services.integrations.planner.tools.task_edit import planner_edit_task
from services.integrations.planner.tools.task_lists import planner_list_blocked, planner_list_tasks, planner_plan
from services.integrations.planner.tools.task_status import (
    planner_block_task,
    planner_complete_task,
    planner_reopen_task,
    planner_start_task,
)

PLANNER_TOOLS = (
    planner_create_task,
    planner_list_tasks,
    planner_start_task,
    planner_block_task,
    planner_complete_task,
    planner_reopen_task,
    planner_edit_task,
    planner_delete_task,
    planner_list_blocked,
    planner_plan,
    planner_ask_student,
)
