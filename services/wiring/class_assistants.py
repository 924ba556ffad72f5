"""Assistants of classes: their repository, with the check of their words against the tools that there are."""

import secrets
from collections.abc import Mapping
from dataclasses import replace

from services.assistants.assistant import Assistant
from services.assistants.publish_check import Lack, ToolNames, check_words
from services.classes.assistants.class_assistants import ClassAssistants
from services.classes.classes import Classes
from services.runtime.clock import Clock
from services.settings import Settings
from services.storage.store import Store
from services.tools.tool import ExclusionKind, heading
from services.wiring.tools import Tools

_LACKS: Mapping[ExclusionKind, Lack] = {
    ExclusionKind.SWITCHED_OFF: "switched_off",
    ExclusionKind.CATEGORY_OFF: "category_off",
    ExclusionKind.NOT_SET_UP: "not_set_up",
    ExclusionKind.PACKAGE_MISSING: "not_set_up",
    ExclusionKind.UNUSABLE: "not_set_up",
}


def class_assistants_of(
    store: Store, classes: Classes, tools: Tools, settings: Settings, clock: Clock
) -> ClassAssistants:
    """Make the repository."""
    return ClassAssistants(
        store, classes, clock, check=lambda assistant: check_words(assistant, tool_names(assistant, tools, settings))
    )


def tool_names(assistant: Assistant, tools: Tools, settings: Settings) -> ToolNames:
    """The tools that an assistant has here, whatever a student has connected."""
    # A version of its own: what is resolved is kept by it, and a draft has none.
    drafted = replace(assistant, version=f"check.{secrets.token_hex(8)}")
    excluded = tools.toolboxes.resolution({}, drafted).excluded
    found = tools.root.tools()
    return ToolNames(
        known=frozenset(tool.name for tool in found),
        lacking={name: _LACKS[reason.kind] for name, reason in excluded.items() if reason.kind in _LACKS},
        categories={tool.name: heading(tool.category) for tool in found},
        servers=frozenset(settings.mcp_servers),
    )
