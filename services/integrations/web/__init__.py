"""The web: reading a page whose address is known, and searching."""

from services.integrations.web.reading import web_read_page

TOOLS = (web_read_page,)
