"""Records of a file's cards, as the process that reads it hands them over: each picture once, and within bounds."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.files.reader_process import Record
from services.i18n import gettext
from services.study.exchange.imported_cards import (
    LONGEST_DECK,
    LONGEST_GUID,
    LONGEST_TAG,
    MOST_TAGS,
    CardMemory,
    CardPackage,
    ImportedCard,
    ImportedReview,
)
from services.study.flashcard import FlashcardPicture

MOST_TEXT = 10_000_000
"""Characters of all cards of one file."""
MOST_PICTURE_BYTES = 40_000_000
"""Bytes of all pictures of one file."""
_AT_ONCE = 100


def dump_cards(cards: Iterable[ImportedCard], remarks: Callable[[], Sequence[str]]) -> Iterator[Record]:
    """Records of cards, some at once, each picture before the first card that has it; then of what was left out.

    remarks: called when all cards were read.
    """
    dumped: list[dict[str, Any]] = []
    pictures: set[str] = set()
    number = characters = 0
    is_cut = False
    for card in map(_bounded, cards):
        characters += len(card.front) + len(card.back)
        if characters > MOST_TEXT:
            is_cut = True
            break
        for picture in card.pictures:
            if picture.name not in pictures:
                pictures.add(picture.name)
                yield {"picture": picture.name, "media_type": picture.media_type}, base64.b64decode(picture.data)
        dumped.append(_dump_card(card))
        number += 1
        if len(dumped) == _AT_ONCE:
            yield {}, json.dumps(dumped).encode()
            dumped = []
    yield {}, json.dumps(dumped).encode()
    cut = [gettext("Only the first {most} cards are taken over.", most=number)] if is_cut else []
    yield {"remarks": [*remarks(), *cut], "end": True}, b""


def load_package(records: Iterable[Record]) -> CardPackage:
    """Cards from what `dump_cards` gave; cards with the same picture share it."""
    cards: list[ImportedCard] = []
    pictures: dict[str, FlashcardPicture] = {}
    remarks: Sequence[str] = ()
    for record, content in records:
        remarks = record.get("remarks", remarks)
        if name := record.get("picture"):
            data = base64.b64encode(content).decode()
            pictures[name] = FlashcardPicture(name=name, media_type=record["media_type"], data=data)
        else:
            cards += [_load_card(written, pictures) for written in json.loads(content or b"[]")]
    return CardPackage(cards=tuple(cards), remarks=tuple(remarks))


def _bounded(card: ImportedCard) -> ImportedCard:
    guid = card.guid
    if len(guid) > LONGEST_GUID:
        guid = f"long-{hashlib.sha256(guid.encode('utf-8', 'replace')).hexdigest()}"
    tags = tuple(tag[:LONGEST_TAG] for tag in card.tags[:MOST_TAGS])
    return replace(card, guid=guid, deck=card.deck[:LONGEST_DECK], tags=tags)


def _dump_card(card: ImportedCard) -> dict[str, Any]:
    memory = card.memory
    return {
        "guid": card.guid,
        "front": card.front,
        "back": card.back,
        "deck": card.deck,
        "tags": list(card.tags),
        "pictures": [picture.name for picture in card.pictures],
        "memory": {**vars(memory), "last_review": memory.last_review.isoformat(), "due": memory.due.isoformat()}
        if memory
        else None,
        "is_suspended": card.is_suspended,
        "log": [[review.at, review.rating, review.seconds] for review in card.log],
    }


def _load_card(written: Mapping[str, Any], pictures: Mapping[str, FlashcardPicture]) -> ImportedCard:
    memory = written["memory"]
    times = {name: datetime.fromisoformat(memory[name]) for name in ("last_review", "due")} if memory else {}
    return ImportedCard(
        guid=written["guid"],
        front=written["front"],
        back=written["back"],
        deck=written["deck"],
        tags=tuple(written["tags"]),
        pictures=tuple(pictures[name] for name in written["pictures"]),
        memory=CardMemory(**{**memory, **times}) if memory else None,
        is_suspended=written["is_suspended"],
        log=tuple(ImportedReview(at=at, rating=rating, seconds=s) for at, rating, s in written["log"]),
    )
