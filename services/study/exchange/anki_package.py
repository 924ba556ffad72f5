"""Anki's packages (.apkg, .colpkg): the cards of all their formats, read in a process of its own within limits."""

import base64
import hashlib
import io
import json
import re
import sqlite3
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from services.files.image import read_image
from services.files.reader_process import Record
from services.files.upload import FileRefused, Upload
from services.i18n import gettext, gettext_noop, ngettext
from services.study.exchange.anki_cloze import cloze_numbers
from services.study.exchange.anki_collection import AnkiCard, read_collection
from services.study.exchange.anki_export import BACK, FRONT, MODEL, read_tags
from services.study.exchange.anki_occlusion import draw_masks, has_masks, is_of_add_on, read_masks, without_masks
from services.study.exchange.anki_template import render_sides
from services.study.exchange.card_markup import has_sound, markdown_of
from services.study.exchange.card_records import MOST_PICTURE_BYTES, dump_cards
from services.study.exchange.imported_cards import LONGEST_SIDE, MOST_CARDS, ImportedCard
from services.study.exchange.protobuf_fields import fields, text_of
from services.study.flashcard import FlashcardPicture

COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
"""The newest first: a new package has an old collection as well, with one card that asks for an update of Anki."""
MOST_PICTURES = 600
LARGEST_PICTURE = 250_000
"""Bytes of a picture as it is kept; a larger one is made smaller."""
_LARGEST_COLLECTION = 200_000_000
_LARGEST_LIST = 20_000_000
_LARGEST_MEDIA = 20_000_000
_PIECE = 65_536
_SIDE_OF_PICTURE = 800
"""Pixels of the longer side of a picture that is made smaller."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_PICTURE = re.compile(r"!\[\]\(([^()\s]+)\)")
_BROKEN = gettext_noop("This is not a package of Anki, or it is damaged.")
_AGAIN = gettext_noop("Export the deck from Anki again as .apkg, or as text, and add that.")


def serve_package(upload: Upload, _options: Mapping[str, Any]) -> Iterator[Record]:
    """Records of a package's cards and of its remarks; a job of the process."""
    reader = _PackageReader(upload.content)
    return dump_cards(reader.cards(), reader.remarks)


def _damaged() -> FileRefused:
    return FileRefused(gettext(_BROKEN), next_step=gettext(_AGAIN))


