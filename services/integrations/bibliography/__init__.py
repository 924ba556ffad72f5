"""Bibliography integration: entries of pages, articles and books, and a chat's list of references, in APA or MLA."""

from services.integrations.base import ConfigField
from services.integrations.bibliography.reference_list import reference_list
from services.integrations.bibliography.tools import bibliography_entry

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
