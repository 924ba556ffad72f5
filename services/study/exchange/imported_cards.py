"""`CardPackage`: cards as a file brought them, before they are a student's own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from services.storage.records import read_record
from services.study.flashcard import FlashcardPicture

MOST_CARDS = 5_000
"""Cards of one file."""
LONGEST_SIDE = 8_000
"""Characters of a card's front or back."""
LARGEST_PACKAGE = 60_000_000
"""Bytes of a file as it is uploaded."""


@dataclass(frozen=True, kw_only=True)
class CardMemory:
    """How well a card was known in Anki. stability: days until recall falls to 90 %. difficulty: from 1 to 10."""

    stability: float
    difficulty: float
    last_review: datetime
    due: datetime
    reviews: int = 0
    lapses: int = 0


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


@dataclass(frozen=True, kw_only=True)
class CardPackage:
    """Cards of a file. remarks: what was left out, in words for the student."""

    cards: tuple[ImportedCard, ...]
    remarks: tuple[str, ...] = ()

    @property
    def decks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(card.deck for card in self.cards if card.deck))


def dump_card(card: ImportedCard) -> dict[str, Any]:
    """Plain JSON of a card, as the process that reads packages hands it over."""
    memory = card.memory
    return {
        "guid": card.guid,
        "front": card.front,
        "back": card.back,
        "deck": card.deck,
        "tags": list(card.tags),
        "pictures": [vars(picture) for picture in card.pictures],
        "memory": {**vars(memory), "last_review": memory.last_review.isoformat(), "due": memory.due.isoformat()}
        if memory
        else None,
        "is_suspended": card.is_suspended,
    }


def load_card(written: Mapping[str, Any]) -> ImportedCard:
    """Card from what `dump_card` gave."""
    memory = written["memory"]
    times = {name: datetime.fromisoformat(memory[name]) for name in ("last_review", "due")} if memory else {}
    return ImportedCard(
        guid=written["guid"],
        front=written["front"],
        back=written["back"],
        deck=written["deck"],
        tags=tuple(written["tags"]),
        pictures=tuple(read_record(FlashcardPicture, picture) for picture in written["pictures"]),
        memory=CardMemory(**{**memory, **times}) if memory else None,
        is_suspended=written["is_suspended"],
    )
