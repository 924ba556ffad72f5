"""`RoundWriter`: one round of making: some passages to the model, and what holds of its answer."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.i18n.search_tokens import search_tokens
from services.llm.chat_model import Payer, Usage
from services.llm.prices import BilledInput, rates
from services.materials.search.stems import both_stems
from services.study.generation.generated_items import GeneratedItems, checked_items
from services.study.generation.likeness import KnownQuestion
from services.study.generation.question_writer import QuestionWriter, WritingOrder
from services.study.generation.source_passage import SourcePassage, input_characters
from services.study.quiz import GenerationEstimate, QuizRequest

log = logging.getLogger(__name__)

AT_ONCE = 10
"""Questions of one request: an answer of more is cut off sooner than it is read."""
WINDOW = 24_000
"""Characters of passages of one request."""
CHARACTERS_A_TOKEN = 3.5
TOKENS_A_QUESTION, TOKENS_A_CARD = 300, 160
TOKENS_OF_INSTRUCTIONS = 1_800
MADE_ANEW = 1.25
"""What is thrown away and made anew, on average."""


@dataclass(frozen=True, kw_only=True)
class RoundOutcome:
    """What one round brought: questions or cards. dropped: drafts that did not hold."""

    items: Sequence[Any] = field(repr=False)
    dropped: int
    usage: Usage
    is_refused: bool = False


class RoundWriter:
    def __init__(self, writer: QuestionWriter) -> None:
        self._writer = writer

    @property
    def model_name(self) -> str:
        return self._writer.name

    def write(
        self,
        request: QuizRequest,
        product: GeneratedItems,
        passages: Sequence[SourcePassage],
        known: Sequence[KnownQuestion],
        *,
        payer: Payer,
        number: int,
        missing: int,
        is_wanted: Callable[[], bool],
    ) -> RoundOutcome:
        """Write up to `missing` questions that are like none of the known ones. number: of the round, from 0.

        Raises `ModelError`, `AnswerUnwanted`.
        """
        window = window_of(about(request.topic, passages), number)
        order = WritingOrder(
            request=request,
            payer=payer,
            passages=window,
            asked=[each.prompt for each in known],
            count=min(missing, AT_ONCE),
        )
        written = self._writer.write(order, is_wanted)
        found = checked_items(written.items, product, window, request, known, missing)
        if found.reasons:
            log.info("drafts_dropped %s", " ".join(f"{why}={count}" for why, count in sorted(found.reasons.items())))
        return RoundOutcome(
            items=found.items,
            dropped=sum(found.reasons.values()),
            usage=written.usage,
            is_refused=written.is_refused,
        )


def window_of(passages: Sequence[SourcePassage], number: int) -> list[SourcePassage]:
    """The passages of a round: all of them, or some from everywhere, other ones each round."""
    return list(passages[number % windows_of(passages) :: windows_of(passages)])


def windows_of(passages: Sequence[SourcePassage]) -> int:
    """How many rounds see every passage."""
    return max(1, -(-input_characters(passages) // WINDOW))


def about(topic: str, passages: Sequence[SourcePassage]) -> list[SourcePassage]:
    """The passages that have words of the topic; all of them where none has."""
    wanted = {form for word in search_tokens(topic) if len(word) > 2 for form in both_stems(word)}
    found = [passage for passage in passages if wanted & _stems(f"{passage.label} {passage.text}")] if wanted else []
    return found or list(passages)


def estimate_of(model: str, request: QuizRequest, passages: Sequence[SourcePassage]) -> GenerationEstimate:
    """Estimate tokens and dollars; 0 dollars where the model has no known price."""
    used = about(request.topic, passages)
    return _estimate(model, request, len(used), min(input_characters(used), WINDOW))


def largest_estimate(model: str, request: QuizRequest) -> GenerationEstimate:
    """What a request takes at most, however long its sources are: these need not be read for it."""
    return _estimate(model, request, 0, WINDOW)


def _estimate(model: str, request: QuizRequest, passages: int, characters: int) -> GenerationEstimate:
    """characters: of the passages that one request to the model holds."""
    rounds = -(-request.count // AT_ONCE)
    sent = round(rounds * (characters / CHARACTERS_A_TOKEN + TOKENS_OF_INSTRUCTIONS) * MADE_ANEW)
    each = TOKENS_A_CARD if request.product == "cards" else TOKENS_A_QUESTION
    written = round(request.count * each * MADE_ANEW)
    known = rates(model)
    return GenerationEstimate(
        passages=passages,
        input_tokens=sent,
        output_tokens=written,
        cost_usd=known.cost(BilledInput(fresh=sent), written) if known else 0.0,
    )


def _stems(text: str) -> set[str]:
    return {form for word in set(search_tokens(text)) for form in both_stems(word)}
