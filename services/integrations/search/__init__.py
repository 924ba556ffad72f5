"""Searching the web, through the engine that the deployment chose."""

from collections.abc import Mapping

from services.errors import SettingsError
from services.integrations.search.choice import ENGINES, NONE
from services.integrations.search.tools import SEARCHABLE, web_search
from services.settings import web_address

TOOLS = (web_search,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """That the web can be searched, unless the operator switched it off; raises `SettingsError`."""
    provider, address = extension.get("PROVIDER", ""), extension.get("BASE_URL", "")
    if provider and provider not in (*ENGINES, NONE):
        known = ", ".join((*ENGINES, NONE))
        raise SettingsError(
            "SEARCH_PROVIDER", "is not an engine that Homeroom knows.", next_step=f"Set one of {known}."
        )
    if address and web_address(address) is None:
        raise SettingsError("SEARCH_BASE_URL", "is not an http(s) address.", next_step="Set a full address.")
    if provider == "searxng" and not address:
        raise SettingsError("SEARCH_BASE_URL", "is not set.", next_step="Set the address of your SearxNG.")
    if provider == "brave" and not extension.get("API_KEY"):
        raise SettingsError("SEARCH_API_KEY", "is not set.", next_step="Set your key for Brave's Search API.")
    return frozenset() if provider == NONE else frozenset((SEARCHABLE,))
