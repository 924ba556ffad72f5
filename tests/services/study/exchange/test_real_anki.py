"""A student's cards go to the real Anki and come back from it with all that was known of them."""

import json
import subprocess
from pathlib import Path

import pytest

from services.settings import ROOT
from tests.fakes import FakeDocuments
from tests.services.study.exchange.test_way_back import desk, exchange_of, read_file  # noqa: F401 - a fixture
from tests.services.study.review.desk import Desk

PROGRAM = Path(__file__).with_name("anki_program.py")


@pytest.mark.soak
def test_the_real_anki_takes_our_package_once_and_gives_it_back(desk: Desk, tmp_path: Path) -> None:  # noqa: F811
    ours, theirs = tmp_path / "ours.apkg", tmp_path / "theirs.apkg"
    ours.write_bytes(exchange_of(desk).export_anki(desk.student))
    command = [str(ROOT / ".venv-anki/bin/python"), str(PROGRAM), str(ours), str(theirs)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    other = Desk(FakeDocuments())
    other.clock.at = desk.clock.at

    exchange_of(other).import_cards(other.student, read_file(desk, theirs.read_bytes()))

    mine = {card.id: card for card in desk.deck.cards(desk.student).cards}
    assert told["new"] == [len(mine), 0]
    assert {deck for deck, *_ in told["cards"].values()} == {"Homeroom::Biology: cells"}
    for card in other.deck.cards(other.student).cards:
        before = mine[card.id]
        assert told["cards"][card.id][4] == [int(review.rating) for review in desk.log(card.id)]
        assert (card.front, card.back, card.topic) == (before.front, before.back, before.topic)
        assert set(card.tags) == set(before.tags)
        assert (card.state, card.reviews, card.lapses) == (before.state, before.reviews, before.lapses)
        assert card.schedule.get("stability", 0) == pytest.approx(before.schedule.get("stability", 0), rel=1e-3)
        assert card.schedule.get("state") == before.schedule.get("state")
        assert len(other.log(card.id)) == len(desk.log(card.id))
