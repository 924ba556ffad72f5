"""Anki package of a student's cards. Ids of the note type and of decks, and of each note, are the same every time:
a second import changes notes and doubles none.
"""

import base64
import hashlib
import io
import json
import re
import sqlite3
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from time import time
from zoneinfo import ZoneInfo

from services.study.exchange.anki_schedule import write_schedules
from services.study.exchange.card_markup import html_of
from services.study.flashcard import Flashcard, FlashcardPicture, Review

MODEL_ID = 1_607_392_811
MODEL, FRONT, BACK, SOURCE = "Homeroom", "Front", "Back", "Source"
"""Name of our note type, and of its fields."""
TOPIC = "topic::"
BLANK_OF_TAG = "\xa0"
_STYLE = (
    ".card { font-family: sans-serif; font-size: 20px; text-align: center; }\n"
    ".source { color: #777; font-size: 14px; margin-top: 1em; }"
)
_BACK = '{{FrontSide}}<hr id="answer">{{Back}}{{#Source}}<div class="source">{{Source}}</div>{{/Source}}'
_UNFIT = re.compile(r"[^\w.\-]")


def anki_package(
    cards: Sequence[Flashcard],
    decks: Mapping[str, str],
    pictures: Mapping[str, Sequence[FlashcardPicture]],
    logs: Mapping[str, Sequence[Review]],
    zone: ZoneInfo,
) -> bytes:
    """Bytes of an .apkg. decks: the name of a deck by course key. pictures: by the card's id, with their data. logs:
    reviews by the card's id, the oldest first. zone: the student's.
    """
    import genanki  # type: ignore[import-untyped]

    model = genanki.Model(
        MODEL_ID,
        MODEL,
        fields=[{"name": name} for name in (FRONT, BACK, SOURCE)],
        templates=[{"name": "Card", "qfmt": "{{Front}}", "afmt": _BACK}],
        css=_STYLE,
    )
    found: dict[str, genanki.Deck] = {}
    names_of_decks = _distinct(decks)
    with tempfile.TemporaryDirectory() as folder:
        media: dict[str, str] = {}
        for card in cards:
            names = _store_pictures(pictures.get(card.id, ()), Path(folder), media)
            deck = _deck_name(card, names_of_decks)
            if deck not in found:
                found[deck] = genanki.Deck(_deck_id(deck), deck)
            place = card.quotation.place if card.quotation else ""
            sides = [html_of(side, names) for side in (card.front, card.back)]
            note = genanki.Note(model=model, fields=[*sides, html_of(place)], guid=card.guid, tags=_tags(card))
            found[deck].add_note(note)
        collection = Path(folder) / "collection.anki2"
        with closing(sqlite3.connect(collection)) as database:
            genanki.Package(list(found.values())).write_to_db(database.cursor(), time(), count(int(time() * 1_000)))
            write_schedules(database, cards, logs, zone)
            database.commit()
        return _archive(collection, media)


def _archive(collection: Path, media: Mapping[str, str]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(collection, collection.name)
        archive.writestr("media", json.dumps(dict(enumerate(media))))
        for number, path in enumerate(media.values()):
            archive.write(path, str(number))
    return written.getvalue()


def _store_pictures(pictures: Sequence[FlashcardPicture], folder: Path, media: dict[str, str]) -> dict[str, str]:
    """Write pictures under names of their content; the name in the package by that in the card."""
    names = {}
    for picture in pictures:
        content = base64.b64decode(picture.data)
        ending = picture.media_type.rpartition("/")[2]
        name = f"homeroom-{hashlib.sha256(content).hexdigest()[:16]}.{_UNFIT.sub('', ending)}"
        if name not in media:
            path = folder / name
            path.write_bytes(content)
            media[name] = str(path)
        names[picture.name] = name
    return names


def _distinct(decks: Mapping[str, str]) -> dict[str, str]:
    """Names of courses of which no two are the same."""
    names = Counter(decks.values())
    return {key: f"{name} ({key})" if names[name] > 1 else name for key, name in decks.items()}


def _deck_name(card: Flashcard, decks: Mapping[str, str]) -> str:
    """One deck for one course: a topic is a tag there, or each would have limits of its own."""
    levels = ("Homeroom", decks.get(card.course_key, ""))
    return "::".join(level.replace("::", ": ") for level in levels if level)


def _deck_id(name: str) -> int:
    """An id between 2^30 and 2^31, the same for the same name."""
    return 2**30 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % 2**30


def _tags(card: Flashcard) -> list[str]:
    """Tags, with blanks that do not end a tag in Anki; the topic is one of them."""
    topic = [f"{TOPIC}{card.topic}"] if card.topic else []
    return [re.sub(r"\s+", BLANK_OF_TAG, tag.strip()) for tag in (*card.tags, *topic) if tag.strip()]


def read_tags(tags: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Topic and tags of a note that was exported here."""
    topic = next((tag.removeprefix(TOPIC) for tag in tags if tag.startswith(TOPIC)), "")
    return topic, tuple(tag for tag in tags if not tag.startswith(TOPIC))
