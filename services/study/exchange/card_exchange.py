"""`CardExchange`: cards from Anki's packages and from tables, and back."""

import atexit
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from services.files.reader_process import AllBusy, ProcessEnded, ReaderProcesses
from services.files.reader_queue import reading_for
from services.files.upload import FileRefused, Upload, extension, format_size
from services.i18n import gettext
from services.identity.students import Student
from services.study.exchange.anki_export import anki_package
from services.study.exchange.card_markup import html_of, markdown_of
from services.study.exchange.card_records import load_package
from services.study.exchange.card_table import write_table
from services.study.exchange.imported_cards import LARGEST_PACKAGE, CardMemory, CardPackage, ImportedCard
from services.study.flashcard import Flashcard, FlashcardState, Review, ReviewRating
from services.study.review.deck import LONGEST_SIDE, LONGEST_TAG, LONGEST_TOPIC, MOST_TAGS, Deck
from services.study.review.scheduler import REVIEW, SCHEDULER, number_of
from services.study.review.study_day import start_of_day, study_day

PACKAGES, TABLES = ("apkg", "colpkg"), ("csv", "tsv", "txt")
KINDS = (*PACKAGES, *TABLES)
MOST_EXPORTED = 20_000
READ_LIMIT_S = 60.0
PROCESSES = 2
NICENESS = 5
MOST_ANSWER = 128 * 1024 * 1024
"""Bytes of a file's cards and pictures, far from what `card_records` lets through."""
_OWN = re.compile(r"[0-9a-f]{20,40}|anki-[0-9a-f]{24}")
"""A guid that is the id of a card of ours: the file was exported here."""

_PICTURE = re.compile(r"!\[\]\(([^()\s]+)\)")


@dataclass(frozen=True, kw_only=True)
class ImportPreview:
    """What importing a package would do. new: cards to add. changed: cards that are there with other words; their
    schedules stay. known: cards that are there as they are.
    """

    new: int
    changed: int
    known: int
    remarks: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()


class CardExchange:
    """Import and export of flashcards."""

    def __init__(self, deck: Deck, course_names: Callable[[Student], Mapping[str, str]]) -> None:
        """course_names: the names of the student's courses by key."""
        self._deck, self._course_names = deck, course_names

    def read_package(self, student: Student, upload: Upload) -> CardPackage:
        """Read the cards of a student's file, within limits of memory and time; raises `FileRefused`."""
        if len(upload.content) > LARGEST_PACKAGE:
            raise FileRefused(
                gettext(
                    "This file has {size}; {most} are the most.",
                    size=format_size(len(upload.content)),
                    most=format_size(LARGEST_PACKAGE),
                ),
                next_step=gettext("Export fewer decks at once, or leave out their recordings."),
            )
        kind = extension(upload.name)
        if kind not in KINDS:
            raise FileRefused(
                gettext("Cards cannot be read from a file of this kind."),
                next_step=gettext("Add a package of Anki (.apkg), or a table as .csv, .tsv or .txt."),
            )
        with reading_for(student.id):
            return _read_package(upload, is_table=kind in TABLES)

    def preview(self, student: Student, package: CardPackage) -> ImportPreview:
        """Compare a package with the student's cards."""
        known = self._known(student, package.cards)
        changed = sum(_is_changed(known[card.guid], card) for card in package.cards if card.guid in known)
        return ImportPreview(
            new=len({card.guid for card in package.cards} - known.keys()),
            changed=changed,
            known=len(known) - changed,
            remarks=package.remarks,
            decks=package.decks,
        )

    def import_cards(
        self,
        student: Student,
        package: CardPackage,
        course_key: str = "",
        *,
        topic: str = "",
        keeps_memory: bool = True,
    ) -> ImportPreview:
        """Add the cards of a package; the same package again adds nothing. topic: for all, else the deck's own name.
        keeps_memory: cards that were learned in Anki come when they would have come there.

        Raises `TooLarge`, `BadArguments` as `Deck.add` does; what was added before stays, and the next try goes on.
        """
        preview = self.preview(student, package)
        known = self._known(student, package.cards)
        shared = _shared_levels(package.decks)
        fresh = [card for card in package.cards if card.guid not in known]
        zone = ZoneInfo(student.timezone)
        self._deck.add(
            student,
            [self._card(student, card, course_key, topic or _topic(card.deck, shared), keeps_memory) for card in fresh],
            {_card_id(card.guid): list(_log(card, zone)) for card in fresh} if keeps_memory else {},
        )
        for card in package.cards:
            if card.guid in known and _is_changed(known[card.guid], card):
                self._deck.edit(student, known[card.guid].id, front=card.front, back=card.back)
        return preview

    def export_anki(self, student: Student, course_key: str | None = None) -> bytes:
        """Package of the kept cards of a course, or of all; drafts are left out."""
        cards = self._exported(student, course_key)
        pictures = {card.id: self._deck.pictures(student, card.id) for card in cards if card.pictures}
        logs = self._deck.logs(student, [card.id for card in cards if card.reviews])
        return anki_package(cards, self._course_names(student), pictures, logs, ZoneInfo(student.timezone))

    def export_csv(self, student: Student, course_key: str | None = None) -> bytes:
        """Table of the same cards, as UTF-8 with a mark by which spreadsheets know it."""
        return write_table(self._exported(student, course_key)).encode("utf-8-sig")

    def _exported(self, student: Student, course_key: str | None) -> list[Flashcard]:
        found: list[Flashcard] = []
        after = ""
        while len(found) < MOST_EXPORTED:
            page = self._deck.cards(student, course_key or "", limit=200, after=after)
            found += [card for card in page.cards if card.state is not FlashcardState.DRAFT]
            after = page.after
            if not after:
                break
        return found

    def _known(self, student: Student, cards: Sequence[ImportedCard]) -> dict[str, Flashcard]:
        """The student's cards that a package has, by guid."""
        by_id = {_card_id(card.guid): card.guid for card in cards}
        return {by_id[card.id]: card for card in self._deck.cards_by_id(student, list(by_id))}

    def _card(self, student: Student, card: ImportedCard, course_key: str, topic: str, keeps_memory: bool) -> Flashcard:
        memory = card.memory if keeps_memory else None
        return self._deck.new_card(
            id=_card_id(card.guid),
            guid=card.guid,
            front=card.front[:LONGEST_SIDE],
            back=card.back[:LONGEST_SIDE],
            course_key=course_key,
            topic=topic[:LONGEST_TOPIC],
            tags=tuple(tag[:LONGEST_TAG] for tag in card.tags[:MOST_TAGS]),
            pictures=card.pictures,
            state=FlashcardState.SUSPENDED if card.is_suspended else FlashcardState.KEPT,
            **(_schedule(card.guid, memory, ZoneInfo(student.timezone)) if memory else {}),
        )


