"""Documents: the student's longer texts, kept as pages in their Notion."""

from services.integrations.documents.creating import documents_create
from services.integrations.documents.editing import documents_edit
from services.integrations.documents.reading import documents_get, documents_summarise

TOOLS = (documents_create, documents_get, documents_summarise, documents_edit)
