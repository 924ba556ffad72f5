"""Prices of tokens (package `genai-prices`: no request leaves the process), and the cost of model requests by them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ModelRequest, Usage

READ_WEIGHT, WRITE_WEIGHT = 0.1, 1.25
"""Price of a token that is read from the cache or written to it, relative to one that is neither."""
_SAMPLE = 1_000
"""Few enough tokens that no price for very long prompts applies."""
MICRO = 1_000_000
"""Of a dollar: budgets are counted in whole ones, so that no sum is rounded."""
CHARACTERS_PER_TOKEN = 3
"""Rather too few: newer tokenizers cut finer, and JSON finer still."""
TOKENS_OF_A_FILE = 25_000
"""Of a picture or a file that a request holds as bytes: more than a picture has, and than most files do."""
SURCHARGE = 5
"""Multiple, at most, that a token costs in a prompt beyond `Capabilities.surcharge_from`."""


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


UNPRICED = Rates(fresh=5e-6, read=5e-7, written=6.25e-6, output=2.5e-5, search=0.01)
"""Rates of a model without a known price, those of a dear one: unknown is not free."""


def micro_dollars(model: str, usage: Usage, *, searches: int = 0) -> int:
    """Cost of a request by the tokens that the API counted. searches: of the web, which have a fee each."""
    if (surcharge_from := capabilities_of(model).surcharge_from) and total_input_tokens(usage) >= surcharge_from:
        return math.ceil(_priced(model, usage, searches) * MICRO)
    known = rates(model) or UNPRICED
    return math.ceil(round(known.cost(billed_input(usage), usage.output_tokens, searches) * MICRO, 3))


def most_micro_dollars(request: ModelRequest) -> int:
    """Upper estimate of a request: all of it written to the cache, and an answer as long as it may be."""
    known, capabilities = rates(request.model) or UNPRICED, capabilities_of(request.model)
    sent = sum(estimated_tokens(part) for part in (request.system, request.tools, request.messages))
    dollars = sent * known.written + request.max_tokens * known.output
    is_dearer = capabilities.surcharge_from and sent >= capabilities.surcharge_from
    return math.ceil(dollars * MICRO) * (SURCHARGE if is_dearer else 1)


def estimated_tokens(part: Any) -> int:
    """Upper estimate of the tokens of a part of a request, without writing it as JSON."""
    if isinstance(part, str):
        return len(part) // CHARACTERS_PER_TOKEN + 1
    if isinstance(part, Mapping):
        if part.get("type") == "base64":
            return TOKENS_OF_A_FILE
        return sum(1 + estimated_tokens(value) for value in part.values())
    if isinstance(part, Sequence):
        return sum(map(estimated_tokens, part))
    return 1


def _priced(model: str, usage: Usage, searches: int) -> float:
    """Cost of a long prompt, which has prices of its own."""
    from genai_prices import Usage as PricedUsage
    from genai_prices import calc_price

    counted = PricedUsage(
        input_tokens=total_input_tokens(usage),
        cache_read_tokens=usage.cache_read_input_tokens,
        cache_write_tokens=usage.cache_creation_input_tokens,
        output_tokens=usage.output_tokens,
        web_searches=searches,
    )
    try:
        return float(calc_price(counted, model_ref=model, provider_id="anthropic").total_price)
    except LookupError:
        return UNPRICED.cost(billed_input(usage), usage.output_tokens, searches) * SURCHARGE
