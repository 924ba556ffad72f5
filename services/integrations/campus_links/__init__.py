"""Campus links integration: useful pages that the operator or an assistant lists, such as tutoring or the library."""

from collections.abc import Mapping

from services.assistants.assistant import CAMPUS_LINKS
from services.i18n import gettext_noop
from services.integrations.base import ConfigField
from services.integrations.campus_links.tools import parse_links, static_links

TOOLS = (static_links,)
LABEL = gettext_noop("Campus links")
GIVES = (CAMPUS_LINKS,)
SETUP = gettext_noop("Set CAMPUS_LINKS, or give an assistant links of its own with `python manage.py assistants load`.")
CONFIGURATION = (
    ConfigField(
        env="CAMPUS_LINKS",
        description='Pages worth knowing, as a JSON list on one line, such as [{"title": "Tutoring center", "url": '
        '"https://campus.example.edu/tutoring", "note": "Drop in", "topics": ["math"]}]; "note" and "topics" may be '
        "left out.",
    ),
)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Capability of links for everybody; raises `SettingsError` for a CAMPUS_LINKS that cannot be parsed."""
    return frozenset(GIVES if parse_links(extension.get("LINKS", "")) else ())