class _PackageReader:
    """Reader of one package. Raises `FileRefused`."""

    def __init__(self, content: bytes) -> None:
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            raise _damaged() from None
        self._names = {entry.filename: entry for entry in self._archive.infolist()}
        self._media = self._media_names()
        self._pictures: dict[str, FlashcardPicture | None] = {}
        self._picture_bytes = 0
        self._left_out = {"sound": 0, "pictures": 0, "empty": 0, "long": 0, "more": 0, "masks": 0}

    def cards(self) -> Iterator[ImportedCard]:
        name = next((name for name in COLLECTIONS if name in self._names), None)
        if name is None:
            raise _damaged()
        content = self._unpacked(name, _LARGEST_COLLECTION)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "collection.db"
            path.write_bytes(content)
            del content
            try:
                yield from self._converted(read_collection(path))
            except (sqlite3.Error, ValueError, KeyError, TypeError, OverflowError, OSError):
                raise _damaged() from None

    def remarks(self) -> list[str]:
        """What was left out, in words."""
        return [_remark(name, count) for name, count in self._left_out.items() if count]

    def _converted(self, found: Iterator[AnkiCard]) -> Iterator[ImportedCard]:
        number = 0
        for card in found:
            if number == MOST_CARDS:
                self._left_out["more"] = 1
                return
            if (converted := self._convert(card)) is not None:
                number += 1
                yield converted

    def _convert(self, card: AnkiCard) -> ImportedCard | None:
        sides = _sides(card)
        self._left_out["sound"] += any(has_sound(side) for side in sides)
        front, back = markdown_of(sides[0], is_front=True), markdown_of(sides[1])
        if has_masks(card.fields):
            try:
                front, back = self._masked(card, front, back)
            except (FileRefused, ValueError, OSError, MemoryError):
                self._left_out["masks"] += 1
                return None
        if (not _PICTURE.sub("", front).strip() and not _PICTURE.search(front)) or not back.strip():
            self._left_out["empty"] += 1
            return None
        if max(len(front), len(back)) > LONGEST_SIDE:
            self._left_out["long"] += 1
            return None
        names = dict.fromkeys(_PICTURE.findall(front + back))
        pictures = {name: self._picture(name) for name in names}
        missing = [name for name, picture in pictures.items() if picture is None]
        deck, tags = read_tags(card.tags) if card.note_type.name == MODEL else (card.deck, card.tags)
        guid = card.guid if card.ordinal == 0 else f"{card.guid}-{card.ordinal}"
        return ImportedCard(
            guid=guid,
            front=_without(front, missing),
            back=_without(back, missing),
            deck=deck,
            tags=tags,
            pictures=tuple(picture for picture in pictures.values() if picture),
            memory=card.memory,
            is_suspended=card.is_suspended,
            log=card.log,
        )

    def _masked(self, card: AnkiCard, front: str, back: str) -> tuple[str, str]:
        """The sides with the picture as Anki shows it on each; raises `FileRefused`, `ValueError` if it cannot."""
        name = next(iter(_PICTURE.findall(front)), "")
        entry = self._media.get(name)
        if entry is None or is_of_add_on(card.fields):
            raise ValueError("no picture")
        masks = read_masks(card.fields)
        content = read_image(self._unpacked(entry, _LARGEST_MEDIA)).content
        drawn = hashlib.sha256(f"{card.guid}\x1f{card.ordinal}".encode()).hexdigest()[:16]
        sides = []
        for side, shows_answer in ((front, False), (back, True)):
            masked = f"masks-{drawn}-{'back' if shows_answer else 'front'}.png"
            picture = draw_masks(content, masks, card.ordinal + 1, shows_answer=shows_answer)
            if len(self._pictures) >= MOST_PICTURES or not self._add_picture(masked, picture, "image/png"):
                raise ValueError("too many pictures")
            sides.append(side.replace(f"![]({name})", f"![]({masked})"))
        return sides[0], sides[1]

    def _picture(self, name: str) -> FlashcardPicture | None:
        if name not in self._pictures:
            self._pictures[name] = None
            if len(self._pictures) <= MOST_PICTURES:
                self._read_picture(name)
            self._left_out["pictures"] += self._pictures[name] is None
        return self._pictures[name]

    def _read_picture(self, name: str) -> None:
        entry = self._media.get(name) or self._media.get(_media_name(unquote(name)))
        if entry is None:
            return
        try:
            readable = read_image(self._unpacked(entry, _LARGEST_MEDIA))
        except FileRefused:
            return
        self._add_picture(name, readable.content, readable.media_type)

    def _add_picture(self, name: str, content: bytes, media_type: str) -> bool:
        """Keep a picture as it is to be stored; whether there was room for it."""
        content, media_type = _smaller(content, media_type)
        if self._picture_bytes + len(content) > MOST_PICTURE_BYTES:
            return False
        self._picture_bytes += len(content)
        data = base64.b64encode(content).decode()
        self._pictures[name] = FlashcardPicture(name=name, media_type=media_type, data=data)
        return True

    def _media_names(self) -> dict[str, str]:
        """Names of pictures as cards have them, with those of the archive's entries."""
        if "media" not in self._names:
            return {}
        written = self._unpacked("media", _LARGEST_LIST)
        try:
            listed = json.loads(written)
            return {_media_name(str(name)): str(entry) for entry, name in listed.items()}
        except (ValueError, AttributeError, UnicodeDecodeError):
            pass
        try:
            entries = [value for number, value in fields(written) if number == 1 and isinstance(value, bytes)]
            return {_media_name(text_of(entry, 1)): str(at) for at, entry in enumerate(entries)}
        except ValueError:
            return {}

    def _unpacked(self, name: str, largest: int) -> bytes:
        """An entry, unpacked in pieces, also where it is packed with zstd within; raises `FileRefused`."""
        entry = self._names.get(name)
        if entry is None:
            raise _damaged()
        try:
            with self._archive.open(entry) as packed:
                content = _read(packed, largest)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zlib.error):
            raise _damaged() from None
        return _expanded(content, largest) if content.startswith(_ZSTD) else content


