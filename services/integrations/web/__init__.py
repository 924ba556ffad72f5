"""The web: reading a page whose address is known, and searching."""

from collections.abc import Mapping

from services.integrations.web.reading import web_read_page

TOOLS = (web_read_page,)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
