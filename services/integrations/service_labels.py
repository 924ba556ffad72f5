"""Label of the service that a tool calls, by the tool's name."""

from collections.abc import Mapping

from services.i18n import gettext
from services.integrations.base import Integration


def service_label(name: str, integrations: Mapping[str, Integration]) -> str:
    """Service that a tool of this name calls: "Canvas" for canvas_grades; "" for our own."""
    server, _, rest = name.partition("__")
    if rest:
        return server.replace("_", " ").capitalize()
    fitting = [
        integration
        for integration in integrations.values()
        if name.startswith(f"{integration.id}_") or any(tool.name == name for tool in integration.tools)
    ]
    return gettext(max(fitting, key=lambda integration: len(integration.id)).label) if fitting else ""
