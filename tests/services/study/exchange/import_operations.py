"""What students bring, cards and texts of their own, as a process may die in between."""

import base64
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from services.files.upload import Upload
from services.study.flashcard import Flashcard, FlashcardState
from services.wiring.container import ServiceContainer
from tests.operations import Given, Operation, counted, person
from tests.services.study.exchange.anki_files import new_collection, new_package, picture

CARDS, REVIEWS = 8, 2
"""Cards of a file, and reviews of each in Anki."""
LEARNED = {"type": 2, "queue": 2, "due": 400, "ivl": 30, "reps": REVIEWS, "data": '{"s": 31.5, "d": 6.25}'}


def table(services: ServiceContainer, mark: str) -> dict[str, Any]:
    rows = [f"What is {mark} {number}?\tThe answer {number}.\tmarked" for number in range(CARDS)]
    return file_of(mark, "cards.tsv", "\n".join(["#separator:tab", *rows]).encode())


def package(services: ServiceContainer, mark: str) -> dict[str, Any]:
    """A package of Anki with a picture and a log of reviews for each card."""
    notes = [(f"{mark}-{number}", f"What is {mark} {number}? <img src='p.png'>", "Yes.") for number in range(CARDS)]
    with tempfile.TemporaryDirectory() as folder:
        collection = with_reviews(new_collection(Path(folder), notes, LEARNED))
    return file_of(mark, "deck.apkg", new_package(collection, {"p.png": picture()}))


def with_reviews(collection: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(collection)
        database.execute("CREATE TABLE revlog (id integer PRIMARY KEY, cid integer, ease integer, time integer)")
        for card in range(1, CARDS + 1):
            for day in range(REVIEWS):
                at = (1_760_000_000 + 86_400 * day + card) * 1_000
                database.execute("INSERT INTO revlog VALUES (?, ?, 3, 4000)", (at, card))
        database.commit()
        return database.serialize()


def file_of(mark: str, name: str, content: bytes) -> dict[str, Any]:
    return {"student": f"ana.{mark}", "name": name, "content": base64.b64encode(content).decode()}


def upload_of(given: Given) -> Upload:
    return Upload(name=given["name"], content=base64.b64decode(given["content"]))


def bring_cards(services: ServiceContainer, given: Given) -> None:
    ana, exchange = person(services, given["student"]), services.study.exchange
    exchange.import_cards(ana, exchange.read_package(ana, upload_of(given)))


def wrong_cards(services: ServiceContainer, given: Given) -> str:
    """Each card is there once, whole and once, with its pictures and its log; and the file brings nothing more."""
    ana, exchange, deck = person(services, given["student"]), services.study.exchange, services.study.cards
    cards = list(deck.cards(ana, limit=200).cards)
    if len(cards) != CARDS or len({card.front for card in cards}) != CARDS:
        return counted(len(cards) // CARDS) or "doubled"
    is_package = given["name"].endswith("apkg")
    if is_package and not all(_is_whole(services, given, card) for card in cards):
        return "lost"
    preview = exchange.preview(ana, exchange.read_package(ana, upload_of(given)))
    return "" if (preview.new, preview.changed, preview.known) == (0, 0, CARDS) else "untrue"


def _is_whole(services: ServiceContainer, given: Given, card: Flashcard) -> bool:
    ana, deck = person(services, given["student"]), services.study.cards
    log = deck.logs(ana, [card.id]).get(card.id, [])
    return card.state is FlashcardState.KEPT and len(log) == REVIEWS and len(deck.pictures(ana, card.id)) == 1


def own_course(services: ServiceContainer, mark: str) -> dict[str, Any]:
    course = services.materials.add_own_course(person(services, f"ana.{mark}"), f"Reading {mark}")
    text = f"Chapter of {mark}. Mitosis has four phases. " * 400
    return {**file_of(mark, "chapter.txt", text.encode()), "course": course.key}


def bring_text(services: ServiceContainer, given: Given) -> None:
    services.materials.add_upload(person(services, given["student"]), given["course"], upload_of(given))


def wrong_text(services: ServiceContainer, given: Given) -> str:
    ana, library, upload = person(services, given["student"]), services.materials, upload_of(given)
    (course,) = library.courses(ana, live=False).courses
    materials = library.materials(ana, given["course"]).materials
    if len(materials) != 1:
        return counted(len(materials))
    told = "".join(page.text for page in library.pages(ana, materials[0].material.id).pages)
    if told.count("Mitosis") != upload.content.count(b"Mitosis"):
        return "lost"
    is_counted = library.usage(ana).upload_bytes == len(upload.content) and course.uploads == 1
    return "" if is_counted else "untrue"


IMPORTS: Mapping[str, Operation] = {
    "table of cards": Operation(prepare=table, do=bring_cards, wrong=wrong_cards),
    "package of Anki": Operation(prepare=package, do=bring_cards, wrong=wrong_cards),
    "own text": Operation(prepare=own_course, do=bring_text, wrong=wrong_text),
}
