"""Names of tools, services and arguments in words for a student."""

import re
from collections.abc import Mapping

from services.errors import ToolUnavailable
from services.i18n import gettext
from services.integrations import base
from services.tools.tool import Tool
from ui import session


def tool_title(tool: Tool) -> str:
    """Title of a tool; that of an MCP server's tool is its name, as its words are not ours to translate."""
    return _humanized(tool.name) if tool.server else gettext(tool.title)


def title_by_name(name: str) -> str:
    """Title by name: "Look up grades" for canvas_get_grades, "Files: read file" for files__read_file."""
    try:
        return tool_title(session.services().tool(name))
    except ToolUnavailable:
        return _humanized(name)


def service_label(name: str) -> str:
    """Service that a tool of this name calls: "Canvas" for canvas_grades; "" for our own."""
    return base.service_label(name, session.services().integrations)


def with_titles(sentence: str, arguments: Mapping[str, str]) -> str:
    """Sentence with names of tools and arguments replaced by their labels. arguments: labels by name."""
    tools = {tool.name: tool for tool in session.services().root_tools.tools()}

    def known(found: re.Match[str]) -> str:
        name = found[0]
        label = arguments.get(name) or (tool_title(tools[name]) if name in tools else "")
        return f"“{label}”" if label else name

    return re.sub(r"\b[a-z]+(?:_+[a-z]+)+\b", known, sentence)


def _humanized(name: str) -> str:
    return name.replace("__", ": ").replace("_", " ").capitalize()
