"""Days after those that were looked at: "and the week after?", "¿y la próxima?"."""

import re
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Param, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.intent import Intent

AFTER_THAT = re.compile(
    r"^\W*+(?:(?:and|y)\s*+)?(?:(?:the|la|el)\s+)?(?P<next>next(?:\s+one)?|proxim[oa]|siguiente|que\s+viene)\W*$|\b(?:the\s+(?P<en>week|day)\s+after|(?:el|la)\s+(?P<es>semana|dia)\s+(?:siguiente|de\s+despues))\b\W*$"
)


def days_after(intent: Intent, profile: Profile, step: Step) -> dict[str, Any]:
    """Arguments for the days after those that were looked at last; empty when the clause asks for something else."""
    # "What is due next week?" … "and the week after?": what follows the days that were looked at.
    first, last = profile.param(Role.START), profile.param(Role.END)
    found = AFTER_THAT.search(fold(intent.text))
    if found is None or first is None or last is None or not step.input.get(last.name):
        return {}
    is_week = found["en"] == "week" or found["es"] == "semana" or (found["next"] and _is_week(step, first, last))
    days = 7 if is_week else 1
    start = datetime.fromisoformat(str(step.input[last.name])) + timedelta(days=1)
    shown = (start.date(), start.date() + timedelta(days=days - 1))
    return {**step.input, first.name: shown[0].isoformat(), last.name: shown[1].isoformat()}


def _is_week(step: Step, first: Param, last: Param) -> bool:
    days = [datetime.fromisoformat(str(step.input[param.name])) for param in (first, last) if param.name in step.input]
    return len(days) == 2 and (days[1] - days[0]).days >= 6
