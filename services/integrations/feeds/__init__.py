"""News feeds integration (RSS, Atom): feeds of the deployment or an assistant, or one that the student names."""

from services.integrations.base import ConfigField
from services.integrations.feeds.tools import rss_feed

TOOLS = (rss_feed,)
CONFIGURATION = (
    ConfigField(
        env="FEEDS_URLS",
        description="Addresses of RSS or Atom feeds of the campus that students can ask about, with spaces between.",
        kind="addresses",
    ),
)
