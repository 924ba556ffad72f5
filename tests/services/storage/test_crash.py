"""kill -9 at random moments: what was acknowledged is there, and the store opens."""

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from services.settings import ROOT
from services.storage.documents import Documents
from tests.mongo_server import MongoServer
from tests.services.storage.writer import FILLING, THREADS, open_address


class Writer:
    """A process of `tests.services.storage.writer`, and what it has acknowledged."""

    def __init__(self, address: str, name: str) -> None:
        command = [sys.executable, "-m", "tests.services.storage.writer", address, name]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.lines: list[str] = []

    def read(self, lines: int) -> None:
        """Wait until this much more was acknowledged."""
        assert self._process.stdout is not None
        self.lines += [self._process.stdout.readline().strip() for _ in range(lines)]
        assert all(self.lines), "the writer ended by itself"

    def kill(self) -> None:
        """End it with SIGKILL and collect what it still said."""
        self._process.kill()
        rest, _ = self._process.communicate()
        self.lines += rest.splitlines()


def check(engine: Documents, lines: list[str]) -> int:
    """Nothing acknowledged is missing, nothing is half there; how many documents were acknowledged."""
    acknowledged = [line.split() for line in lines]
    found = {document["id"]: document for document in engine.find("notes", {})}
    inserted = [words[1] for words in acknowledged if words[0] == "insert"]
    missing = [id for id in inserted if id not in found]
    assert not missing
    assert all(document["text"].startswith(FILLING) for id, document in found.items() if id != "counter")

    counted = sum(words[0] == "count" for words in acknowledged)
    assert found["counter"]["count"] >= counted
    turns = Counter({name: int(n) for kind, name, n in (w for w in acknowledged if w[0] == "turn")})
    for name, turn in turns.items():
        document = found[f"turning-{name}"]
        assert document["turn"] >= turn
        assert document["text"] == FILLING + str(document["turn"])
    return len(inserted)


def kill_writers(address: str, *, rounds: int, seed: int) -> int:
    """Crash program after program on the same store; how many acknowledged documents outlived it."""
    chance = random.Random(seed)
    survived = 0
    lines: list[str] = []
    for round in range(rounds):
        writer = Writer(address, f"w{round}")
        writer.read(chance.randrange(3 * THREADS, 150))
        writer.kill()
        lines += writer.lines
        engine = open_address(address)
        survived = check(engine, lines)
        engine.put("notes", {"id": "after", "text": FILLING})
        engine.close()
    return survived


def kill_servers(server: MongoServer, *, rounds: int, seed: int) -> int:
    """Crash the server under a program that goes on writing; how many acknowledged documents outlived it."""
    chance = random.Random(seed)
    writer = Writer(f"{server.uri}/homeroom", "w")
    for _ in range(rounds):
        writer.read(chance.randrange(3 * THREADS, 150))
        server.kill()
        server.start()
    writer.read(30)
    writer.kill()
    engine = open_address(f"{server.uri}/homeroom")
    survived = check(engine, writer.lines)
    engine.close()
    return survived


def test_sqlite_keeps_what_it_acknowledged_through_kill_9(tmp_path: Path) -> None:
    assert kill_writers(str(tmp_path / "homeroom.sqlite"), rounds=3, seed=1) > 0


def test_mongo_keeps_what_a_killed_program_was_told(mongo_uri: str) -> None:
    assert kill_writers(f"{mongo_uri}/crash_writers", rounds=2, seed=2) > 0


def test_mongo_keeps_what_it_acknowledged_through_kill_9_of_the_server(tmp_path: Path) -> None:
    server = MongoServer(tmp_path)
    server.start()
    try:
        assert kill_servers(server, rounds=2, seed=3) > 0
    finally:
        server.kill()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_sqlite_keeps_what_it_acknowledged_through_two_hundred_crashes(tmp_path: Path, seed: int) -> None:
    assert kill_writers(str(tmp_path / "homeroom.sqlite"), rounds=40, seed=seed) > 500


@pytest.mark.soak
def test_mongo_keeps_what_it_acknowledged_through_forty_crashes_of_the_server(tmp_path: Path) -> None:
    server = MongoServer(tmp_path)
    server.start()
    try:
        assert kill_servers(server, rounds=40, seed=6) > 500
    finally:
        server.kill()
