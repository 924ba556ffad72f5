"""Web integration: reads a page whose address is known, whole or summed up."""

from services.integrations.web.tools import research_summarise, web_read_page

TOOLS = (web_read_page, research_summarise)
