"""Shared parts of the study tools: the decorator, their arguments, and the courses that a student's words mean."""

from functools import partial

from services.i18n import gettext_noop
from services.integrations.materials.access import find_courses
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool

CATEGORY = "study"
CONTEXTS = ("study",)
LABEL = gettext_noop("Study")
study_tool = partial(tool, category=CATEGORY, contexts=CONTEXTS)


def course_key_of(context: ToolExecutionContext, wanted: str | None) -> str:
    """Key of the course that is meant, "" for none; raises `BadArguments` with the choices."""
    if not wanted:
        return ""
    (status,), _ = find_courses(context, wanted)
    return status.course.key
