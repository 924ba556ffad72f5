"""Ten times as much in the store costs a page no more rows than it shows more of: of every page there is."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.growing_data import VIEWS, fill
from services.navigation import PAGES, AppPage, Audience
from services.storage.documents import Document, Order, Where
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor
from tests.telling import telling

Drawn = tuple[Counter[str], int]
FEW, MANY = 120, 1_200
SPARE = 12
"""Rows more that do not matter."""
TEACHES = {"email": "anne@campus.example", "email_verified": True}
ESTIMATED = {("study", ""): ("study_cards", "study_attempts")}
"""What one knows of a topic is estimated from all its cards and answers: each is read once, once a minute."""
TELLING = ("chats", "study")


class CountedRows(SqliteDocuments):
    """Documents that also count the rows that they hand out. A count in an index hands out none."""

    rows: Counter[str]

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        found = super().find(collection, where, order=order, limit=limit, skip=skip)
        self.rows[collection] += len(found)
        return found


def pages() -> list[tuple[AppPage, str]]:
    """Every page, with each of its views."""
    # The presenter's page is there in `manage.py demo` alone, and shows nothing that is stored.
    shown = [page for page in PAGES if page.audience is not Audience.PRESENTERS]
    views = [(page, view) for page in shown for view in ("", *VIEWS.get(page.name, ()))]
    return telling(views, lambda row: row[0].name in TELLING and not row[1])


def drawn(make_visitor: Callable[..., Visitor], path: Path, page: AppPage, view: str, count: int) -> Drawn:
    """Rows by collection that a page reads beside so many things, and how many elements it shows."""
    engine = CountedRows(path, clock=FakeClock())
    engine.rows = Counter()
    visitor = make_visitor(engine=engine, claims=TEACHES, settings={"HOMEROOM_INSTRUCTORS": TEACHES["email"]})
    visitor.opens()
    fill(visitor.room.services.store, visitor.student.id, 0, count, FakeClock()())
    engine.rows.clear()
    shown = visitor.opens(page.name, **({"view": view} if view else {}))
    assert not shown.exception
    read = Counter(engine.rows)
    engine.close()
    return read, len(list(shown.main))


@pytest.mark.parametrize(("page", "view"), pages(), ids=lambda value: getattr(value, "name", value))
def test_a_page_reads_no_more_rows_than_it_shows_more_of(
    page: AppPage, view: str, make_visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    few, shown_few = drawn(make_visitor, tmp_path / "few.sqlite", page, view, FEW)
    many, shown_many = drawn(make_visitor, tmp_path / "many.sqlite", page, view, MANY)

    for estimated in ESTIMATED.get((page.name, view), ()):
        assert many.pop(estimated) <= MANY + SPARE
        few.pop(estimated)
    assert many.total() <= few.total() * max(1.0, shown_many / shown_few) + SPARE, many
