"""Bibliography integration: entries of pages, articles and books, and a chat's list of references, in APA or MLA."""

from collections.abc import Mapping, Sequence

from services.i18n import gettext_noop
from services.integrations.base import ConfigField
from services.integrations.bibliography.registries import DOI_LABEL, DOI_URL, ISBN_LABEL, ISBN_URL
from services.integrations.bibliography.tools import bibliography_entry, reference_list
from services.safety.consent import Recipient

TOOLS = (bibliography_entry, reference_list)
CONFIGURATION = (
    ConfigField(
        env="BIBLIOGRAPHY_DOI_URL",
        description="Another resolver of DOIs than https://doi.org, such as a proxy of your library.",
        kind="address",
    ),
    ConfigField(
        env="BIBLIOGRAPHY_ISBN_URL",
        description="Another address of Open Library's API than https://openlibrary.org.",
        kind="address",
    ),
)


def recipients(extension: Mapping[str, str]) -> Sequence[Recipient]:
    """The registries of DOIs and of ISBNs."""
    return (
        Recipient(
            name=DOI_LABEL, address=extension.get("DOI_URL", DOI_URL), receives=gettext_noop("DOIs that you name")
        ),
        Recipient(
            name=ISBN_LABEL, address=extension.get("ISBN_URL", ISBN_URL), receives=gettext_noop("ISBNs that you name")
        ),
    )
