"""What a tool is called on the pages: by its title; a server's, or one that is gone, by its name, in words."""

from services.errors import ToolUnavailable
from services.language import say
from services.tools.base import Tool
from ui import session


def of(tool: Tool) -> str:
    """The same for a tool that is at hand; a server's own words are not ours to say."""
    return _spelled(tool.name) if tool.server else say(tool.title)


def in_words(name: str) -> str:
    """ "Look up grades" for canvas_get_grades, "Files: read file" for files__read_file."""
    try:
        return of(session.services().tool(name))
    except ToolUnavailable:
        return _spelled(name)


def service_of(name: str) -> str:
    """Whom a tool of this name asks, as the student knows it: "Canvas" for canvas_grades; "" for what is ours."""
    server, _, rest = name.partition("__")
    if rest:
        return _spelled(server)
    known = session.services().integrations.values()
    fitting = [one for one in known if name.startswith(f"{one.id}_") or any(tool.name == name for tool in one.tools)]
    return say(max(fitting, key=lambda one: len(one.id)).label) if fitting else ""


def _spelled(name: str) -> str:
    return name.replace("__", ": ").replace("_", " ").capitalize()
