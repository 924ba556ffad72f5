"""How the Canvas tools reach Canvas, and the words they share."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from services.integrations.canvas.client import CanvasClient, Gap, Json
from services.integrations.canvas.courses import Course, find_course, read_courses
from services.integrations.wording import clock, count, sentence
from services.tools.base import ToolExecutionContext

ID = "canvas"
CONTEXTS = ("courses", "study")
Item = TypeVar("Item")


def canvas_of(context: ToolExecutionContext) -> CanvasClient:
    """The student's Canvas, with a fresh deadline for this call."""
    client: CanvasClient = context.client(ID)
    return client


def courses_of(client: CanvasClient, wanted: str | None) -> list[Course]:
    """The one course that is wanted, or all; raises `BadArguments` that lists the choices."""
    courses, _ = read_courses(client.courses(), client.origin)
    return [find_course(courses, wanted)] if wanted else courses


def heading(text: str, context: ToolExecutionContext) -> str:
    """The first line of an output: what it is, from where and as of when."""
    return sentence(f"{text} (Canvas, as of {clock(context.now())}).")


def readable(rows: Iterable[Json], read: Callable[[Json], Item | None]) -> tuple[list[Item], str]:
    """The rows that can be read, and a note about those that cannot, so that one broken row never hides the rest."""
    items: list[Item] = []
    broken = 0
    for row in rows:
        try:
            item = read(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            broken += 1
        else:
            items += [] if item is None else [item]
    return items, f"Note: {count(broken, 'item')} in Canvas could not be read." if broken else ""


def gap_notes(gaps: Sequence[Gap], what: str) -> list[str]:
    """A line for each course that is missing from a partial answer."""
    return [f"Note: {what} of {gap.of.name} are missing here. {gap.reason}" for gap in gaps]


def cut_note(shown: int, found: int) -> str:
    """A line that says that there is more."""
    return f"Note: only the first {shown} of {found} are shown." if found > shown else ""


def lines(*parts: Any) -> str:
    """An output of lines; empty ones are left out."""
    return "\n".join(str(part) for part in parts if part)
