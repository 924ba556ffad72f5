"""Documents integration: the student's longer texts, kept as pages in their Notion."""

from services.integrations.documents.passage_edit import documents_edit
from services.integrations.documents.tools import documents_create, documents_get, documents_summarise

TOOLS = (documents_create, documents_get, documents_summarise, documents_edit)
