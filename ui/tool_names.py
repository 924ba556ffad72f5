"""What a tool is called on the pages: by its title; a server's, or one that is gone, by its name, in words."""

import re
from collections.abc import Mapping

from services.errors import ToolUnavailable
from services.i18n import gettext
from services.tools.tool import Tool
from ui import session


def tool_title(tool: Tool) -> str:
    """The same for a tool that is at hand; a server's own words are not ours to say."""
    return _spelled(tool.name) if tool.server else gettext(tool.title)


def title_by_name(name: str) -> str:
    """ "Look up grades" for canvas_get_grades, "Files: read file" for files__read_file."""
    try:
        return tool_title(session.services().tool(name))
    except ToolUnavailable:
        return _spelled(name)


def service_label(name: str) -> str:
    """Whom a tool of this name asks, as the student knows it: "Canvas" for canvas_grades; "" for what is ours."""
    server, _, rest = name.partition("__")
    if rest:
        return _spelled(server)
    known = session.services().integrations.values()
    fitting = [
        integration
        for integration in known
        if name.startswith(f"{integration.id}_") or any(tool.name == name for tool in integration.tools)
    ]
    return gettext(max(fitting, key=lambda integration: len(integration.id)).label) if fitting else ""


def with_titles(words: str, arguments: Mapping[str, str]) -> str:
    """A sentence with tools and arguments as a person knows them; arguments: their labels, by name."""
    tools = {tool.name: tool for tool in session.services().root_tools.tools()}

    def known(found: re.Match[str]) -> str:
        name = found[0]
        label = arguments.get(name) or (tool_title(tools[name]) if name in tools else "")
        return f"“{label}”" if label else name

    return re.sub(r"\b[a-z]+(?:_+[a-z]+)+\b", known, words)


def _spelled(name: str) -> str:
    return name.replace("__", ": ").replace("_", " ").capitalize()
