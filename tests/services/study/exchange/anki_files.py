"""Packages as Anki writes them: of the old format by genanki, of the new one by its tables and messages."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import zstandard
from PIL import Image

_COLLATED = {"create_collation": ("unicase", lambda a, b: (a > b) - (a < b))}
_TABLES = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer, mod integer, scm integer, ver integer, dty integer, usn integer,
  ls integer, conf text, models text, decks text, dconf text, tags text);
CREATE TABLE notes (id integer PRIMARY KEY, guid text, mid integer, mod integer, usn integer, tags text, flds text,
  sfld integer, csum integer, flags integer, data text);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer, did integer, ord integer, mod integer, usn integer,
  type integer, queue integer, due integer, ivl integer, factor integer, reps integer, lapses integer, left integer,
  odue integer, odid integer, flags integer, data text);
CREATE TABLE fields (ntid integer, ord integer, name text COLLATE unicase, config blob, PRIMARY KEY (ntid, ord))
  without rowid;
CREATE TABLE templates (ntid integer, ord integer, name text COLLATE unicase, mtime_secs integer, usn integer,
  config blob, PRIMARY KEY (ntid, ord)) without rowid;
CREATE TABLE notetypes (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs integer, usn integer,
  config blob);
CREATE TABLE decks (id integer PRIMARY KEY, name text COLLATE unicase, mtime_secs integer, usn integer, common blob,
  kind blob);
"""


def picture(width: int = 40, height: int = 20, colour: str = "red") -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(written, "PNG")
    return written.getvalue()


def message(*fields: tuple[int, str | int | bytes]) -> bytes:
    """A protobuf message; texts and bytes of less than 16,384 bytes."""
    written = b""
    for number, value in fields:
        if isinstance(value, int):
            written += _varint(number << 3) + _varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            written += _varint(number << 3 | 2) + _varint(len(content)) + content
    return written


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def new_collection(
    folder: Path,
    notes: Sequence[tuple[str, str, str]],
    cards: Mapping[str, Any] | None = None,
    crt: int = 1_760_000_000,
) -> bytes:
    """Bytes of a collection of today's schema. notes: (guid, front, back). cards: columns of each note's card."""
    path = folder / "new.anki21b"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.create_collation(*_COLLATED["create_collation"])
        database.executescript(_TABLES)
        database.execute("INSERT INTO col (id, crt, ver, models, decks) VALUES (1, ?, 18, '', '')", (crt,))
        database.execute("INSERT INTO notetypes VALUES (7, 'Basic', 0, 0, ?)", (message((3, "css")),))
        for place, name in enumerate(("Front", "Back")):
            database.execute("INSERT INTO fields VALUES (7, ?, ?, ?)", (place, name, b""))
        formats = message((1, "{{Front}}"), (2, "{{FrontSide}}<hr id=answer>{{Back}}"))
        database.execute("INSERT INTO templates VALUES (7, 0, 'Card 1', 0, 0, ?)", (formats,))
        database.execute("INSERT INTO decks VALUES (9, ?, 0, 0, x'', x'')", ("Biology\x1fUnit 2",))
        columns = {
            "type": 0,
            "queue": 0,
            "due": 1,
            "ivl": 0,
            "factor": 0,
            "reps": 0,
            "lapses": 0,
            "data": "",
            **(cards or {}),
        }
        for id, (guid, front, back) in enumerate(notes, 1):
            database.execute(
                "INSERT INTO notes VALUES (?, ?, 7, 0, 0, ' exam_1 ', ?, 0, 0, 0, '')", (id, guid, f"{front}\x1f{back}")
            )
            database.execute(
                "INSERT INTO cards VALUES (:id, :id, 9, 0, 0, 0, :type, :queue, :due, :ivl, :factor, :reps, :lapses,"
                " 0, 0, 0, 0, :data)",
                {"id": id, **columns, **(cards or {})},
            )
        database.commit()
    return path.read_bytes()


def new_package(collection: bytes, media: Mapping[str, bytes] | None = None) -> bytes:
    """An .apkg as today's Anki exports it: everything in it packed with zstd, and an old collection that asks for an
    update.
    """
    pack = zstandard.ZstdCompressor().compress
    listed = b"".join(message((1, message((1, name), (2, len(content))))) for name, content in (media or {}).items())
    entries = {str(number): pack(content) for number, content in enumerate((media or {}).values())}
    return archive(
        {
            "meta": b"\x08\x03",
            "collection.anki21b": pack(collection),
            "collection.anki2": b"old",
            "media": pack(listed),
            **entries,
        }
    )


def archive(entries: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        for name, content in entries.items():
            package.writestr(name, content)
    return written.getvalue()


def old_package(
    notes: Sequence[Any],
    deck: str = "Bio::Unit 1",
    media: Mapping[str, bytes] | None = None,
    folder: Path | None = None,
) -> bytes:
    """An .apkg of the format that genanki and Anki's option for older versions write. notes: genanki's."""
    import genanki

    made = genanki.Deck(5, deck)
    for note in notes:
        made.add_note(note)
    paths = []
    for name, content in (media or {}).items():
        assert folder is not None
        (folder / name).write_bytes(content)
        paths.append(str(folder / name))
    written = io.BytesIO()
    genanki.Package(made, media_files=paths).write_to_file(written)
    return written.getvalue()


def notes_of(package: bytes) -> tuple[list[tuple[str, str, str]], dict[str, str], set[int]]:
    """(guid, fields, tags) of each note of an old package, the names of its media, and its decks' ids."""
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        media = json.loads(opened.read("media"))
        content = opened.read("collection.anki2")
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        notes = database.execute("SELECT guid, flds, tags FROM notes ORDER BY id").fetchall()
        (decks,) = database.execute("SELECT decks FROM col").fetchone()
    return notes, media, {int(id) for id in json.loads(decks)}


def package_with_media(package: bytes, media: Mapping[str, bytes]) -> bytes:
    """The same old package with these files by name."""
    entries = {"media": json.dumps({str(number): name for number, name in enumerate(media)}).encode()}
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        entries["collection.anki2"] = opened.read("collection.anki2")
    return archive(entries | {str(number): content for number, content in enumerate(media.values())})
