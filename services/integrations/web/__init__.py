"""The web: reading a page whose address is known, whole or summed up."""

from services.integrations.web.reading import web_read_page
from services.integrations.web.summarising import research_summarise

TOOLS = (web_read_page, research_summarise)
