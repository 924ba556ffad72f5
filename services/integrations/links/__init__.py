"""Checking whether links still lead somewhere."""

from services.integrations.links.tools import link_validator

TOOLS = (link_validator,)
