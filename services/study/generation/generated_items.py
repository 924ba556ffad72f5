"""Products of making: questions of a quiz, or drafts of cards; how each is checked, known and stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import Any, Protocol

from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.flashcard import Flashcard, FlashcardState
from services.study.generation.drafts import CardDraft, QuestionDraft, read_drafts
from services.study.generation.likeness import AskedQuestions, KnownQuestion, known_card, known_question
from services.study.generation.question_check import UnfitDraft, check_card, check_question
from services.study.generation.source_passage import SourcePassage
from services.study.question import Question
from services.study.quiz import Quiz, QuizRequest
from services.study.review.deck import Deck
from services.study.store.quiz_repository import QuizRecord, QuizRepository

MOST_COMPARED = 200


@dataclass(frozen=True, kw_only=True)
class CheckedItems:
    """What holds of one answer. reasons: how many drafts were thrown away, by why."""

    items: Sequence[Any]
    reasons: Mapping[str, int]


class GeneratedItems(Protocol):
    """What is made of a request."""

    def known(self, student: Student, record: QuizRecord, passages: Sequence[SourcePassage]) -> list[KnownQuestion]:
        """What there is already that new ones must not be like, this quiz's own first."""

    def check(
        self, item: Mapping[str, Any], passages: Sequence[SourcePassage], request: QuizRequest
    ) -> tuple[Any, KnownQuestion]:
        """Check one item of an answer; raises `UnfitDraft`."""

    def store(
        self, student: Student, record: QuizRecord, items: Sequence[Any], changes: Mapping[str, Any]
    ) -> QuizRecord | None:
        """Store what was made together with the changes of its quiz; None when that was changed meanwhile."""

    def recover(self, student: Student, record: QuizRecord) -> QuizRecord | None:
        """Put in order what a process that died in between has left."""

    def discard(self, student: Student, quiz: Quiz) -> None:
        """Delete what a deleted quiz leaves that the student has not made their own."""


class GeneratedQuestions:
    """Questions, stored with their quiz."""

    def __init__(self, repository: QuizRepository, clock: Clock) -> None:
        self._repository, self._clock = repository, clock

    def known(self, student: Student, record: QuizRecord, passages: Sequence[SourcePassage]) -> list[KnownQuestion]:
        sources = {(passage.source, passage.source_id) for passage in passages}
        own = self._repository.questions(student.id, record.quiz.question_ids)
        named = {question.id for question in own}
        earlier = [
            question
            for question in self._repository.questions_of_course(student.id, record.quiz.request.course_key)
            if question.id not in named and (question.quotation.source, question.quotation.source_id) in sources
        ]
        return [known_question(question) for question in [*earlier, *own]]

    def check(
        self, item: Mapping[str, Any], passages: Sequence[SourcePassage], request: QuizRequest
    ) -> tuple[Question, KnownQuestion]:
        draft = read_drafts([item], QuestionDraft)
        if not draft:
            raise UnfitDraft("no_draft")
        question = check_question(draft[0], passages, request, self._clock())
        if request.kinds and question.kind not in request.kinds:
            raise UnfitDraft("kind")
        return question, known_question(question)

    def store(
        self, student: Student, record: QuizRecord, items: Sequence[Question], changes: Mapping[str, Any]
    ) -> QuizRecord | None:
        return self._repository.change(student.id, record, changes, new=items)

    def recover(self, student: Student, record: QuizRecord) -> QuizRecord | None:
        self._repository.delete_unnamed(student.id, record)
        return record

    def discard(self, student: Student, quiz: Quiz) -> None:
        """Its questions went with the quiz."""


class GeneratedCards:
    """Drafts of cards, in the student's deck. Their ids follow from their place in the quiz, so that a process that
    goes on for one that died finds those which it had added, and adds none of them twice.
    """

    def __init__(self, repository: QuizRepository, deck: Deck) -> None:
        self._repository, self._deck = repository, deck

    def known(self, student: Student, record: QuizRecord, passages: Sequence[SourcePassage]) -> list[KnownQuestion]:
        listed = self._deck.cards(student, record.quiz.request.course_key, limit=MOST_COMPARED).cards
        return [known_card(card.front, card.back) for card in reversed(listed)]

    def check(
        self, item: Mapping[str, Any], passages: Sequence[SourcePassage], request: QuizRequest
    ) -> tuple[Flashcard, KnownQuestion]:
        draft = read_drafts([item], CardDraft)
        if not draft:
            raise UnfitDraft("no_draft")
        front, back, topic, quotation = check_card(draft[0], passages)
        card = self._deck.new_card(
            front=front, back=back, topic=topic, quotation=quotation, course_key=request.course_key
        )
        return card, known_card(front, back)

    def store(
        self, student: Student, record: QuizRecord, items: Sequence[Flashcard], changes: Mapping[str, Any]
    ) -> QuizRecord | None:
        quiz = record.quiz
        ids = [card_id(quiz, len(quiz.question_ids) + at) for at in range(len(items))]
        cards = [replace(card, id=id, guid=id) for card, id in zip(items, ids, strict=True)]
        if cards:
            self._deck.add_drafts(student, cards)
        changed = self._repository.change(
            student.id, record, {**changes, "question_ids": [*quiz.question_ids, *ids]} if ids else changes
        )
        if changed is None and self._repository.quiz(student.id, quiz.id) is None:
            self._deck.drop(student, ids)
        return changed

    def recover(self, student: Student, record: QuizRecord) -> QuizRecord | None:
        quiz = record.quiz
        wanted = [card_id(quiz, at) for at in range(len(quiz.question_ids), quiz.request.count)]
        there = {card.id for card in self._deck.cards_by_id(student, wanted)}
        left = [id for id in wanted if id in there]
        if not left:
            return record
        return self._repository.change(student.id, record, {"question_ids": [*quiz.question_ids, *left]})

    def discard(self, student: Student, quiz: Quiz) -> None:
        """Drop the drafts; cards that were kept stay."""
        self._deck.drop(student, _drafts(self._deck.cards_by_id(student, quiz.question_ids)))


def _drafts(cards: Sequence[Flashcard]) -> list[str]:
    return [card.id for card in cards if card.state is FlashcardState.DRAFT]


def card_id(quiz: Quiz, number: int) -> str:
    """Id of the card at a place in a quiz; later ones sort behind earlier ones, as `review.deck.new_card_id` says."""
    at = quiz.made_at + timedelta(microseconds=number)
    return f"{int(at.timestamp() * 1_000_000):015x}{sha256(f'{quiz.id} {number}'.encode()).hexdigest()[:10]}"


def checked_items(
    items: Sequence[Mapping[str, Any]],
    product: GeneratedItems,
    passages: Sequence[SourcePassage],
    request: QuizRequest,
    known: Sequence[KnownQuestion],
    most: int,
) -> CheckedItems:
    """Keep what holds of an answer, and is like nothing before it; `most` items at most."""
    asked, kept, reasons = AskedQuestions(known), list[Any](), dict[str, int]()
    for item in items:
        try:
            made, words = product.check(item, passages, request)
            if not asked.is_new(words):
                raise UnfitDraft("alike")
        except UnfitDraft as reason:
            reasons[str(reason)] = reasons.get(str(reason), 0) + 1
            continue
        if len(kept) < most:
            kept.append(made)
    return CheckedItems(items=kept, reasons=reasons)
