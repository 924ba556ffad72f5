"""`CardRepository`: flashcards, their pictures and the log of their reviews in the store, each with its student only.

The commit of a rating is the write of its card, which holds its newest entry of the log (`Flashcard.latest`) as well:
where an engine has no transactions, a process may die before that entry stands in the log. So whoever changes a card
next calls `complete_log` first.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from typing import Any

from services.errors import DuplicateDocument, WriteConflict
from services.runtime.clock import moment, stamp
from services.storage.documents import Document, Where
from services.storage.records import read_all, read_or_none, read_record, record_reader
from services.storage.store import Store, StudentDocuments
from services.study.flashcard import Flashcard, FlashcardPicture, FlashcardState, Review
from services.study.question import Quotation

CARDS, REVIEWS, PICTURES = "study_cards", "study_reviews", "study_pictures"
_AT_ONCE = 250
"""Documents of one batch, and ids in one condition."""
_HEAVIEST = 8_000_000
"""Characters of the pictures of one batch, unless a single card has more."""
_MOST_REVIEWS = 1_000
"""Reviews that the new cards of one batch bring, unless a single card has more."""
_SCHEDULED = ("schedule", "scheduler", "due_at", "reviews", "lapses", "rehearsed")


class CardRepository:
    """Repository of all students' flashcards."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def card(self, student_id: str, id: str) -> Flashcard | None:
        document = self._of(student_id).get(CARDS, id)
        return read_card(document) if document else None

    def cards(self, student_id: str, ids: Sequence[str]) -> list[Flashcard]:
        """Cards by id, in no order; those that are gone are left out."""
        mine = self._of(student_id)
        found = (row for group in _groups(ids) for row in mine.find(CARDS, {"id": {"$in": group}}))
        return read_all(read_card, found)

    def find(
        self, student_id: str, where: Where, *, newest_first: bool = True, limit: int | None = None
    ) -> list[Flashcard]:
        """Cards in the order of their making."""
        order = [("id", -1 if newest_first else 1)]
        return read_all(read_card, self._of(student_id).find(CARDS, where, order=order, limit=limit))

    def due(self, student_id: str, until: datetime) -> list[Flashcard]:
        """Kept cards that are due at this moment."""
        where = {"state": str(FlashcardState.KEPT), "due_at": {"$lte": stamp(until)}}
        return read_all(read_card, self._of(student_id).find(CARDS, where))

    def new(self, student_id: str, course_key: str | None, limit: int) -> list[Flashcard]:
        """Kept cards that were never reviewed, the oldest first; course_key: None for all."""
        where: Where = {"state": str(FlashcardState.KEPT), "due_at": None}
        return self.find(student_id, {**where, **_of_course(course_key)}, newest_first=False, limit=limit)

    def next_due(self, student_id: str, after: datetime, course_key: str | None) -> datetime | None:
        """When the next card comes after a moment; None for never."""
        where: Where = {"state": str(FlashcardState.KEPT), "due_at": {"$gt": stamp(after)}}
        rows = self._of(student_id).find(CARDS, {**where, **_of_course(course_key)}, order=[("due_at", 1)], limit=1)
        return moment(rows[0]["due_at"]) if rows else None

    def count(self, student_id: str, where: Where) -> int:
        return self._of(student_id).count(CARDS, where)

    def course_keys(self, student_id: str) -> list[str]:
        """The courses that there are cards of; "" for those of no course: one read for each."""
        found: list[str] = []
        mine = self._of(student_id)
        while rows := mine.find(
            CARDS, {"course_key": {"$gt": found[-1]}} if found else {}, order=[("course_key", 1)], limit=1
        ):
            found.append(rows[0]["course_key"])
        return found

    def add(
        self, student_id: str, cards: Sequence[Flashcard], logs: Mapping[str, Sequence[Review]] = {}
    ) -> list[Flashcard]:
        """Add cards with their pictures, in batches; those whose id is taken stay as they are. The cards added.

        logs: reviews that were given elsewhere, by the card's id.
        """
        added = []
        for group in _weighed_groups(cards, logs):
            where: Where = {"id": {"$in": [card.id for card in group]}}
            taken = {row["id"] for row in self._of(student_id).find(CARDS, where)}
            fresh = list({card.id: card for card in group if card.id not in taken}.values())
            batch = self._store.batch()
            mine = batch.for_student(student_id)
            # Pictures and reviews first: a card never stands without them, and a second try replaces them.
            for card in fresh:
                for number, picture in enumerate(card.pictures):
                    mine.put(PICTURES, _picture_fields(card.id, number, picture))
            for card in fresh:
                for review in logs.get(card.id, ()):
                    mine.put(REVIEWS, review_fields(review))
            for card in fresh:
                mine.insert(CARDS, card_fields(card))
            batch.commit()
            added += fresh
        return added

    def update(self, student_id: str, card: Flashcard, changes: Mapping[str, Any]) -> Flashcard | None:
        """Change fields of a card that is still at this version; None when it changed meanwhile or is gone."""
        expected = {"version": card.version}
        changed = {**changes, "version": card.version + 1}
        document = self._of(student_id).compare_and_set(CARDS, card.id, expected, _stored(changed))
        return read_card(document) if document else None

    def update_all(self, student_id: str, changes: Sequence[tuple[Flashcard, Mapping[str, Any]]]) -> None:
        """Change fields of many cards, in batches; one that changed meanwhile stays as it is."""
        for group in _groups(changes):
            batch = self._store.batch()
            mine = batch.for_student(student_id)
            for card, fields_of in group:
                changed = _stored({**fields_of, "version": card.version + 1})
                mine.compare_and_set(CARDS, card.id, {"version": card.version}, changed)
            try:
                batch.commit()
            except WriteConflict:
                for card, fields_of in group:
                    self.update(student_id, card, fields_of)

    def record(self, student_id: str, card: Flashcard, after: Flashcard, review: Review) -> None:
        """Store a card after a rating or an undo, and this entry of its log, in one batch.

        Raises `WriteConflict` when the card is not at the version of `card` any more, `DuplicateDocument` when that
        entry is there already, which whoever completes the log may have written.
        """
        batch = self._store.batch()
        mine = batch.for_student(student_id)
        changes = {**{name: getattr(after, name) for name in _SCHEDULED}, "latest": review, "version": card.version + 1}
        mine.compare_and_set(CARDS, card.id, {"version": card.version}, _stored(changes))
        if review.is_undone:
            mine.compare_and_set(REVIEWS, review.id, {}, {"is_undone": True})
        else:
            mine.insert(REVIEWS, review_fields(review))
        batch.commit()

    def complete_log(self, student_id: str, card: Flashcard) -> None:
        """Write the card's newest entry of the log where a process died before it did."""
        if card.latest is None:
            return
        logged = self.review(student_id, card.latest.id)
        if logged is None:
            with suppress(DuplicateDocument):
                self._of(student_id).insert(REVIEWS, review_fields(card.latest))
        elif card.latest.is_undone and not logged.is_undone:
            self._of(student_id).compare_and_set(REVIEWS, logged.id, {}, {"is_undone": True})

    def review(self, student_id: str, id: str) -> Review | None:
        return read_or_none(read_review, self._of(student_id).get(REVIEWS, id))

    def log(self, student_id: str, card_id: str) -> list[Review]:
        """The log of a card, the oldest first, with what was taken back."""
        found = self._of(student_id).find(REVIEWS, {"card_id": card_id}, order=[("at", 1)])
        return read_all(read_review, found)

    def logs(self, student_id: str, card_ids: Sequence[str]) -> dict[str, list[Review]]:
        """The logs of cards by the card's id, the oldest first, without what was taken back."""
        logs: dict[str, list[Review]] = {}
        for group in _groups(card_ids):
            where: Where = {"card_id": {"$in": group}, "is_undone": False}
            for review in read_all(read_review, self._of(student_id).find(REVIEWS, where, order=[("at", 1)])):
                logs.setdefault(review.card_id, []).append(review)
        return logs

    def reviews_since(self, student_id: str, since: datetime, *, limit: int | None = None) -> list[Review]:
        """Reviews of all cards from a moment on, the latest first, without what was taken back."""
        where: Where = {"at": {"$gte": stamp(since)}, "is_undone": False}
        found = self._of(student_id).find(REVIEWS, where, order=[("at", -1)], limit=limit)
        return read_all(read_review, found)

    def drop(self, student_id: str, ids: Sequence[str]) -> None:
        """Delete cards with their pictures and their log; the card last, so that a second try finds the rest."""
        mine = self._of(student_id)
        for group in _groups(ids):
            mine.delete(REVIEWS, {"card_id": {"$in": group}})
            mine.delete(PICTURES, {"card_id": {"$in": group}})
            mine.delete(CARDS, {"id": {"$in": group}})

    def pictures(self, student_id: str, card_id: str) -> tuple[FlashcardPicture, ...]:
        """The pictures of a card, with their data."""
        found = self._of(student_id).find(PICTURES, {"card_id": card_id}, order=[("id", 1)])
        return tuple(read_all(_read_picture, found))

    def _of(self, student_id: str) -> StudentDocuments:
        return self._store.for_student(student_id)


