"""What a category of tools is called for a person."""

from services.language import to_say

_HEADINGS = {"github": "GitHub", "mcp": to_say("MCP servers")}
"""Only those that their own word does not spell."""
CATEGORIES = (
    *(to_say("courses"), to_say("calendar"), to_say("notes"), to_say("planner"), to_say("research")),
    *(to_say("documents"), to_say("writing"), to_say("mail"), to_say("assistants")),
)
HEADINGS = (
    *(to_say("Courses"), to_say("Calendar"), to_say("Notes"), to_say("Planner"), to_say("Research")),
    *(to_say("Documents"), to_say("Writing"), to_say("Mail"), to_say("Assistants")),
)
"""Those of our own tools, marked for the catalogue; `heading` gives English, and who shows it says it."""


def heading(category: str) -> str:
    return _HEADINGS.get(category, category.replace("_", " ").capitalize())
