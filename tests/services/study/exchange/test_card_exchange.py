"""Cards come from Anki and go there again, and no card is there twice, whatever a file says."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import genanki
import pytest

from services.files.upload import FileRefused, Upload
from services.study.exchange.anki_package import serve_package
from services.study.exchange.card_exchange import CardExchange
from services.study.exchange.imported_cards import MOST_CARDS, CardPackage
from services.study.flashcard import FlashcardState
from services.study.question import Quotation, SourceKind
from tests.fakes import FakeDocuments
from tests.services.study.exchange.anki_files import (
    archive,
    new_collection,
    new_package,
    notes_of,
    old_package,
    picture,
)
from tests.services.study.review.desk import Desk

BASIC = genanki.Model(
    1,
    "Both ways",
    fields=[{"name": "Front"}, {"name": "Back"}, {"name": "Extra"}],
    templates=[
        {
            "name": "a",
            "qfmt": "{{Front}}",
            "afmt": "{{FrontSide}}<hr id=answer>{{Back}}{{#Extra}}<br>{{Extra}}{{/Extra}}",
        },
        {"name": "b", "qfmt": "{{Back}}", "afmt": "{{FrontSide}}<hr id=answer>{{Front}}"},
    ],
)


@pytest.fixture
def desk() -> Desk:
    return Desk(FakeDocuments())


@pytest.fixture
def exchange(desk: Desk) -> CardExchange:
    return CardExchange(desk.deck, lambda student: {"canvas-101": "Biology: cells"})


def package(content: bytes, name: str = "deck.apkg") -> Upload:
    return Upload(name=name, content=content)


def read(content: bytes) -> tuple[list[dict[str, object]], list[str]]:
    """The cards and remarks of a package, read in this process."""
    import json

    cards: list[dict[str, object]] = []
    remarks: list[str] = []
    for record, written in serve_package(package(content), {}):
        cards += [] if "picture" in record else json.loads(written or b"[]")
        remarks = record.get("remarks", remarks)
    return cards, remarks


def test_a_package_of_the_old_format_is_read_with_its_pictures_formulas_and_lists(
    exchange: CardExchange, desk: Desk, tmp_path: Path
) -> None:
    fields = [
        r"What is <b>osmosis</b>? It costs $5; \(x^2 &lt; 3\)",
        'Water<ol><li>one<li>two</ol>H<sub>2</sub>O <img src="c.png">',
        "more",
    ]
    content = old_package(
        [genanki.Note(BASIC, fields, tags=["bio", "w1"])], media={"c.png": picture()}, folder=tmp_path
    )

    found = exchange.read_package(desk.student, package(content))

    first, second = found.cards
    assert first.front == r"What is **osmosis**? It costs \$5; $x^2 < 3$"
    assert first.back == "Water\n\n1. one\n2. two\n\nH₂O ![](c.png)\nmore"
    assert second.front.startswith("Water")
    assert second.guid == f"{first.guid}-1"
    assert (first.tags, first.deck) == (("bio", "w1"), "Bio::Unit 1")
    assert [(image.name, image.media_type) for image in first.pictures] == [("c.png", "image/png")]


def test_each_gap_of_a_cloze_note_is_a_card() -> None:
    note = genanki.Note(genanki.CLOZE_MODEL, ["The {{c1::mitochondrion::organelle}} makes {{c2::ATP}}.", "page 4"])

    cards, _ = read(old_package([note]))

    assert [card["front"] for card in cards] == [r"The \[organelle\] makes ATP.", r"The mitochondrion makes \[…\]."]
    backs = [card["back"] for card in cards]
    assert backs == ["The **mitochondrion** makes ATP.\npage 4", "The mitochondrion makes **ATP**.\npage 4"]


def test_a_package_of_todays_anki_is_read_with_what_fsrs_knows_there(
    exchange: CardExchange, desk: Desk, tmp_path: Path
) -> None:
    learned = {"type": 2, "queue": 2, "due": 400, "ivl": 30, "reps": 9, "lapses": 2, "data": '{"s": 31.5, "d": 6.25}'}
    collection = new_collection(tmp_path, [("g1", "Q <img src='a b.png'>", "A")], learned)

    found = exchange.read_package(desk.student, package(new_package(collection, {"a b.png": picture()})))

    (card,) = found.cards
    due = datetime.fromtimestamp(1_760_000_000, UTC) + timedelta(days=400)
    assert (card.deck, card.tags, card.front) == ("Biology::Unit 2", ("exam_1",), "Q ![](a_b.png)")
    assert card.memory is not None
    assert (card.memory.stability, card.memory.difficulty, card.memory.due) == (31.5, 6.25, due)
    assert (card.memory.last_review, card.memory.reviews, card.memory.lapses) == (due - timedelta(days=30), 9, 2)
    assert len(card.pictures) == 1


def test_a_second_import_adds_nothing_and_keeps_what_is_known_of_a_card(
    desk: Desk, exchange: CardExchange, tmp_path: Path
) -> None:
    first = new_collection(tmp_path, [("g1", "Q1", "A1"), ("g2", "Q2", "A2")])
    exchange.import_cards(desk.student, exchange.read_package(desk.student, package(new_package(first))), "canvas-101")
    rated = next(card for card in desk.deck.cards(desk.student).cards if card.front == "Q1")
    desk.rate(rated.id, 3)
    later = new_collection(tmp_path, [("g1", "Q1 better", "A1"), ("g2", "Q2", "A2"), ("g3", "Q3", "A3")])

    second = exchange.import_cards(
        desk.student, exchange.read_package(desk.student, package(new_package(later))), "canvas-101"
    )

    assert (second.new, second.changed, second.known) == (1, 1, 1)
    assert desk.deck.count(desk.student) == 3
    assert (desk.card(rated.id).front, desk.card(rated.id).reviews) == ("Q1 better", 1)


def test_what_was_learned_in_anki_comes_when_it_would_have_come_there(
    desk: Desk, exchange: CardExchange, tmp_path: Path
) -> None:
    crt = int((desk.clock.at - timedelta(days=100)).timestamp())
    learned = {"type": 2, "queue": 2, "due": 104, "ivl": 10, "factor": 2500, "reps": 5}
    found = exchange.read_package(
        desk.student, package(new_package(new_collection(tmp_path, [("g", "Q", "A")], learned, crt)))
    )

    exchange.import_cards(desk.student, found)

    (card,) = desk.deck.cards(desk.student).cards
    assert card.due_at == desk.clock.at + timedelta(days=4)
    assert (card.schedule["stability"], card.reviews, card.state) == (10.0, 5, FlashcardState.KEPT)
    assert desk.rate(card.id, 3).card.due_at > desk.clock.at + timedelta(days=10)


def test_an_export_has_the_same_ids_every_time_and_its_import_here_doubles_nothing(
    desk: Desk, exchange: CardExchange
) -> None:
    quotation = Quotation(source=SourceKind.MATERIAL, source_id="m", place="Lecture 4, slide 2", words="w")
    desk.add(2, course_key="canvas-101", topic="Osmosis", quotation=quotation)
    (draft,) = desk.add(1, state=FlashcardState.DRAFT)

    written = exchange.export_anki(desk.student)
    notes, _, decks = notes_of(written)
    again, _, decks_again = notes_of(exchange.export_anki(desk.student))

    assert [note[0] for note in notes] == [note[0] for note in again]
    assert decks == decks_again
    assert all("Lecture 4, slide 2" in note[1] for note in notes)
    assert draft.id not in {note[0] for note in notes}
    preview = exchange.preview(desk.student, exchange.read_package(desk.student, package(written)))
    assert (preview.new, preview.known) == (0, 2)


def test_formulas_and_pictures_survive_the_way_to_anki_and_back(
    desk: Desk, exchange: CardExchange, tmp_path: Path
) -> None:
    fields = [r"<b>Q</b> \(\frac{a}{b} &lt; c\) <img src='x.png'>", "<ul><li>a</li><li>b</li></ul>", ""]
    content = old_package([genanki.Note(BASIC, fields)], media={"x.png": picture()}, folder=tmp_path)
    exchange.import_cards(desk.student, exchange.read_package(desk.student, package(content)))

    notes, media, _ = notes_of(exchange.export_anki(desk.student))

    front = next(note[1].split("\x1f") for note in notes if "frac" in note[1].split("\x1f")[0])[0]
    assert re.fullmatch(r'<b>Q</b> \\\(\\frac\{a\}\{b\} &lt; c\\\) <img src="(homeroom-\w+\.png)">', front)
    assert len(media) == 1
    assert next(iter(media.values())) in front


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no zip",
        archive({"readme": b"x"}),
        archive({"collection.anki2": b"no database", "media": b"{}"}),
        archive({"collection.anki21b": b"\x28\xb5\x2f\xfd cut off", "media": b"{}"}),
        archive({"collection.anki2": b"SQLite format 3\x00" + b"\xff" * 4_000}),
        new_package(b"SQLite format 3\x00")[:-30],
    ],
    ids=["empty", "text", "other", "no-database", "cut-zstd", "broken-header", "cut-zip"],
)
def test_what_is_no_package_is_refused_in_a_sentence(exchange: CardExchange, desk: Desk, content: bytes) -> None:
    with pytest.raises(FileRefused) as refusal:
        exchange.read_package(desk.student, package(content))

    assert refusal.value.next_step


def test_a_package_that_unpacks_to_gigabytes_is_refused(exchange: CardExchange, desk: Desk) -> None:
    import zstandard

    compressor = zstandard.ZstdCompressor().compressobj()
    bomb = b"".join(compressor.compress(bytes(1_000_000)) for _ in range(300)) + compressor.flush()

    with pytest.raises(FileRefused, match="too large"):
        exchange.read_package(desk.student, package(archive({"collection.anki21b": bomb, "media": b"{}"})))


def test_a_collection_whose_tables_are_views_is_refused(exchange: CardExchange, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "evil.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE col (crt, models, decks); INSERT INTO col VALUES (0, '{}', '{}'); CREATE TABLE cards (nid);"
            "CREATE VIEW notes AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
            " SELECT x AS id FROM n;"
        )

    with pytest.raises(FileRefused, match="not a package of Anki"):
        exchange.read_package(desk.student, package(archive({"collection.anki2": path.read_bytes(), "media": b"{}"})))


def test_recordings_empty_cards_and_lost_pictures_are_left_out_and_told() -> None:
    notes = [
        genanki.Note(BASIC, ["Q [sound:a.mp3]", "A <img src='gone.png'>", ""]),
        genanki.Note(BASIC, ["<script>alert(1)</script>", "A", ""]),
    ]

    cards, remarks = read(old_package(notes))

    assert [(card["front"], card["back"]) for card in cards] == [("Q", "A"), ("A", "Q")]
    assert remarks == [
        "2 cards have recordings, which are left out.",
        "One picture could not be taken over.",
        "2 cards without a text are left out.",
    ]


def test_more_cards_than_may_be_are_cut_and_told(tmp_path: Path) -> None:
    notes = [(f"g{number}", f"Q{number}", "A") for number in range(MOST_CARDS + 3)]

    cards, remarks = read(new_package(new_collection(tmp_path, notes)))

    assert len(cards) == MOST_CARDS
    assert remarks == [f"Only the first {MOST_CARDS} cards are taken over."]


def test_topics_are_the_decks_without_what_all_have_in_common(desk: Desk, exchange: CardExchange) -> None:
    from services.study.exchange.imported_cards import ImportedCard

    cards = [ImportedCard(guid=f"g{n}", front=f"Q{n}", back="A", deck=f"Uni::Bio::Unit {n}") for n in range(2)]

    exchange.import_cards(desk.student, CardPackage(cards=tuple(cards)))

    assert sorted(card.topic for card in desk.deck.cards(desk.student).cards) == ["Unit 0", "Unit 1"]
