"""What a category of tools is called for a person."""

from services.i18n import gettext_noop

_HEADINGS = {"github": "GitHub", "mcp": gettext_noop("MCP servers")}
"""Only those that their own word does not spell."""
CATEGORIES = (
    *(
        gettext_noop("courses"),
        gettext_noop("calendar"),
        gettext_noop("notes"),
        gettext_noop("planner"),
        gettext_noop("research"),
    ),
    *(gettext_noop("documents"), gettext_noop("writing"), gettext_noop("mail"), gettext_noop("assistants")),
)
HEADINGS = (
    *(
        gettext_noop("Courses"),
        gettext_noop("Calendar"),
        gettext_noop("Notes"),
        gettext_noop("Planner"),
        gettext_noop("Research"),
    ),
    *(gettext_noop("Documents"), gettext_noop("Writing"), gettext_noop("Mail"), gettext_noop("Assistants")),
)
"""Those of our own tools, marked for the catalogue; `heading` gives English, and who shows it says it."""


def heading(category: str) -> str:
    return _HEADINGS.get(category, category.replace("_", " ").capitalize())
