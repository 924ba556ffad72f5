"""GitHub integration: files, releases, issues and code of public repositories, with the operator's token."""

from collections.abc import Mapping, Sequence

from services.i18n import gettext_noop
from services.integrations.base import ConfigField
from services.integrations.github.client import GITHUB_BASE, LABEL
from services.integrations.github.tools import github_api
from services.safety.consent import Recipient

__all__ = ["LABEL", "TOOLS"]

TOOLS = (github_api,)
SETUP = gettext_noop(
    "Make a fine-grained token without any permission at github.com/settings/tokens, and set GITHUB_TOKEN."
)
CONFIGURATION = (
    ConfigField(
        env="GITHUB_TOKEN",
        description="A fine-grained token without any permission; it reads public repositories for all students.",
        required=True,
        is_secret=True,
    ),
    ConfigField(
        env="GITHUB_API_BASE_URL",
        description="Only for tests and GitHub Enterprise: another address of the REST API.",
        kind="address",
    ),
)


def recipients(extension: Mapping[str, str]) -> Sequence[Recipient]:
    """GitHub itself, or the operator's own."""
    receives = gettext_noop("the repositories and the words that you ask about")
    return (Recipient(name=LABEL, address=extension.get("API_BASE_URL", GITHUB_BASE), receives=receives),)
