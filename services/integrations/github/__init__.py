"""GitHub: files, releases, issues and code of public repositories, with the operator's token."""

from collections.abc import Mapping

from services.integrations.github.client import base_of
from services.integrations.github.tools import github_api

TOOLS = (github_api,)


def capabilities(extension: Mapping[str, str]) -> frozenset[str]:
    """Give "github_token" when GITHUB_TOKEN is set; raises `SettingsError` for a bad GITHUB_API_BASE_URL."""
    base_of(extension)
    return frozenset({"github_token"}) if extension.get("TOKEN") else frozenset()
