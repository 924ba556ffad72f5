"""Documents: the student's longer texts, kept as pages in their Notion."""

from collections.abc import Mapping

from services.integrations.documents.creating import documents_create
from services.integrations.documents.editing import documents_edit
from services.integrations.documents.reading import documents_get, documents_summarise

TOOLS = (documents_create, documents_get, documents_summarise, documents_edit)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect here: documents are pages of the student's Notion."""
