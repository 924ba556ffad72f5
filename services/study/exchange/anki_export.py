"""Anki package of a student's cards. Ids of the note type and of decks, and of each note, are the same every time:
a second import changes notes and doubles none.
"""

import base64
import hashlib
import io
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from services.study.exchange.card_markup import html_of
from services.study.flashcard import Flashcard, FlashcardPicture

MODEL_ID = 1_607_392_811
MODEL, FRONT, BACK, SOURCE = "Homeroom", "Front", "Back", "Source"
"""Name of our note type, and of its fields."""
_STYLE = (
    ".card { font-family: sans-serif; font-size: 20px; text-align: center; }\n"
    ".source { color: #777; font-size: 14px; margin-top: 1em; }"
)
_BACK = '{{FrontSide}}<hr id="answer">{{Back}}{{#Source}}<div class="source">{{Source}}</div>{{/Source}}'
_UNFIT = re.compile(r"[^\w.\-]")


def anki_package(
    cards: Sequence[Flashcard], decks: Mapping[str, str], pictures: Mapping[str, Sequence[FlashcardPicture]]
) -> bytes:
    """Bytes of an .apkg. decks: the name of a deck by course key. pictures: by the card's id, with their data."""
    import genanki  # type: ignore[import-untyped]

    model = genanki.Model(
        MODEL_ID,
        MODEL,
        fields=[{"name": name} for name in (FRONT, BACK, SOURCE)],
        templates=[{"name": "Card", "qfmt": "{{Front}}", "afmt": _BACK}],
        css=_STYLE,
    )
    found: dict[str, genanki.Deck] = {}
    with tempfile.TemporaryDirectory() as folder:
        media: dict[str, str] = {}
        for card in cards:
            names = _store_pictures(pictures.get(card.id, ()), Path(folder), media)
            deck = _deck_name(card, decks)
            if deck not in found:
                found[deck] = genanki.Deck(_deck_id(deck), deck)
            place = card.quotation.place if card.quotation else ""
            sides = [html_of(side, names) for side in (card.front, card.back)]
            note = genanki.Note(model=model, fields=[*sides, html_of(place)], guid=card.guid, tags=_tags(card))
            found[deck].add_note(note)
        written = io.BytesIO()
        genanki.Package(list(found.values()), media_files=list(media.values())).write_to_file(written)
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


def _deck_name(card: Flashcard, decks: Mapping[str, str]) -> str:
    levels = ("Homeroom", decks.get(card.course_key, ""), card.topic)
    return "::".join(level.replace("::", ": ") for level in levels if level)


def _deck_id(name: str) -> int:
    """An id between 2^30 and 2^31, the same for the same name."""
    return 2**30 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % 2**30


def _tags(card: Flashcard) -> list[str]:
    return [re.sub(r"\s+", "_", tag) for tag in card.tags if tag.strip()]
