"""Homeroom's own planner: tasks that need no connected account, and questions to the student."""

from services.integrations.planner.tools import PLANNER_TOOLS

TOOLS = PLANNER_TOOLS
