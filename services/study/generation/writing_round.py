"""`RoundWriter`: one round of making: some passages to the model, and what holds of its answer."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from services.i18n.search_tokens import search_tokens
from services.llm.chat_model import Usage
from services.materials.search.stems import both_stems
from services.runtime.clock import Clock
from services.study.generation.drafts import QuestionDraft, read_drafts
from services.study.generation.likeness import AskedQuestions
from services.study.generation.passages import Passage, input_characters
from services.study.generation.question_check import UnfitDraft, check_question
from services.study.generation.question_writer import QuestionWriter, WritingOrder
from services.study.question import Question
from services.study.quiz import QuizRequest

log = logging.getLogger(__name__)

AT_ONCE = 10
"""Questions of one request: an answer of more is cut off sooner than it is read."""
WINDOW = 24_000
"""Characters of passages of one request."""


@dataclass(frozen=True, kw_only=True)
class RoundOutcome:
    """What one round brought. dropped: drafts that did not hold."""

    questions: Sequence[Question] = field(repr=False)
    dropped: int
    usage: Usage
    is_refused: bool = False


class RoundWriter:
    def __init__(self, writer: QuestionWriter, clock: Clock) -> None:
        self._writer, self._clock = writer, clock

    @property
    def model_name(self) -> str:
        return self._writer.name

    def questions(
        self,
        request: QuizRequest,
        passages: Sequence[Passage],
        known: Sequence[Question],
        *,
        number: int,
        missing: int,
        is_wanted: Callable[[], bool],
    ) -> RoundOutcome:
        """Write up to `missing` questions that are like none of the known ones. number: of the round, from 0."""
        window = window_of(about(request.topic, passages), number)
        order = WritingOrder(
            request=request,
            passages=window,
            asked=[question.prompt for question in known],
            count=min(missing, AT_ONCE),
        )
        written = self._writer.write(order, is_wanted)
        drafts = read_drafts(written.items, QuestionDraft)
        asked, kept, reasons = AskedQuestions(known), list[Question](), Counter[str]()
        for draft in drafts:
            try:
                question = check_question(draft, window, request, self._clock())
            except UnfitDraft as reason:
                reasons[str(reason)] += 1
                continue
            if not _is_wanted_kind(question, request):
                reasons["kind"] += 1
            elif not asked.is_new(question):
                reasons["alike"] += 1
            elif len(kept) < missing:
                kept.append(question)
        reasons["no_draft"] += len(written.items) - len(drafts)
        if reasons.total():
            log.info("drafts_dropped %s", " ".join(f"{reason}={count}" for reason, count in sorted(reasons.items())))
        return RoundOutcome(questions=kept, dropped=reasons.total(), usage=written.usage, is_refused=written.is_refused)


def window_of(passages: Sequence[Passage], number: int) -> list[Passage]:
    """The passages of a round: all of them, or some from everywhere, other ones each round."""
    windows = max(1, -(-input_characters(passages) // WINDOW))
    return list(passages[number % windows :: windows])


def windows_of(passages: Sequence[Passage]) -> int:
    """How many rounds see every passage."""
    return max(1, -(-input_characters(passages) // WINDOW))


def about(topic: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that have words of the topic; all of them where none has."""
    wanted = {form for word in search_tokens(topic) if len(word) > 2 for form in both_stems(word)}
    found = [passage for passage in passages if wanted & _stems(f"{passage.label} {passage.text}")] if wanted else []
    return found or list(passages)


def _stems(text: str) -> set[str]:
    return {form for word in set(search_tokens(text)) for form in both_stems(word)}


def _is_wanted_kind(question: Question, request: QuizRequest) -> bool:
    return not request.kinds or question.kind in request.kinds
