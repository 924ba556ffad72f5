"""Checking whether links still lead somewhere."""

from collections.abc import Mapping

from services.integrations.links.tools import link_validator

TOOLS = (link_validator,)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
