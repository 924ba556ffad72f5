"""Assistants integration: hands a question to another of Homeroom's assistants."""

from collections.abc import Mapping

from services.assistants.registry import read_shipped
from services.integrations.assistants.tools import OTHERS, ask_assistant

TOOLS = (ask_assistant,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Capability to ask another assistant, where there is more than one."""
    return frozenset({OTHERS}) if len(read_shipped()) > 1 else frozenset()