def _schedule(guid: str, memory: CardMemory, zone: ZoneInfo) -> dict[str, Any]:
    due, last = (at.astimezone(UTC) for at in (memory.due, memory.last_review))
    if memory.state == REVIEW and _OWN.fullmatch(guid):
        # Days there are counted from 4 a.m., with or without summer time.
        due = start_of_day(study_day(due + timedelta(hours=8), zone), zone)
    schedule = {
        "card_id": number_of(_card_id(guid)),
        "state": memory.state,
        "step": memory.step,
        "stability": memory.stability,
        "difficulty": memory.difficulty,
        "due": due.isoformat(),
        "last_review": last.isoformat(),
    }
    counts = {"reviews": memory.reviews, "lapses": memory.lapses}
    return {"schedule": schedule, "scheduler": SCHEDULER, "due_at": due, **counts}


def _log(card: ImportedCard, zone: ZoneInfo) -> Iterator[Review]:
    """The log of a card as it is kept here; without what was before, as it is not replayed."""
    day = None
    for review in card.log:
        at = datetime.fromtimestamp(review.at / 1_000, UTC)
        days = max(0, (study_day(at, zone) - day).days) if day else None
        day = study_day(at, zone)
        yield Review(
            id=f"{_card_id(card.guid)}-{review.at}",
            card_id=_card_id(card.guid),
            rating=ReviewRating(review.rating),
            at=at,
            days=days,
            seconds=review.seconds,
            scheduler="anki",
        )


def _card_id(guid: str) -> str:
    """Id of the card with a guid, the same each time; a package that was exported here has our ids."""
    return guid if _OWN.fullmatch(guid) else f"anki-{hashlib.sha256(guid.encode()).hexdigest()[:24]}"


def _is_changed(card: Flashcard, imported: ImportedCard) -> bool:
    """Whether a card's words are others than those that its export is read as."""
    sides = ((card.front, imported.front[:LONGEST_SIDE]), (card.back, imported.back[:LONGEST_SIDE]))
    return any(mine != other and _exported(mine) != _PICTURE.sub("![]()", other) for mine, other in sides)


def _exported(side: str) -> str:
    """A side as it comes back from Anki; pictures have other names there."""
    names = dict.fromkeys(_PICTURE.findall(side), "x")
    return _PICTURE.sub("![]()", markdown_of(html_of(side, names)))


def _shared_levels(decks: Sequence[str]) -> int:
    """How many levels of their names all decks have in common, which tell nothing."""
    levels = [deck.split("::") for deck in decks]
    if len(levels) < 2:
        return max(0, len(levels[0]) - 1) if levels else 0
    shared = 0
    for names in zip(*levels, strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return shared


def _topic(deck: str, shared: int) -> str:
    levels = deck.split("::")
    return " · ".join(levels[min(shared, len(levels) - 1) :]) if deck else ""


def _read_package(upload: Upload, *, is_table: bool) -> CardPackage:
    try:
        package = load_package(_processes().records("table" if is_table else "package", upload))
    except AllBusy:
        raise FileRefused(
            gettext("Many files are being read at the moment."), next_step=gettext("Add it again in a moment.")
        ) from None
    except (ProcessEnded, KeyError, TypeError, ValueError):
        raise _too_much(is_table=is_table) from None
    if not package.cards:
        raise FileRefused(
            gettext("No cards were found in this file."), next_step=gettext("Export the deck from Anki again as .apkg.")
        )
    return package


def _too_much(*, is_table: bool) -> FileRefused:
    if is_table:
        return FileRefused(
            gettext("This file takes too much memory or time to read."),
            next_step=gettext("Make it smaller, or attach the part you need."),
        )
    return FileRefused(
        gettext("This package takes too much memory or time to read."),
        next_step=gettext("Export fewer decks at once, or leave out their recordings."),
    )


@cache
def _processes() -> ReaderProcesses:
    processes = ReaderProcesses(
        processes=PROCESSES,
        limit_s=READ_LIMIT_S,
        niceness=NICENESS,
        program="services.study.exchange",
        most_answer=MOST_ANSWER,
    )
    atexit.register(processes.close)
    return processes
