"""Anki's collection, the SQLite file within a package: its notes and cards, of the old schema and of the new one.

It is read as a stranger's file: without its triggers and views, read-only, and only in a process of its own.
Source: https://github.com/ankitects/anki (rslib/src/storage, proto/anki/notetypes.proto).
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from services.study.exchange.anki_schedule import LEARNING_STEPS, SUSPENDED
from services.study.exchange.imported_cards import CardMemory, ImportedReview
from services.study.exchange.protobuf_fields import text_of, varint_of
from services.study.review.scheduler import LEARNING, RELEARNING, REVIEW

_CLOZE = 1
_SEPARATOR = "\x1f"
_ROWS = 20_000
_MOST_REVIEWS, _MOST_OF_CARD = 200_000, 200
_SECONDS = 1_000_000_000
"""A due date from here on is a second, not a day."""


@dataclass(frozen=True, kw_only=True)
class NoteType:
    """Kind of a note. templates: of the front and the back of each of its cards."""

    name: str
    is_cloze: bool
    fields: tuple[str, ...]
    templates: tuple[tuple[str, str], ...] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class AnkiCard:
    """Card with its note. ordinal: which of the note's cards it is, from 0."""

    guid: str
    note_type: NoteType
    ordinal: int
    fields: Mapping[str, str] = field(repr=False)
    deck: str = field(default="", repr=False)
    tags: tuple[str, ...] = field(default=(), repr=False)
    memory: CardMemory | None = None
    is_suspended: bool = False
    log: tuple[ImportedReview, ...] = field(default=(), repr=False)