def scheduled(card: Flashcard) -> Document:
    """What a rating changes of a card, as stored."""
    return _stored({name: getattr(card, name) for name in _SCHEDULED})


def card_fields(card: Flashcard) -> Document:
    """A card as stored."""
    return _stored({field.name: getattr(card, field.name) for field in fields(card)})


@record_reader(CARDS)
def read_card(document: Document) -> Flashcard:
    """Read a stored card, without the data of its pictures."""
    return read_record(Flashcard, document)


def review_fields(review: Review) -> Document:
    """A review as stored."""
    return {**vars(review), "rating": int(review.rating), "at": stamp(review.at), "before": dict(review.before)}


@record_reader(REVIEWS)
def read_review(document: Document) -> Review:
    """Read a stored review."""
    return read_record(Review, document)


def _stored(values: Mapping[str, Any]) -> Document:
    return {name: _written(value) for name, value in values.items()}


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, FlashcardState):
        return str(value)
    if isinstance(value, Quotation):
        return {**vars(value), "source": str(value.source)}
    if isinstance(value, Review):
        return review_fields(value)
    if isinstance(value, FlashcardPicture):
        return {"name": value.name, "media_type": value.media_type, "size": value.size or len(value.data)}
    if isinstance(value, Mapping):
        return dict(value)
    return [_written(item) for item in value] if isinstance(value, tuple | list) else value


