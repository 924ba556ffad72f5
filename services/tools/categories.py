"""What a category of tools is called for a person."""

_HEADINGS = {"github": "GitHub", "mcp": "MCP servers"}
"""Only those that their own word does not spell."""


def heading(category: str) -> str:
    return _HEADINGS.get(category, category.replace("_", " ").capitalize())
