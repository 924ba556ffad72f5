"""`manage.py metrics`: the same numbers as on the page, as plain tables."""

from pathlib import Path

import pytest

import manage
from commands.metrics_report import tables
from services.discovery.accounting import Accounting
from services.discovery.daily_counters import DailyCounters
from services.identity.students import Students
from services.runtime.clock import utc_now
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from tests.discovery_facts import request
from tests.services.discovery.test_accounting import Books


def test_every_number_of_the_page_is_in_a_table() -> None:
    books = Books()
    books.note("courses", "calendar", called=("canvas_grades",), fresh=1_000, read=900, written=100, output=10)
    books.note(model="own-model", strategy="frozen", conversation_id="other")
    books.counters.add_amounts(books.maya.id, {"thumbs_up": 2})
    books.accounting.record_failure(books.maya.id, "web_search", "timed_out")

    lines = tables(books.metrics.for_student(books.maya.id, 7)).splitlines()

    def line(start: str) -> str:
        return " ".join(next(line for line in lines if line.startswith(start)).split())

    assert line("questions") == "questions 2"
    assert line("of which without a call") == "of which without a call of a tool 1"
    assert line("thumbs up") == "thumbs up 2"
    assert line("own-model") == "own-model 1 0 price unknown"
    assert line("as it was") == "as it was 1,000 900 100 1,215 $0.0001"
    assert line("2026-11-23 ").startswith("2026-11-23 2 1,215")
    assert line("courses ").startswith("courses 1 100")
    assert line("canvas_grades ") == "canvas_grades 1 2 0 0"
    assert line("web_search  timed_out") == "web_search timed_out 1"


def test_days_without_anything_are_told_so() -> None:
    books = Books()

    assert tables(books.metrics.for_everyone(7)) == "Nothing was counted on these days."


@pytest.fixture
def deployment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo with two students, one of whom has asked something."""
    monkeypatch.setenv("HOMEROOM_DEMO", "1")
    monkeypatch.setenv("HOMEROOM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("MONGODB_URI", "")
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    store = Store(engine)
    students = Students(store, utc_now)
    maya, _ = (
        students.sign_in(issuer="campus", subject=name, name=name, email=f"{name}@campus.example")
        for name in ("maya", "ben")
    )
    accounting = Accounting(DailyCounters(store, students, utc_now), utc_now)
    accounting.record_request(request(maya.id, "courses", fresh=2_000))
    engine.close()


@pytest.mark.usefixtures("deployment")
def test_the_command_prints_all_students_or_one(capsys: pytest.CaptureFixture[str]) -> None:
    codes = [manage.main(["metrics", *rest]) for rest in ([], ["--email", "maya@campus.example"])]
    both = capsys.readouterr().out
    manage.main(["metrics", "--email", "ben@campus.example", "--days", "7"])

    assert codes == [0, 0]
    assert both.count("By context") == 2
    assert capsys.readouterr().out == "Nothing was counted on these days.\n"


@pytest.mark.usefixtures("deployment")
def test_nobody_is_told_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert manage.main(["metrics", "--email", "nobody@campus.example"]) == 1

    assert "Nobody has signed in with nobody@campus.example yet." in capsys.readouterr().err
