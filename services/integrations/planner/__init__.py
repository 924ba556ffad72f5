"""Planner integration: Homeroom's own tasks, without a connected account, and questions to the student."""

from services.integrations.planner.tools import PLANNER_TOOLS

TOOLS = PLANNER_TOOLS
