"""`EmbeddingsSettings`: who makes vectors of course materials, if anybody (EMBEDDINGS_PROVIDER, EMBEDDINGS_API_KEY)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from services.errors import SettingsError

PROVIDER, API_KEY, BASE_URL = "EMBEDDINGS_PROVIDER", "EMBEDDINGS_API_KEY", "EMBEDDINGS_BASE_URL"
PROVIDERS = {"voyage": "https://api.voyageai.com/v1"}
"""Known providers with their addresses."""


@dataclass(frozen=True, kw_only=True)
class EmbeddingsSettings:
    """provider: of `PROVIDERS`. base_url: the provider's own, or of a gateway that speaks its API."""

    provider: str
    api_key: str = field(repr=False)
    base_url: str


def parse(given: Mapping[str, str], *, base_url: str) -> EmbeddingsSettings | None:
    """The provider of an environment; None without one, and without a key: materials are then searched by words alone.

    base_url: the checked address of EMBEDDINGS_BASE_URL, "" for the provider's own. Raises `SettingsError`.
    """
    provider = given.get(PROVIDER, "").lower()
    if provider and provider not in PROVIDERS:
        remedy = f"Set {', '.join(PROVIDERS)}, or leave it empty."
        raise SettingsError(PROVIDER, "is not known.", next_step=remedy)
    if not provider or not given.get(API_KEY):
        return None
    return EmbeddingsSettings(provider=provider, api_key=given[API_KEY], base_url=base_url or PROVIDERS[provider])
