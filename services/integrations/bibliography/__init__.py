"""Bibliography integration: an entry for a web page, in APA or MLA style."""

from services.integrations.bibliography.tools import bibliography_entry

TOOLS = (bibliography_entry,)
