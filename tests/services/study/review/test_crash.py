"""A process that dies in the middle of a rating: sent again, it counts once, and the log is whole (R86)."""

import random
import secrets
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from services.errors import ItemNotFound
from services.settings import ROOT
from services.storage.documents import Write
from tests.fakes import FakeDocuments
from tests.mongo_server import MongoServer
from tests.services.storage.writer import open_address
from tests.services.study.review.desk import Desk


class Killed(Exception):
    """Stands for SIGKILL."""


class DyingDocuments(FakeDocuments):
    """An engine without transactions whose process dies before its n-th write from now on."""

    left: int | None = None

    def write_all(self, writes: Sequence[Write]) -> None:
        for write in writes:
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise Killed
            FakeDocuments.write_all(self, [write])


@pytest.mark.parametrize("other_tab", ["", "rates", "undoes"])
@pytest.mark.parametrize("writes", [0, 1])
@pytest.mark.parametrize("step", ["rate", "undo"])
def test_what_died_between_two_writes_counts_once_when_it_is_sent_again(step: str, writes: int, other_tab: str) -> None:
    engine = DyingDocuments()
    desk = Desk(engine)
    (card,) = desk.add()
    desk.rate(card.id, 4, "before")
    desk.go_to_day(9)
    if step == "undo":
        desk.rate(card.id, 3, "mine")

    engine.left = writes
    with pytest.raises(Killed):
        desk.rate(card.id, 3, "mine") if step == "rate" else desk.reviews.undo(desk.student, "mine")
    engine.left = None
    if other_tab == "rates":
        desk.rate(card.id, 2, "theirs")
    elif other_tab == "undoes":
        with suppress(ItemNotFound):  # What is not in the log yet is not seen by others.
            desk.reviews.undo(desk.student)
    for _ in range(2):
        desk.rate(card.id, 3, "mine")
        if step == "undo":
            desk.reviews.undo(desk.student, "mine")

    log = desk.log(card.id)
    counted = {review.id for review in log}
    assert ("mine" in counted) == (step == "rate")
    assert ("theirs" in counted) == (other_tab == "rates")
    stored = desk.card(card.id)
    assert stored.reviews == len(log)
    assert stored.schedule == desk.schedule_by(log)


def kill_tabs(address: str, *, rounds: int, seed: int, most_lines: int = 120) -> int:
    """Kill tabs that rate, again and again; then send what was not confirmed. How many ratings were sent."""
    chance = random.Random(seed)
    desk = Desk(open_address(address))
    desk.add(4)
    sent: dict[str, tuple[str, int]] = {}
    undone: set[str] = set()
    for number in range(rounds):
        lines = _told_until_killed(address, f"{seed}-{number}", chance.randrange(5, most_lines))
        words = [line.split() for line in lines]
        confirmed = {told[1] for told in words if told[0] in ("counted", "undone")}
        for told in words:
            if told[0] == "sent":
                sent[told[3]] = (told[1], int(told[2]))
            elif told[0] == "undoing":
                undone.add(told[1])
        # The browser kept what was not confirmed, and sends it again; some of what was, too.
        for review, (card, rating) in sent.items():
            if review not in confirmed or chance.random() < 0.05:
                desk.rate(card, rating, review)
        for review in undone - confirmed:
            desk.reviews.undo(desk.student, review)
        for review in undone:
            desk.reviews.undo(desk.student, review)
    _check(desk, sent, undone)
    desk.store.close()
    return len(sent)


def _told_until_killed(address: str, name: str, lines: int) -> list[str]:
    command = [sys.executable, "-m", "tests.services.study.review.rating_tabs", address, name]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(lines)]
    assert all(told), "the tabs ended by themselves"
    process.kill()
    rest, _ = process.communicate()
    return [line for line in [*told, *rest.splitlines(keepends=True)] if line.endswith("\n")]


def _check(desk: Desk, sent: dict[str, tuple[str, int]], undone: set[str]) -> None:
    logged: list[str] = []
    for card in desk.deck.cards(desk.student).cards:
        log = desk.log(card.id)
        logged += [review.id for review in log]
        assert {review.id: (card.id, int(review.rating)) for review in log}.items() <= sent.items()
        assert card.reviews == len(log)
        assert card.schedule == desk.schedule_by(log)
    assert sorted(logged) == sorted(sent.keys() - undone)


def test_ratings_of_killed_tabs_count_once_without_transactions(mongo_server: MongoServer) -> None:
    assert kill_tabs(f"{mongo_server.uri}/ratings_{secrets.token_hex(4)}", rounds=1, most_lines=60, seed=2) > 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 16))
def test_many_killed_tabs_on_sqlite(tmp_path: Path, seed: int) -> None:
    assert kill_tabs(str(tmp_path / "homeroom.sqlite"), rounds=12, seed=seed) > 12


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20, 26))
def test_many_killed_tabs_on_mongo(mongo_server: MongoServer, seed: int) -> None:
    assert kill_tabs(f"{mongo_server.uri}/ratings_{secrets.token_hex(4)}", rounds=12, seed=seed) > 12
