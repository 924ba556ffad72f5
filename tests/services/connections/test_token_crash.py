"""kill -9 in the middle of saving and rewrapping tokens: each opens afterwards, as the old one or as the new one."""

import random
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from services.connections.key_rotation import SealState, verify_seals
from services.connections.vault import KeyRing, Vault
from services.settings import ROOT, new_vault_key
from services.storage.store import Store
from tests.services.connections.token_writer import STUDENTS, open_pair
from tests.services.storage.writer import open_address


@pytest.fixture(params=["sqlite", "mongo"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "homeroom.sqlite")
    return f"{request.getfixturevalue('mongo_uri')}/tokens_{secrets.token_hex(4)}"


def crash(address: str, *, rounds: int, seed: int) -> None:
    """Kill the program at a random moment again and again, and look at every token after each time."""
    chance = random.Random(seed)
    keys = [new_vault_key("k1"), new_vault_key("k2")]
    vault = Vault(KeyRing.parse(keys))
    for _ in range(rounds):
        saved = _run_until_killed([address, *keys], lines=chance.randrange(8, 60))
        store = Store(open_address(address))
        seals = verify_seals(store, vault)
        assert seals[SealState.BROKEN] == 0
        assert seals.total() == 2 * len(STUDENTS)
        for student in STUDENTS:
            access, refresh = open_pair(vault, store, student)
            assert access == refresh
            assert access in (saved[student], saved[student] + 1)
        store.close()


def _run_until_killed(arguments: list[str], *, lines: int) -> dict[str, int]:
    """The last acknowledged save of each student, once all of them have one."""
    command = [sys.executable, "-m", "tests.services.connections.token_writer", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said: list[str] = []
    while len(said) < lines or not set(STUDENTS) <= {line.split()[0] for line in said}:
        said.append(process.stdout.readline().strip())
        assert said[-1], "the writer ended by itself"
    process.kill()
    rest, _ = process.communicate()
    words = [line.split() for line in [*said, *rest.splitlines()]]
    return {name: int(n) for name, n in words if name in STUDENTS}


def test_every_token_opens_after_a_crash_in_saving_and_rewrapping(address: str) -> None:
    crash(address, rounds=3, seed=1)


@pytest.mark.soak
def test_every_token_opens_after_a_hundred_crashes(address: str) -> None:
    crash(address, rounds=100, seed=2)
