"""Pages worth knowing, as the operator or an assistant lists them: tutoring, library, help desk, communities."""

from collections.abc import Mapping

from services.integrations.campus_links.tools import shared_links, static_links

TOOLS = (static_links,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Nothing of its own; raises `SettingsError` for a CAMPUS_LINKS that cannot be read."""
    shared_links(extension.get("LINKS", ""))
    return frozenset()
