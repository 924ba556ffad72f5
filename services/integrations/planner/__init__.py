"""Homeroom's own planner: tasks that need no connected account."""

from collections.abc import Mapping

from services.integrations.planner.tools import planner_create_task, planner_list_tasks

TOOLS = (planner_create_task, planner_list_tasks)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
