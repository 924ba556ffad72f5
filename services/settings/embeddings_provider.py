"""`EmbeddingsSettings`: who makes vectors of course materials, if anybody (EMBEDDINGS_PROVIDER, EMBEDDINGS_API_KEY)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.errors import SettingsError

PROVIDER, API_KEY, BASE_URL = "EMBEDDINGS_PROVIDER", "EMBEDDINGS_API_KEY", "EMBEDDINGS_BASE_URL"
PROVIDERS = {"voyage": "https://api.voyageai.com/v1"}
"""Known providers with their addresses."""
NONE, HERE = "none", "here"
"""Nobody: materials are searched by words alone; and this machine, by a small model."""


@dataclass(frozen=True, kw_only=True)
class EmbeddingsSettings:
    """provider: of `PROVIDERS`, or `HERE`. base_url: the provider's own, or of a gateway that speaks its API."""

    provider: str
    api_key: str = field(repr=False)
    base_url: str


def parse(given: Mapping[str, str], *, base_url: str) -> EmbeddingsSettings | None:
    """The provider of an environment, this machine without one; None for "none", and for a provider without a key:
    materials are then searched by words alone.

    base_url: the checked address of EMBEDDINGS_BASE_URL, "" for the provider's own. Raises `SettingsError`.
    """
    provider = given.get(PROVIDER, "").lower() or HERE
    if provider not in (*PROVIDERS, HERE, NONE):
        remedy = f"Set {', '.join(PROVIDERS)} or {NONE}, or leave it empty."
        raise SettingsError(PROVIDER, "is not known.", next_step=remedy)
    if provider == HERE:
        return EmbeddingsSettings(provider=HERE, api_key="", base_url="")
    if provider == NONE or not given.get(API_KEY):
        return None
    return EmbeddingsSettings(provider=provider, api_key=given[API_KEY], base_url=base_url or PROVIDERS[provider])
