"""One row of the tables of special abilities, and patterns that several rows share."""

from typing import NamedTuple


class Row(NamedTuple):
    """named: on a tool's name in words. said, unless: on the student's words. action: what it does.

    is_only: whether a tool with it is for nothing else.
    """

    named: str
    said: str
    action: str = "read"
    unless: str = ""
    whole: bool = False
    is_only: bool = True


URL = r"(?:https?://\S+|\bwww\.\S+)"
REPO = r"(?:github|\brepo(?:sitory|sitorio)?s?\b|(?<![\w/.@])[a-z0-9][\w-]*/[a-z0-9][\w.-]+(?![\w/]))"
TRACKER = r"\b(?:tracker|reading\s+list|lista\s+de\s+lecturas?|seguimiento|database|base\s+de\s+datos)\b"
DOCUMENT = r"\b(?:document|documento|docs?)\b"
PLANNER_TASK = r"\b(?:tasks?|to-?dos?|tareas?|pendientes?|planner|reminders?|recordatorios?)\b"
