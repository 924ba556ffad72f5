"""Links integration: checks whether links still work."""

from services.integrations.links.tools import link_validator

TOOLS = (link_validator,)
