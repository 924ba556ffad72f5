"""Bibliography: an entry for a web page, in APA or MLA style."""

from collections.abc import Mapping

from services.integrations.bibliography.tools import bibliography_entry

TOOLS = (bibliography_entry,)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
