"""Several programs, as several replicas are, claim the same documents: each has exactly one winner."""

import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from services.settings import ROOT
from tests.services.storage.writer import open_address

PROGRAMS = 3
DOCUMENTS = 60


@pytest.fixture(params=["sqlite", "mongo"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "homeroom.sqlite")
    return f"{request.getfixturevalue('mongo_uri')}/race_{secrets.token_hex(4)}"


def test_of_several_programs_that_swap_exactly_one_wins(address: str) -> None:
    engine = open_address(address)
    for n in range(DOCUMENTS):
        engine.insert("notes", {"id": f"n{n}", "by": None})
    programs = [_start(address, str(name)) for name in range(PROGRAMS)]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    won = {str(name): program.communicate(timeout=60)[0].split() for name, program in enumerate(programs)}

    winners = {n: name for name, numbers in won.items() for n in numbers}
    assert sum(len(numbers) for numbers in won.values()) == DOCUMENTS
    assert {document["id"]: document["by"] for document in engine.find("notes", {})} == {
        f"n{n}": name for n, name in winners.items()
    }
    engine.close()


def _start(address: str, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.services.storage.racer", address, name, str(DOCUMENTS)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
