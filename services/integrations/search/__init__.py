"""Web search integration, with the engine that the deployment chose."""

from collections.abc import Mapping, Sequence

from services.errors import SettingsError
from services.i18n import gettext_noop
from services.integrations.base import ConfigField
from services.integrations.search.engines import BRAVE_URL, OPENALEX_URL, WIKIPEDIA_URL
from services.integrations.search.tools import ENGINE_NAMES, NO_ENGINE, SEARCHABLE, web_search
from services.safety.consent import Recipient

TOOLS = (web_search,)
LABEL = gettext_noop("Web search")
GIVES = (SEARCHABLE,)
SETUP = gettext_noop("Set SEARCH_PROVIDER to an engine, or clear it for the usual ones; none switches searching off.")
CONFIGURATION = (
    ConfigField(
        env="SEARCH_PROVIDER",
        description="The engine; left out, Claude's own search (billed by search), and reference (Wikipedia and "
        "OpenAlex, without a key) where the model's key lacks it. none switches searching off.",
        options=(*ENGINE_NAMES, NO_ENGINE),
    ),
    ConfigField(env="SEARCH_BASE_URL", description="The address of your SearxNG.", kind="address"),
    ConfigField(env="SEARCH_API_KEY", description="Your key for Brave's Search API.", is_secret=True),
)
_RECEIVES = gettext_noop("the words that it searches for")


def recipients(extension: Mapping[str, str]) -> Sequence[Recipient]:
    """The engine, besides the model's provider, whose own search is the usual one."""
    provider, address = extension.get("PROVIDER", ""), extension.get("BASE_URL", "")
    if provider == "searxng":
        return (Recipient(name="SearxNG", address=address, receives=_RECEIVES),)
    if provider == "brave":
        return (Recipient(name="Brave Search", address=address or BRAVE_URL, receives=_RECEIVES),)
    if provider in ("claude", NO_ENGINE):
        return ()
    return (
        Recipient(name="Wikipedia", address=WIKIPEDIA_URL, receives=_RECEIVES),
        Recipient(name="OpenAlex", address=OPENALEX_URL, receives=_RECEIVES),
    )


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Capability to search, unless the operator switched it off; raises `SettingsError`."""
    provider = extension.get("PROVIDER", "")
    if provider == "searxng" and not extension.get("BASE_URL"):
        raise SettingsError("SEARCH_BASE_URL", "is not set.", next_step="Set the address of your SearxNG.")
    if provider == "brave" and not extension.get("API_KEY"):
        raise SettingsError("SEARCH_API_KEY", "is not set.", next_step="Set your key for Brave's Search API.")
    return frozenset() if provider == NO_ENGINE else frozenset((SEARCHABLE,))
