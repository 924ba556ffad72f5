"""`Flashcard`: a flashcard with its schedule (FSRS), and `Review`: one rating of it, as logged."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any

from services.study.question import Quotation


class ReviewRating(IntEnum):
    """As in FSRS and Anki."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class FlashcardState(StrEnum):
    """draft: made and not yet looked over. kept: in review. suspended: kept, but not asked."""

    DRAFT = "draft"
    KEPT = "kept"
    SUSPENDED = "suspended"


@dataclass(frozen=True, kw_only=True)
class FlashcardPicture:
    """Picture of a card. data: base64 of the bytes; "" in a card that was read from the store, see `Deck.pictures`.

    size: of the base64 text.
    """

    name: str
    media_type: str
    data: str = field(default="", repr=False)
    size: int = 0


@dataclass(frozen=True, kw_only=True)
class Review:
    """Rating of a card. id: idempotency key that the browser gave it: the same again counts once.

    days: calendar days of the student since the review before; None for the first. seconds: that it took.
    sibling: as of its card. before: schedule, scheduler, due time and counts as they were, for the undo.
    is_undone: taken back.
    """

    id: str
    card_id: str
    rating: ReviewRating
    at: datetime
    days: int | None = None
    seconds: float = 0.0
    scheduler: str = ""
    sibling: str = ""
    before: Mapping[str, Any] = field(default_factory=dict, repr=False)
    is_undone: bool = False


@dataclass(frozen=True, kw_only=True)
class Flashcard:
    """Flashcard. front, back: Markdown with formulas; a picture stands in them as `![](name)`.

    schedule: the `fsrs` package's own dictionary of the card. scheduler: version that made it, such as "fsrs-6.3.2".
    due_at: when it is to be reviewed; None for a draft and for a kept card that was never reviewed.
    is_for_exam: False where the student said "not for this exam". rehearsed: day of the exam, as ISO date, that it has
    had its last review before; "" for none. guid: id of the note in Anki, the same at every export.
    latest: its newest entry of the log, written together with the schedule. version: counts its changes, for
    compare-and-set.
    """

    id: str
    course_key: str = ""
    topic: str = field(default="", repr=False)
    front: str = field(repr=False)
    back: str = field(repr=False)
    quotation: Quotation | None = None
    pictures: tuple[FlashcardPicture, ...] = field(default=(), repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)
    state: FlashcardState = FlashcardState.DRAFT
    is_for_exam: bool = True
    schedule: Mapping[str, Any] = field(default_factory=dict, repr=False)
    scheduler: str = ""
    due_at: datetime | None = None
    guid: str = ""
    made_at: datetime
    reviews: int = 0
    lapses: int = 0
    rehearsed: str = ""
    latest: Review | None = field(default=None, repr=False)
    version: int = 1

    @property
    def sibling(self) -> str:
        """The same for cards that were made from the same words; "" without a quotation."""
        source = self.quotation
        if source is None or not source.words:
            return ""
        return hashlib.sha256(f"{source.source_id}\n{source.page}\n{source.words}".encode()).hexdigest()[:12]