def _media_name(name: str) -> str:
    """Name of a file as a card's Markdown has it."""
    return re.sub(r"[()\s<>]", "_", unicodedata.normalize("NFC", name))


def _remark(name: str, count: int) -> str:
    match name:
        case "sound":
            return ngettext(
                "One card has a recording, which is left out.",
                "{n} cards have recordings, which are left out.",
                count,
            )
        case "pictures":
            return ngettext("One picture could not be taken over.", "{n} pictures could not be taken over.", count)
        case "empty":
            return ngettext("One card without a text is left out.", "{n} cards without a text are left out.", count)
        case "long":
            return ngettext(
                "One card that is too long is left out.", "{n} cards that are too long are left out.", count
            )
        case "masks":
            return ngettext(
                "One card with masks on a picture is left out, as they cannot be drawn here.",
                "{n} cards with masks on a picture are left out, as they cannot be drawn here.",
                count,
            )
    return gettext("Only the first {most} cards are taken over.", most=MOST_CARDS)


def _read(packed: Any, largest: int) -> bytes:
    pieces, size = list[bytes](), 0
    for piece in iter(partial(packed.read, _PIECE), b""):
        size += len(piece)
        if size > largest:
            raise FileRefused(gettext("This package is far too large when it is unpacked."), next_step=gettext(_AGAIN))
        pieces.append(piece)
    return b"".join(pieces)


def _expanded(content: bytes, largest: int) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(content) as packed:
            return _read(packed, largest)
    except (zstandard.ZstdError, MemoryError):
        raise _damaged() from None


def _sides(card: AnkiCard) -> tuple[str, str]:
    """HTML of front and back; a card of a note type without a template for it has none."""
    templates = card.note_type.templates
    if card.note_type.name == MODEL and {FRONT, BACK} <= card.fields.keys():
        # Exported here: the back in Anki also tells the source, which the card here has of its own.
        return card.fields[FRONT], card.fields[BACK]
    at = 0 if card.note_type.is_cloze else card.ordinal
    if not 0 <= at < len(templates):
        return "", ""
    front, back = templates[at]
    cloze = card.ordinal + 1 if card.note_type.is_cloze else 0
    if cloze and not any(cloze in cloze_numbers(text) for text in card.fields.values()):
        return "", ""
    return render_sides(front, back, {**_special_fields(card), **without_masks(card.fields)}, cloze=cloze)


def _special_fields(card: AnkiCard) -> dict[str, str]:
    """What a template may name besides the fields of a note, as HTML."""
    named = {
        "Tags": " ".join(card.tags),
        "Type": card.note_type.name,
        "Deck": card.deck,
        "Subdeck": card.deck.rpartition("::")[2],
    }
    return {name: escape(value) for name, value in named.items()}


def _without(side: str, missing: Sequence[str]) -> str:
    for name in missing:
        side = side.replace(f"![]({name})", "")
    return side.strip()


def _smaller(content: bytes, media_type: str) -> tuple[bytes, str]:
    """The picture in at most `LARGEST_PICTURE` bytes."""
    from PIL import Image

    if len(content) <= LARGEST_PICTURE:
        return content, media_type
    with Image.open(io.BytesIO(content)) as image:
        small = image.convert("RGB")
        small.thumbnail((_SIDE_OF_PICTURE, _SIDE_OF_PICTURE))
        written = io.BytesIO()
        small.save(written, "JPEG", quality=80)
    return written.getvalue(), "image/jpeg"
