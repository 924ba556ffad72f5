"""The version before and this one serve from one store, in turn and at once: nothing raises, nothing is lost.

`docs/deploy.md` promises it to whoever updates one replica after the other, or goes back.
"""

import json
import os
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.settings import ROOT

pytestmark = pytest.mark.soak

BEFORE = "2444faa4"
"""The last commit of the version before."""
CLERK = ROOT / "tests" / "soak" / "version_clerk.py"
ROUNDS = int(os.environ.get("SOAK_VERSIONS", "5"))
TURNS = 4


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The code of the version before, in a folder."""
    if subprocess.run(["git", "cat-file", "-e", BEFORE], cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip(f"This copy of the repository has no history back to {BEFORE}.")
    folder = tmp_path_factory.mktemp("before") / "homeroom"
    subprocess.run(["git", "worktree", "add", "-q", "--detach", str(folder), BEFORE], cwd=ROOT, check=True)
    yield folder
    subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=True)


@pytest.fixture(params=["sqlite", "mongo"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "homeroom.sqlite")
    return f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}"


class Versions:
    """Two versions that work on a store: "before" and "now"."""

    def __init__(self, store: str, folder: Path, before: Path) -> None:
        self._store, self._folder = store, folder
        self._code = {"before": before, "now": ROOT}
        self.counts = Counter[str]()
        self.totals: dict[str, int] = {}

    def start(self, version: str, name: str) -> "subprocess.Popen[str]":
        words = [sys.executable, str(CLERK), self._store, str(self._folder), f"{version}{name}", str(ROUNDS)]
        code = {"PYTHONPATH": str(self._code[version]), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.Popen(
            words,
            cwd=self._code[version],
            env={**os.environ, **code},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def finish(self, process: "subprocess.Popen[str]") -> None:
        out, log = process.communicate(timeout=1_200)
        assert process.returncode == 0, log[-4_000:]
        assert not [line for line in log.splitlines() if "crashed" in line or "unreadable" in line]
        told: dict[str, Any] = json.loads(out.splitlines()[-1])
        self.counts.update(told["counts"])
        self.totals = told["totals"]

    def check(self) -> None:
        """What each version says that it did is what the store holds."""
        for kind in ("asked", "cards", "sessions", "approved"):
            assert self.totals[kind] == self.counts[kind], (kind, self.totals, self.counts)
        assert self.totals["classes"] == 1


def test_two_versions_serve_from_one_store(store: str, tmp_path: Path, version_before: Path) -> None:
    versions = Versions(store, tmp_path, version_before)

    for number in range(TURNS):
        versions.finish(versions.start("before" if number % 2 == 0 else "now", str(number)))
        versions.check()
    both = [versions.start("before", "-both"), versions.start("now", "-both")]
    for process in both:
        versions.finish(process)
    versions.finish(versions.start("before", "-last"))

    versions.check()
