"""`python -m sandbox` as a process of its own, killed without warning."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from pathlib import Path

import httpx

from sandbox.app import campus_app
from sandbox.state import State
from tests.campus_server import press_settings

ROOT = Path(__file__).parents[2]


def test_what_was_answered_survives_kill_9(tmp_path: Path) -> None:
    data = tmp_path / "campus.sqlite"
    with sandbox(data) as url:
        headers = {"authorization": f"Bearer {press_settings(url, 'maya')}"}
        before = httpx.get(f"{url}/canvas/api/v1/courses/4201/assignments", headers=headers).json()
        logged = httpx.get(f"{url}/log").json()["entries"]

    with sandbox(data) as url:
        again = httpx.get(f"{url}/canvas/api/v1/courses/4201/assignments", headers=headers).json()
        kept = httpx.get(f"{url}/log").json()["entries"]

    assert [row["due_at"] for row in again] == [row["due_at"] for row in before]
    assert kept[: len(logged)] == logged


def test_a_request_that_was_never_answered_is_in_the_log_after_kill_9(tmp_path: Path) -> None:
    data = tmp_path / "campus.sqlite"
    with sandbox(data) as url:
        httpx.post(f"{url}/faults", json={"service": "canvas", "fault": "hang"})
        with suppress(httpx.ReadTimeout):
            httpx.get(f"{url}/canvas/", timeout=0.3)

    entries = State(data).all("sandbox.log")
    assert [(entry["path"], entry["status"]) for entry in entries] == [("/", None)]


def test_a_chosen_day_lasts_for_the_file(tmp_path: Path) -> None:
    data = tmp_path / "campus.sqlite"
    campus_app(origin="http://localhost:1", database=data, today=date(2026, 10, 30))
    campus_app(origin="http://localhost:1", database=data)

    assert State(data).get("sandbox.seed", "day") == "2026-10-30"
    assert State(data).get("sandbox.clock", "shift_days") is not None


def test_a_file_whose_days_are_over_begins_anew_and_its_accounts_stay_connected(tmp_path: Path) -> None:
    data, first = tmp_path / "campus.sqlite", date(2026, 10, 30)
    state = State(data)

    def opened(after: int) -> tuple[str, bool, bool]:
        """The day of its data, and whether an old request and an account are still there."""
        campus_app(origin="http://localhost:1", database=data, today=first + timedelta(days=after))
        told = [state.get(kind, "1") is not None for kind in ("sandbox.log", "canvas.grants")]
        return state.get("sandbox.seed", "day"), *told

    opened(0)
    for kind in ("sandbox.log", "canvas.grants"):
        state.put(kind, "1", {"id": "1"})
    assert opened(14) == ("2026-10-30", True, True)
    assert opened(15) == ("2026-11-14", False, True)


def test_a_file_of_an_older_release_gets_the_files_of_courses_and_its_accounts_stay_connected(tmp_path: Path) -> None:
    data = tmp_path / "campus.sqlite"
    campus_app(origin="http://localhost:1", database=data)
    state = State(data)
    state.put("canvas.grants", "1", {"id": "1"})
    state.delete_all("canvas.files")
    state.delete("sandbox.seed", "version")

    campus_app(origin="http://localhost:1", database=data)

    assert len(state.all("canvas.files", course_id=4201)) >= 8
    assert state.get("canvas.grants", "1") is not None


@contextmanager
def sandbox(data: Path) -> Iterator[str]:
    """The campus's address while its process lives; then it is killed."""
    command = [sys.executable, "-m", "sandbox", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
