"""Prices of tokens in dollars, by the list prices in the package `genai-prices`: no request leaves the process."""

from dataclasses import dataclass
from functools import lru_cache

from services.llm.chat_model import Usage

READ_WEIGHT, WRITE_WEIGHT = 0.1, 1.25
"""Price of a token that is read from the cache or written to it, relative to one that is neither."""
_SAMPLE = 1_000
"""Few enough tokens that no price for very long prompts applies."""


@dataclass(frozen=True, kw_only=True)
class BilledInput:
    """Tokens of a prompt by how they are billed."""

    fresh: int = 0
    read: int = 0
    written: int = 0

    @property
    def whole(self) -> int:
        return self.fresh + self.read + self.written

    @property
    def weighed(self) -> int:
        """Count of fresh tokens that would cost the same."""
        return round(self.fresh + READ_WEIGHT * self.read + WRITE_WEIGHT * self.written)


def billed_input(usage: Usage) -> BilledInput:
    return BilledInput(
        fresh=usage.input_tokens, read=usage.cache_read_input_tokens, written=usage.cache_creation_input_tokens
    )


def total_input_tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Dollars for one token. search: for one search of the web; None where no fee is known."""

    fresh: float
    read: float
    written: float
    output: float
    search: float | None

    def cost(self, sent: BilledInput, output: int, searches: int = 0) -> float:
        """Dollars for a request, or for many together; what has no known fee is left out."""
        billed = sent.fresh * self.fresh + sent.read * self.read + sent.written * self.written
        return billed + output * self.output + searches * (self.search or 0.0)


@lru_cache(maxsize=64)
def rates(model: str) -> Rates | None:
    """Look up a model's prices; None for one without known prices, which is not the same as free."""
    # Imported here, as it is large and only these numbers need it.
    from genai_prices import Usage as PricedUsage
    from genai_prices import calc_price

    def of_one(**tokens: int) -> float:
        price = calc_price(PricedUsage(**tokens), model_ref=model, provider_id="anthropic")
        return float(price.total_price) / _SAMPLE

    try:
        return Rates(
            fresh=of_one(input_tokens=_SAMPLE),
            read=of_one(input_tokens=_SAMPLE, cache_read_tokens=_SAMPLE),
            written=of_one(input_tokens=_SAMPLE, cache_write_tokens=_SAMPLE),
            output=of_one(output_tokens=_SAMPLE),
            search=of_one(web_searches=_SAMPLE) or None,
        )
    except LookupError:
        return None