def read_collection(path: Path) -> Iterator[AnkiCard]:
    """Cards in the order of their notes, at most `_ROWS`; raises `sqlite3.Error`, `ValueError` for what is none."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        # Texts that are no UTF-8 stay readable; names are compared by a collation of Anki's own.
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        database.create_collation("unicase", lambda a, b: (a.casefold() > b.casefold()) - (a.casefold() < b.casefold()))
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
            database.execute(f"PRAGMA {setting}")
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {"notes", "cards", "col"} <= tables:
            raise ValueError("no collection")
        types = _new_types(database) if "notetypes" in tables else _old_types(database)
        decks = _new_decks(database) if "decks" in tables else _old_decks(database)
        logs = _logs(database) if "revlog" in tables else {}
        yield from _cards(database, types, decks, logs)


def _logs(database: sqlite3.Connection) -> dict[int, tuple[ImportedReview, ...]]:
    """The newest reviews of each card by its row, the oldest first, without changes that were no reviews."""
    logs: dict[int, list[ImportedReview]] = {}
    rows = database.execute(
        "SELECT cid, id, ease, time FROM revlog WHERE ease BETWEEN 1 AND 4 ORDER BY id DESC LIMIT ?", (_MOST_REVIEWS,)
    )
    for row, at, rating, milliseconds in rows:
        log = logs.setdefault(row, [])
        if len(log) < _MOST_OF_CARD and isinstance(at, int) and 0 < at < _SECONDS * 10_000:
            seconds = min(max(milliseconds, 0), 3_600_000) / 1_000
            log.append(ImportedReview(at=at, rating=int(rating), seconds=seconds))
    return {row: tuple(reversed(log)) for row, log in logs.items()}


def _cards(
    database: sqlite3.Connection,
    types: Mapping[int, NoteType],
    decks: Mapping[int, str],
    logs: Mapping[int, tuple[ImportedReview, ...]],
) -> Iterator[AnkiCard]:
    made = database.execute("SELECT crt FROM col").fetchone()
    first_day = datetime.fromtimestamp(int(made[0]), UTC) if made else datetime.now(UTC)
    rows = database.execute(
        "SELECT c.id, n.guid, n.mid, n.flds, n.tags, c.ord, c.did, c.odid, c.type, c.queue, c.due, c.odue, c.ivl,"
        " c.factor, c.reps, c.lapses, c.left, c.data"
        " FROM cards c JOIN notes n ON n.id = c.nid ORDER BY c.nid, c.ord LIMIT ?",
        (_ROWS,),
    )
    for row, guid, type_id, values, tags, ordinal, deck, home, kind, queue, *schedule in rows:
        note_type = types.get(type_id)
        if note_type is not None:
            yield AnkiCard(
                guid=str(guid),
                note_type=note_type,
                ordinal=int(ordinal),
                fields=dict(zip(note_type.fields, str(values).split(_SEPARATOR), strict=False)),
                deck=decks.get(home or deck, ""),
                tags=tuple(tag.replace("\xa0", " ") for tag in re.split(r"[ \t\u3000]+", str(tags)) if tag),
                memory=_memory(first_day, kind, logs.get(row, ()), *schedule),
                is_suspended=queue == SUSPENDED,
                log=logs.get(row, ()),
            )


def _memory(
    first_day: datetime,
    kind: int,
    log: Sequence[ImportedReview],
    due: int,
    home_due: int,
    days: int,
    ease: int,
    reps: int,
    lapses: int,
    left: int,
    data: str,
) -> CardMemory | None:
    """What FSRS knew of the card in Anki, else what its interval tells: about as long as it is remembered.

    due: day since `first_day`, or a second; home_due: the same of a card that lies in a filtered deck. ease: in
    thousandths. left: steps of learning that are left, in the last three digits.
    """
    known = _object(data)
    if kind not in (LEARNING, REVIEW, RELEARNING) or (days <= 0 and not known.get("s")):
        return None
    # Without FSRS a card has an ease from 130 % to some 350 %; the easier, the less difficult.
    difficulty = 10.0 - 9.0 * (min(max(ease, 1_300), 3_500) - 1_300) / 2_200 if ease else 5.0
    try:
        day = home_due or due
        due_at = datetime.fromtimestamp(day, UTC) if day >= _SECONDS else first_day + timedelta(days=day)
        return CardMemory(
            stability=min(max(float(known.get("s") or days), 0.01), 36_500.0),
            difficulty=min(max(float(known.get("d") or difficulty), 1.0), 10.0),
            last_review=_last_review(known, log, due_at - timedelta(days=max(0, days))),
            due=due_at,
            reviews=max(0, reps),
            lapses=max(0, lapses),
            state=kind,
            step={LEARNING: max(0, LEARNING_STEPS - left % 1_000), RELEARNING: 0}.get(kind),
        )
    except (OverflowError, OSError, TypeError, ValueError):
        return None


def _last_review(known: Mapping[str, Any], log: Sequence[ImportedReview], otherwise: datetime) -> datetime:
    if log:
        return datetime.fromtimestamp(log[-1].at / 1_000, UTC)
    return datetime.fromtimestamp(float(known["lrt"]), UTC) if known.get("lrt") else otherwise


def _object(written: str) -> dict[str, Any]:
    """A JSON object; empty for anything else."""
    with suppress(ValueError):
        found = json.loads(written or "{}")
        return found if isinstance(found, dict) else {}
    return {}


def _old_types(database: sqlite3.Connection) -> dict[int, NoteType]:
    return {int(id): _old_type(model) for id, model in _json(database, "models").items()}


def _old_type(model: Mapping[str, Any]) -> NoteType:
    templates = sorted(model["tmpls"], key=lambda template: int(template["ord"]))
    return NoteType(
        name=str(model.get("name", "")),
        is_cloze=model.get("type") == _CLOZE,
        fields=tuple(str(entry["name"]) for entry in sorted(model["flds"], key=lambda entry: int(entry["ord"]))),
        templates=tuple((str(template["qfmt"]), str(template["afmt"])) for template in templates),
    )


def _old_decks(database: sqlite3.Connection) -> dict[int, str]:
    return {int(id): str(deck["name"]) for id, deck in _json(database, "decks").items()}


def _json(database: sqlite3.Connection, column: str) -> dict[str, Any]:
    (written,) = database.execute(f"SELECT {column} FROM col").fetchone()  # noqa: S608 - one of two words of ours
    found = json.loads(written)
    if not isinstance(found, dict):
        raise ValueError(column)
    return found


def _new_types(database: sqlite3.Connection) -> dict[int, NoteType]:
    fields: dict[int, list[str]] = {}
    for type_id, name in database.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord LIMIT ?", (_ROWS,)):
        fields.setdefault(type_id, []).append(name)
    templates: dict[int, list[tuple[str, str]]] = {}
    for type_id, config in database.execute("SELECT ntid, config FROM templates ORDER BY ntid, ord LIMIT ?", (_ROWS,)):
        templates.setdefault(type_id, []).append((text_of(config, 1), text_of(config, 2)))
    return {
        id: NoteType(
            name=name,
            is_cloze=varint_of(config, 1) == _CLOZE,
            fields=tuple(fields.get(id, ())),
            templates=tuple(templates.get(id, ())),
        )
        for id, name, config in database.execute("SELECT id, name, config FROM notetypes LIMIT ?", (_ROWS,))
    }


def _new_decks(database: sqlite3.Connection) -> dict[int, str]:
    found = database.execute("SELECT id, name FROM decks LIMIT ?", (_ROWS,))
    return {id: name.replace(_SEPARATOR, "::") for id, name in found}
