"""Notion integration: reads pages and databases; creates and changes them after approval.

`client` speaks to the API, `oauth` connects an account, `errors` types its failures, `payloads` reads its JSON,
`access` serves all tools, and `tools/` has a file for each group of them: other integrations name theirs alike.
"""

import logging
from collections.abc import Callable, Mapping

import notion_client

from services.connections.connector import Grant
from services.i18n import gettext_noop
from services.integrations.base import ConfigField, Integration
from services.integrations.kit.http_client import shared_client
from services.integrations.notion.client import NotionClient, NotionTimeouts
from services.integrations.notion.errors import LABEL
from services.integrations.notion.oauth import NotionOAuth, notion_account
from services.integrations.notion.tools import NOTION_TOOLS

TOOLS = NOTION_TOOLS
SETUP = gettext_noop(
    "Make a public integration at notion.so/my-integrations with this Homeroom's address and /connections as its "
    "redirect, and set NOTION_CLIENT_ID and NOTION_CLIENT_SECRET."
)
CONFIGURATION = (
    ConfigField(env="NOTION_CLIENT_ID", description="The OAuth client id of a public integration.", required=True),
    ConfigField(
        env="NOTION_CLIENT_SECRET", description="The secret of that integration.", required=True, is_secret=True
    ),
    ConfigField(
        env="NOTION_API_BASE_URL",
        description="Only for tests and gateways: another address that plays Notion.",
        kind="address",
    ),
)
NOTION_BASE = "https://api.notion.com"


def integration(
    extension: Mapping[str, str],
    limits: NotionTimeouts = NotionTimeouts(),  # noqa: B008 - frozen
) -> Integration:
    """The integration with this deployment's OAuth client."""
    base = extension.get("API_BASE_URL", "").rstrip("/") or NOTION_BASE
    library = _library(base, limits.request_s)
    client = {"client_id": extension["CLIENT_ID"], "client_secret": extension["CLIENT_SECRET"]}
    oauth = NotionOAuth(**client, base=base, library=library)
    return _integration(
        base, oauth, lambda grant: NotionClient(library, grant.access_token, backoff=grant.backoff, limits=limits)
    )


def _integration(base: str, oauth: NotionOAuth, client: Callable[[Grant], NotionClient]) -> Integration:
    return Integration(
        id="notion",
        label=LABEL,
        icon=":material/article:",
        category="notes",
        summary=gettext_noop(
            "Finds and reads the notes you share with it, and creates or changes pages when you approve."
        ),
        reads_briefly=gettext_noop("the pages that you choose there"),
        reads=(gettext_noop("the pages and databases that you choose on Notion's page"),),
        writes=(
            gettext_noop("pages (new ones, and the text of those there are)"),
            gettext_noop("trackers and databases (their entries)"),
        ),
        consent=gettext_noop(
            "When you ask about your notes, Homeroom searches the Notion pages you share with it and sends those it "
            "needs to Anthropic's Claude, which writes the answer; it uses them for nothing else, and what was "
            "answered stays in your conversations here until you delete them. "
            "No page is created or changed before you approve it, and you can disconnect at any time."
        ),
        origins=(base,),
        oauth=oauth,
        identify=lambda grant: notion_account(client(grant)),
        client=client,
        tools=NOTION_TOOLS,
        capabilities=frozenset({"notes"}),
    )


def _library(base: str, timeout_s: float) -> notion_client.Client:
    """notion-client shared by all students: without a token, retries or a log of its own."""
    quiet = logging.getLogger("notion_client")
    return notion_client.Client(
        client=shared_client(f"notion {base}", timeout_s),
        base_url=base,
        timeout_ms=int(timeout_s * 1000),
        retry=False,
        # Its warnings quote Notion's messages, which can name pages.
        log_level=logging.CRITICAL,
        logger=quiet,
    )
