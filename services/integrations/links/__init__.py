"""Checking whether links still lead somewhere."""

from collections.abc import Mapping

from services.integrations.links.tools import links_check

TOOLS = (links_check,)


def integration(extension: Mapping[str, str]) -> None:
    """There is nothing to connect."""
