"""The tools that list what a recipe reads first: good times, assignments, free gaps, a day's events."""

from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role


def special(state: RequestState, name: str) -> Profile | None:
    """The tool with a speciality."""
    return next((tool for tool in state.tools.values() if tool.specialty == name), None)


def assignments(state: RequestState) -> Profile | None:
    """The list of what is due."""
    listing = [
        tool
        for tool in state.tools.values()
        if tool.action is Action.READ and not tool.required_ids and not tool.specialty
    ]
    return max(listing, key=lambda tool: tool.objects.get("assignment", 0), default=None)


def days_of(state: RequestState, name: str) -> Profile | None:
    """The list over days that is most about this subject ("free", "event")."""
    reading = [tool for tool in state.tools.values() if tool.action is Action.READ and not tool.specialty]
    fitting = [tool for tool in reading if tool.objects.get(name, 0) >= 0.9 and tool.param(Role.START)]
    return max(fitting, key=lambda tool: tool.objects[name], default=None)