def _picture_fields(card_id: str, number: int, picture: FlashcardPicture) -> Document:
    return {"id": f"{card_id}.{number:03}", "card_id": card_id, **vars(picture), "size": len(picture.data)}


@record_reader(PICTURES)
def _read_picture(row: Document) -> FlashcardPicture:
    return read_record(FlashcardPicture, row)


def _of_course(course_key: str | None) -> Where:
    return {} if course_key is None else {"course_key": course_key}


def _weighed_groups(cards: Sequence[Flashcard], logs: Mapping[str, Sequence[Review]]) -> Iterator[list[Flashcard]]:
    """Groups of cards, each with few enough pictures and reviews to be held as one batch."""
    group: list[Flashcard] = []
    weight = reviews = 0
    for card in cards:
        pictures, log = sum(len(picture.data) for picture in card.pictures), len(logs.get(card.id, ()))
        is_full = len(group) == _AT_ONCE or weight + pictures > _HEAVIEST or reviews + log > _MOST_REVIEWS
        if group and is_full:
            yield group
            group, weight, reviews = [], 0, 0
        group.append(card)
        weight, reviews = weight + pictures, reviews + log
    if group:
        yield group


def _groups(items: Sequence[Any]) -> Iterator[list[Any]]:
    return (list(items[at : at + _AT_ONCE]) for at in range(0, len(items), _AT_ONCE))
