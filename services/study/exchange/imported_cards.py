"""`CardPackage`: cards as a file brought them, before they are a student's own."""

from dataclasses import dataclass, field
from datetime import datetime

from services.study.flashcard import FlashcardPicture
from services.study.review.scheduler import REVIEW

MOST_CARDS = 5_000
"""Cards of one file."""
LONGEST_SIDE = 8_000
"""Characters of a card's front or back."""
LONGEST_DECK, LONGEST_TAG, LONGEST_GUID, MOST_TAGS = 300, 60, 200, 20
LARGEST_PACKAGE = 60_000_000
"""Bytes of a file as it is uploaded."""


@dataclass(frozen=True, kw_only=True)
class CardMemory:
    """How well a card was known in Anki. stability: days until recall falls to 90 %. difficulty: from 1 to 10.

    state, step: of the `fsrs` package.
    """

    stability: float
    difficulty: float
    last_review: datetime
    due: datetime
    reviews: int = 0
    lapses: int = 0
    state: int = REVIEW
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class ImportedReview:
    """Review of Anki's log. at: milliseconds since 1970. rating: from 1 to 4."""

    at: int
    rating: int
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ImportedCard:
    """Card of a file. guid: the same for the same card in every file; deck: its name, "::" between levels."""

    guid: str
    front: str = field(repr=False)
    back: str = field(repr=False)
    deck: str = field(default="", repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)
    pictures: tuple[FlashcardPicture, ...] = field(default=(), repr=False)
    memory: CardMemory | None = None
    is_suspended: bool = False
    log: tuple[ImportedReview, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True)
class CardPackage:
    """Cards of a file. remarks: what was left out, in words for the student."""

    cards: tuple[ImportedCard, ...]
    remarks: tuple[str, ...] = ()

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(card.deck for card in self.cards if card.deck))
