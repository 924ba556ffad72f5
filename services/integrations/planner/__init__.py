"""Homeroom's own planner: tasks that need no connected account, and questions to the student."""

from collections.abc import Mapping

from services.integrations.planner.tools import PLANNER_TOOLS

TOOLS = PLANNER_TOOLS


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
