"""What tokens cost in dollars, by the list prices that the package `genai-prices` brings: nothing is asked outside."""

from dataclasses import dataclass
from functools import lru_cache

from services.discovery.otherwise import Input

_SAMPLE = 1_000
"""Few enough tokens that no price for very long prompts applies."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Dollars for one token. search: for one search of the web; None where no fee is known."""

    fresh: float
    read: float
    written: float
    output: float
    search: float | None

    def cost(self, sent: Input, output: int, searches: int = 0) -> float:
        """Dollars for a request, or for many together; what has no known fee is left out."""
        billed = sent.fresh * self.fresh + sent.read * self.read + sent.written * self.written
        return billed + output * self.output + searches * (self.search or 0.0)


@lru_cache(maxsize=64)
def rates(model: str) -> Rates | None:
    """None for a model whose price nobody here knows: that is not the same as free."""
    # Imported where it is wanted: it is large, and only these numbers need it.
    from genai_prices import Usage, calc_price

    def of_one(**tokens: int) -> float:
        price = calc_price(Usage(**tokens), model_ref=model, provider_id="anthropic")
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
