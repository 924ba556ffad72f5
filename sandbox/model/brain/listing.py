"""The tools that list what a recipe reads first: good times, assignments, free gaps, a day's events."""

from sandbox.model.brain.actions import Action
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.schema import Role
from sandbox.model.brain.toolbox import Profile


def special(mind: Mind, name: str) -> Profile | None:
    """The tool with a speciality."""
    return next((tool for tool in mind.tools.values() if tool.specialty == name), None)


def assignments(mind: Mind) -> Profile | None:
    """The list of what is due."""
    listing = [
        tool
        for tool in mind.tools.values()
        if tool.action is Action.READ and not tool.required_ids and not tool.specialty
    ]
    return max(listing, key=lambda tool: tool.objects.get("assignment", 0), default=None)


def days_of(mind: Mind, name: str) -> Profile | None:
    """The list over days that is most about this subject ("free", "event")."""
    reading = [tool for tool in mind.tools.values() if tool.action is Action.READ and not tool.specialty]
    fitting = [tool for tool in reading if tool.objects.get(name, 0) >= 0.9 and tool.param(Role.START)]
    return max(fitting, key=lambda tool: tool.objects[name], default=None)
