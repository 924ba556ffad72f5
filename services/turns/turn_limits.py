"""Limits of one turn: requests to the model (the default is the assistant's own), tool calls and changes."""

from services.assistants.assistant import Assistant
from services.llm.effort import EffortId

CALLS_IN_A_TURN = 40
WRITES_IN_A_TURN = 10
"""Cards that a student can still read with care."""
MAX_STEPS = 40
"""As many as an assistant may be configured with (`Assistant.max_steps`)."""
MAX_DELEGATED_STEPS = 6
"""Of an assistant that answers another one."""


def max_steps_of(effort: EffortId, assistant: Assistant) -> int:
    """Number of requests that a turn may take: twice the assistant's own when the student asked it to be thorough."""
    is_more = effort == "thorough" and assistant.model != "thorough"
    return min(MAX_STEPS, assistant.max_steps * 2) if is_more else assistant.max_steps
