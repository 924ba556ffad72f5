"""Slot filling: a tool's arguments from a clause, by what each parameter is for."""

from collections.abc import Mapping
from typing import Any

from sandbox.model.rules.slots import text_slots as telling
from sandbox.model.rules.slots import time_slots as timing
from sandbox.model.rules.slots.ability_slots import filler_of
from sandbox.model.rules.slots.slot_context import CallDraft, Filled, SlotContext
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Param, Role
from sandbox.model.rules.understanding.intent import Intent


def fill(profile: Profile, intent: Intent, context: SlotContext) -> Filled:
    """Fill every parameter except ids and references, which are looked up."""
    filled = Filled()
    draft = CallDraft(profile=profile, intent=intent, context=context)
    for param in profile.params:
        if param.role in (Role.ID, Role.REFERENCE) and (param.required or filler_of(profile, param) is None):
            continue
        value = _value(draft, param)
        if value is not None:
            filled.arguments[param.name] = [value] if param.is_list and not isinstance(value, list) else value
        elif param.required:
            filled.missing.append(param)
    return filled


def _value(draft: CallDraft, param: Param) -> Any:
    special = filler_of(draft.profile, param)
    if special is not None:
        return special(draft, param)
    filler = timing.FILLERS.get(param.role) or telling.FILLERS.get(param.role)
    value = filler(draft, param) if filler else None
    return None if value is None else _as_kind(value, param)


def _as_kind(value: Any, param: Param) -> Any:
    if param.kind == "integer" and isinstance(value, float):
        return max(1, round(value))
    if param.kind in ("integer", "number") and isinstance(value, str):
        hour = value.split(":")[0]
        return int(hour) if hour.isdigit() else None
    return _bounded(value, param.schema)


def _bounded(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        least, most = schema.get("minimum"), schema.get("maximum")
        value = max(value, least) if least is not None else value
        return min(value, most) if most is not None else value
    longest = schema.get("maxLength")
    return value[:longest] if isinstance(value, str) and longest else value
