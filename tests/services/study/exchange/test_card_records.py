"""What a file's cards take on their way from the process that reads them, and in the app, is bounded."""

from pathlib import Path

import genanki
import pytest

from services.files.upload import FileRefused, Upload
from services.study.exchange import card_records
from services.study.exchange.anki_package import serve_package
from services.study.exchange.card_exchange import CardExchange
from services.study.exchange.card_records import dump_cards, load_package
from services.study.exchange.imported_cards import LONGEST_DECK, LONGEST_GUID, MOST_TAGS, ImportedCard
from tests.fakes import FakeDocuments
from tests.services.study.exchange.anki_files import old_package, picture
from tests.services.study.review.desk import Desk

MODEL = genanki.Model(
    1,
    "One way",
    fields=[{"name": "Front"}, {"name": "Back"}],
    templates=[{"name": "a", "qfmt": "{{Front}}", "afmt": "{{Back}}"}],
)


@pytest.fixture
def desk() -> Desk:
    return Desk(FakeDocuments())


@pytest.fixture
def exchange(desk: Desk) -> CardExchange:
    return CardExchange(desk.deck, lambda student: {})


def test_cards_with_the_same_picture_share_it_and_it_travels_once(tmp_path: Path) -> None:
    content = picture(900, 900)
    notes = [genanki.Note(MODEL, [f'Question {n} <img src="p.png">', f"Answer {n}"]) for n in range(250)]

    package_file = old_package(notes, media={"p.png": content}, folder=tmp_path)

    records = list(serve_package(Upload(name="d.apkg", content=package_file), {}))
    package = load_package(records)

    assert [record["picture"] for record, _ in records if "picture" in record] == ["p.png"]
    assert len(package.cards) == 250
    assert len({id(card.pictures[0]) for card in package.cards}) == 1


def test_texts_and_pictures_of_a_file_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(card_records, "MOST_TEXT", 1_000)
    cards = [ImportedCard(guid=str(n), front="f" * 200, back="b" * 200) for n in range(9)]

    package = load_package(dump_cards(cards, lambda: ["Told."]))

    assert len(package.cards) == 2
    assert package.remarks == ("Told.", "Only the first 2 cards are taken over.")


def test_a_name_a_tag_or_an_id_of_a_card_takes_no_more_than_it_may() -> None:
    card = ImportedCard(guid="g" * 10**6, front="f", back="b", deck="d" * 10**6, tags=("t" * 10**6,) * 10_000)

    (found,) = load_package(dump_cards([card], list)).cards

    assert (len(found.deck), len(found.tags)) == (LONGEST_DECK, MOST_TAGS)
    assert len(found.guid) <= LONGEST_GUID
    assert max(map(len, found.tags)) <= 60


@pytest.mark.parametrize(
    "content",
    [b"#a:b\n" * 200_000, b"front,back\n" + b"\\(" * 50_000 + b",that\n", b'"[sound:' + b"[sound:" * 18_000 + b'",b'],
    ids=["directives", "formulas", "sounds"],
)
def test_a_hostile_table_is_read_in_the_process_and_soon(exchange: CardExchange, desk: Desk, content: bytes) -> None:
    """Each of these held the interpreter for minutes; now the whole takes a moment, and the app only waits for it."""
    with pytest.raises(FileRefused, match="No cards"):
        exchange.read_package(desk.student, Upload(name="cards.txt", content=content))
