"""Estimates: what making questions from passages takes, before anything is sent."""

from collections.abc import Sequence

from services.llm.prices import BilledInput, rates
from services.study.generation.passage import Passage, input_characters
from services.study.generation.writing_round import AT_ONCE, WINDOW, about
from services.study.quiz import GenerationEstimate, QuizRequest

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_QUESTION, TOKENS_A_CARD = 300, 160
TOKENS_OF_INSTRUCTIONS = 1_800
MADE_ANEW = 1.25
"""What is thrown away and made anew, on average."""


def estimate_of(model: str, request: QuizRequest, passages: Sequence[Passage]) -> GenerationEstimate:
    """Estimate tokens and dollars; 0 dollars where the model has no known price."""
    used = about(request.topic, passages)
    rounds = -(-request.count // AT_ONCE)
    characters = min(input_characters(used), WINDOW)
    sent = round(rounds * (characters / CHARACTERS_A_TOKEN + TOKENS_OF_INSTRUCTIONS) * MADE_ANEW)
    each = TOKENS_A_CARD if request.product == "cards" else TOKENS_A_QUESTION
    written = round(request.count * each * MADE_ANEW)
    known = rates(model)
    return GenerationEstimate(
        passages=len(used),
        input_tokens=sent,
        output_tokens=written,
        cost_usd=known.cost(BilledInput(fresh=sent), written) if known else 0.0,
    )
