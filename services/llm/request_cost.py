"""Cost of model requests in millionths of a dollar: what one was, by its usage, and the most that one can be."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from services.llm.capabilities import capabilities_of
from services.llm.chat_model import ModelRequest, Usage
from services.llm.prices import Rates, billed_input, rates, total_input_tokens

MICRO = 1_000_000
"""Of a dollar: budgets are counted in whole ones, so that no sum is rounded."""
CHARACTERS_PER_TOKEN = 3
"""Rather too few: newer tokenizers cut finer, and JSON finer still."""
TOKENS_OF_A_FILE = 25_000
"""Of a picture or a file that a request holds as bytes: more than a picture has, and than most files do."""
UNPRICED = Rates(fresh=5e-6, read=5e-7, written=6.25e-6, output=2.5e-5, search=0.01)
"""Rates of a model without a known price, those of a dear one: unknown is not free."""
SURCHARGE = 5
"""Multiple, at most, that a token costs in a prompt beyond `Capabilities.surcharge_from`."""


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
