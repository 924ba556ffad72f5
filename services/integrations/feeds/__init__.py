"""News feeds (RSS, Atom): those set up here or for an assistant, or one that the student names."""

from collections.abc import Mapping

from services.errors import SettingsError
from services.integrations.feeds.tools import configured_urls, rss_feed
from services.settings import web_address

TOOLS = (rss_feed,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Nothing of its own: any feed can be named; raises `SettingsError` for a FEEDS_URLS that holds something else."""
    for url in configured_urls(extension):
        if web_address(url) is None:
            raise SettingsError(
                "FEEDS_URLS",
                "holds something that is not an http(s) address.",
                next_step="Write whole addresses of RSS or Atom feeds, separated by spaces.",
            )
    return frozenset()
