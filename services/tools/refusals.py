"""What a caller is told of a tool that it cannot have: why, what to do, and which tools it has instead (row B4)."""

from collections.abc import Sequence

from services.tools.base import Tool
from services.tools.exclusions import Exclusion

MOST_NAMED = 80
"""More names than this help nobody to choose."""


def no_such(name: str) -> str:
    """The sentence on a name that nobody registered: a model may have made up a long one."""
    return f"There is no tool named {name[:80]}."


def why_not(name: str, reason: Exclusion | None) -> str:
    """The sentence on a tool that is registered, and left out here."""
    because = f": {reason.sentence} {reason.next_step}" if reason else "."
    return f"The tool {name[:80]} is not enabled for this student{because}"


def available(tools: Sequence[Tool]) -> str:
    """The names of what there is."""
    names = ", ".join(tool.name for tool in tools[:MOST_NAMED]) or "none"
    more = f" and {len(tools) - MOST_NAMED} more" if len(tools) > MOST_NAMED else ""
    return f"Available tools: {names}{more}."
